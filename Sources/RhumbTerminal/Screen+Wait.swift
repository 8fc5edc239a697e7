internal import Glibc
public import RhumbCore

extension Screen {
    /// The time a lone Escape waits for the rest of a sequence.
    private static let escapePause = Duration.milliseconds(50)
    /// The same while responses are expected, which a slow line may split anywhere.
    private static let responsePause = Duration.milliseconds(500)
    /// The time after which no responses are expected. Some terminals never send any.
    private static let responseLimit = Duration.seconds(2)
    /// The time after which an unfinished sequence is dropped, from the last input and from its beginning.
    /// Typing would prolong a control string for ever.
    private static let sequencePause = Duration.seconds(1), sequenceLimit = Duration.seconds(2)
    /// The time without input after which a paste ends.
    private static let pastePause = Duration.seconds(5)

    /// Waits for events and returns all available ones in order; empty after the timeout. Keeps sending
    /// frames meanwhile.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait; nil for no limit. Zero or less doesn't wait.
    ///   - wakeup: A pipe or eventfd that another thread writes to. It is drained, and `.woken` is returned.
    public func wait(upTo timeout: Duration?, wakeup: Int32? = nil) -> [ScreenEvent] {
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            if let event = loss() { return [event] }
            let now = ContinuousClock.now
            let left = deadline.map { max($0 - now, .zero) }, pause = pauseEnd.map { max($0 - now, .zero) }
            let ready = poll(for: shorter(left, pause), wakeup: wakeup)
            let events = collect(ready) + empty(ready.wakeup ? wakeup : nil)
            if !events.isEmpty { return events }
            if let deadline, ContinuousClock.now >= deadline { return [] }
        }
    }

    /// The end of the wait for the rest of held-back bytes; nil without such.
    private var pauseEnd: ContinuousClock.Instant? {
        switch decoder.wait {
        case nil: nil
        case .key:
            lastInput
                + (isAnswering && lastInput < asked + Self.responseLimit
                    ? Self.responsePause : Self.escapePause)
        case .sequence:
            min(lastInput + Self.sequencePause, (sequenceStart ?? lastInput) + Self.sequenceLimit)
        case .paste: lastInput + Self.pastePause
        }
    }

    /// Returns an event when the terminal is first found to be lost; nil otherwise.
    private func loss() -> ScreenEvent? {
        guard device.isLost, !hasReportedLoss else { return nil }
        hasReportedLoss = true
        return .terminated(signal: SIGHUP)
    }

    private struct Ready {
        var input = false
        var output = false
        var signal = false
        var wakeup = false
        var tmux = false
    }

    private func shorter(_ one: Duration?, _ other: Duration?) -> Duration? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    private func poll(for time: Duration?, wakeup: Int32?) -> Ready {
        guard waitingSignals.isEmpty else { return Ready(signal: true) }
        let wanted = output.isBusy ? POLLIN | POLLOUT : POLLIN
        var sources = [
            pollfd(fd: device.isLost ? -1 : device.descriptor, events: Int16(wanted), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeup ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: tmuxQuestion?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        guard Glibc.poll(&sources, nfds_t(sources.count), milliseconds(time)) > 0 else {
            return Ready()
        }
        let terminal = Int32(sources[0].revents)
        return Ready(
            input: terminal & (POLLIN | POLLHUP | POLLERR) != 0, output: terminal & POLLOUT != 0,
            signal: sources[1].revents != 0, wakeup: sources[2].revents != 0,
            tmux: sources[3].revents != 0)
    }

    /// Returns the time in milliseconds, rounded up, so that a wait never ends early.
    private func milliseconds(_ time: Duration?) -> Int32 {
        guard let time else { return -1 }
        let (seconds, attoseconds) = time.components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        guard seconds >= 0 && attoseconds >= 0 else { return 0 }
        return Int32(seconds) * 1000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    private func collect(_ ready: Ready) -> [ScreenEvent] {
        if ready.output { sendFrames() }
        var events: [ScreenEvent] = []
        if ready.input { events += readInput() }
        if let end = pauseEnd, ContinuousClock.now >= end {
            events += (decoder.wait == .key ? decoder.pause() : decoder.expire()).compactMap(note)
            sequenceStart = nil
        }
        if ready.tmux { events.append(noteTmux()) }
        if ready.signal { events += readSignals() }
        return events
    }

    private func empty(_ wakeup: Int32?) -> [ScreenEvent] {
        guard let wakeup else { return [] }
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(wakeup, &bytes, bytes.count)
        return [.woken]
    }

    private func readInput() -> [ScreenEvent] {
        let reports = decoder.read(device.read())
        lastInput = .now
        sequenceStart = decoder.wait == .sequence ? sequenceStart ?? lastInput : nil
        return reports.compactMap(note)
    }

    // MARK: Signals

    private func readSignals() -> [ScreenEvent] {
        let taken = waitingSignals + signals.take()
        waitingSignals = []
        let ends = taken.filter { SignalPipe.ends.contains($0) }
        if !ends.isEmpty { return ends.map { .terminated(signal: $0) } }
        return taken.flatMap(answer)
    }

    private func answer(_ signal: Int32) -> [ScreenEvent] {
        switch signal {
        case SIGTSTP: suspend()
        case SIGCONT:
            giveBack()
            retake()
        default:
            measure()
            askCellSize()
            return [resized]
        }
        return [.resumed, resized]
    }

    private var resized: ScreenEvent { .resized(columns: size.columns, rows: size.rows) }
}

extension TerminalDevice {
    static let readable = Int16(POLLIN)
}

/// Signal numbers for callers that don't import Glibc.
enum Signal {
    static let stopped = SIGTSTP
    static let continued = SIGCONT
}

/// An event of the screen.
public enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    /// The terminal was resized, or it reported the shape of its cells.
    case resized(columns: Int, rows: Int)
    /// The file descriptor given to `wait` became readable.
    case woken
    /// SIGTERM, SIGHUP, SIGINT or another terminating signal arrived, or the terminal was lost (SIGHUP).
    case terminated(signal: Int32)
    /// The program was continued after a stop.
    case resumed
    /// The terminal has answered the queries about images, or the size of a cell in pixels changed.
    case graphics
    /// The terminal's background colour. May arrive at any time or never.
    case background(RGB)
}
