internal import Glibc
internal import Rhumb
internal import Synchronization

/// Shows the progress of work on standard error: as a bar on a terminal, or otherwise as an occasional line
/// for downloads. Writes nothing with `--quiet`.
final class ProgressMeter: Sendable {
    /// A state of the work, as text.
    struct Line {
        /// The name of the work, such as a region's id.
        var label: String
        /// 0…1; nil if unknown.
        var fraction: Double?
        /// Amounts, rate and time left.
        var text: String
        /// The reason why there is currently no progress. Changes are shown immediately.
        var standing = ""

        /// The line as text, without a bar.
        var sentence: String {
            [label, text].filter { !$0.isEmpty }.joined(separator: " ")
                + (standing.isEmpty ? "" : " · \(standing)")
        }
    }

    private struct State {
        var shown = -100.0
        var head = ""
        var progress = DownloadProgress(total: 0)
    }

    private let state = Mutex(State())
    private let start = ContinuousClock.now
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// True if the progress of local work is shown.
    var showsWork: Bool { isTerminal && !Output.isQuiet }

    /// The time in seconds since the meter was created.
    var now: Double { start.duration(to: .now) / .seconds(1) }

    /// Shows the progress of a download, at most ten times a second on a terminal, and otherwise every ten
    /// seconds.
    func show(_ line: Line?) {
        guard let line, !Output.isQuiet, isDue(line.label + line.standing, every: isTerminal ? 0.1 : 10)
        else { return }
        if isTerminal { TerminalLine.show(line) } else { Output.say(line.sentence) }
    }

    /// Shows the progress of local work on a terminal.
    /// - Parameter total: The number of units of work; nil if unknown.
    func show(_ label: String, _ done: Int, of total: Int?, _ unit: WorkProgress.Unit) {
        guard showsWork else { return }
        let now = now
        let line: Line? = state.withLock { state in
            guard now - state.shown >= 0.1 else { return nil }
            state.progress.advance(to: done, of: total ?? 0, at: now)
            let fraction = state.progress.total > 0 ? state.progress.fraction : nil
            return Line(label: label, fraction: fraction, text: state.progress.text(at: now, unit: unit))
        }
        show(line)
    }

    private func isDue(_ head: String, every interval: Double) -> Bool {
        let now = now
        return state.withLock { state in
            guard head != state.head || now - state.shown >= interval else { return false }
            state.shown = now
            state.head = head
            return true
        }
    }

    /// Removes the line from the terminal.
    func end() { TerminalLine.clear() }

    // MARK: Running work with progress

    /// Runs local work that reports its progress.
    static func run<Value>(
        _ label: String, _ unit: WorkProgress.Unit, _ work: () throws -> Value
    ) rethrows -> Value {
        let meter = ProgressMeter()
        guard meter.showsWork else { return try work() }
        defer { meter.end() }
        let handler = WorkProgress.Handler { meter.show(label, $0, of: $1, unit) }
        return try WorkProgress.$handler.withValue(handler, operation: work)
    }

    /// Shows the progress that a closure returns while other work runs.
    static func watch<Value>(
        _ label: String, _ unit: WorkProgress.Unit, during work: () async throws -> Value,
        _ progress: @escaping @Sendable () -> (done: Int, total: Int?)
    ) async rethrows -> Value {
        let meter = ProgressMeter()
        guard meter.showsWork else { return try await work() }
        let watcher = Task {
            while !Task.isCancelled {
                let (done, total) = progress()
                meter.show(label, done, of: total, unit)
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        defer {
            watcher.cancel()
            meter.end()
        }
        return try await work()
    }
}
