internal import Dispatch
internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Work on a region in the foreground: a line tells how far it is; a signal breaks it off so that
/// it can be taken up again.
@MainActor
struct RegionRun {
    private let command: RegionCommand
    private let record: RegionRecord
    private let pass: RegionPass

    init(_ command: RegionCommand, _ record: RegionRecord, _ pass: RegionPass) {
        self.command = command
        self.record = record
        self.pass = pass
    }

    func run() async throws -> Int32 {
        while true {
            do {
                return try await run(command.queue.start(record, pass))
            } catch RegionFailure.store(.busy(_, let process)) where pass.kind == .download && process != getpid() {
                Output.say("rhumb: process \(process) works on \(record.id) already; this one looks on")
                let end = try await follow()
                if !end.state.isUnfinished { return try report(end) }
            }
        }
    }

    /// Looks on while another process works on the region.
    private func follow() async throws -> RegionRecord {
        let isTerminal = isatty(STDERR_FILENO) == 1, meter = ProgressMeter()
        defer { meter.end(isTerminal: isTerminal) }
        while true {
            let isUnderWay = command.store.worker(of: record.number, at: .now) != nil
            let now = try command.store.region(record.id)
            meter.show(now, isTerminal: isTerminal)
            if !isUnderWay { return now }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    private func run(_ task: RegionTask) async throws -> Int32 {
        let signals = Signals(task), isTerminal = isatty(STDERR_FILENO) == 1, meter = ProgressMeter()
        let watcher = Task.detached {
            for await record in task.progress() { meter.show(record, isTerminal: isTerminal) }
        }
        let end = await task.finish()
        watcher.cancel()
        meter.end(isTerminal: isTerminal)
        if let signal = signals.caught, end.state == .cancelled {
            try command.store.setState(.queued, of: record.number, reason: "broken off", at: .now)
            Output.say("rhumb: broken off; rhumb region resume \(record.id) goes on with it")
            return 128 + signal
        }
        if let failure = task.failure { Output.say("rhumb: \(FailureText.sentence(failure))") }
        return try report(end)
    }

    private func report(_ end: RegionRecord) throws -> Int32 {
        try command.print(end.lines, end.summary)
        if end.state == .failed { Output.say("rhumb: rhumb region resume \(end.id) goes on with it") }
        return end.exitStatus
    }

    /// What a process of its own must be told that goes on with the region.
    private static func words(_ record: RegionRecord, _ pass: RegionPass, _ invocation: Invocation) -> [String] {
        let texts: [Option<String>] = [.cachePath, .dataPath, .config, .userAgent, .authorities, .olderThan]
        let numbers: [Option<Int>] = [.regionQuota, .cacheSize, .rate]
        let switches: [Option<Bool>] = [.offline, .metered, .acceptExpired]
        let values =
            texts.flatMap { option in invocation[option].map { ["--\(option.name)", $0] } ?? [] }
            + numbers.flatMap { option in invocation[option].map { ["--\(option.name)", "\($0)"] } ?? [] }
        let flags = switches.filter { invocation[$0] }.map { "--\($0.name)" }
        let verb =
            switch pass.kind {
            case .download: RegionVerb.resume
            case .refresh: RegionVerb.update
            case .retry: RegionVerb.retry
            }
        return ["rhumb", "region", verb.rawValue, record.id, "--permitted"] + values + flags
    }

    /// Starts a process of its own that goes on with the region.
    static func detach(_ record: RegionRecord, _ pass: RegionPass, _ invocation: Invocation) throws -> Int32 {
        let words = words(record, pass, invocation)
        guard let process = DetachedProcess.start(words) else {
            throw Notice.Problem("no process could be started: \(String(cString: strerror(errno)))")
        }
        try Output.print(
            invocation[.json]
                ? (["process": .integer(Int(process))] as JSON).text + "\n"
                : "process \(process) goes on with it; rhumb region show \(record.id) tells how far it is\n")
        return ExitStatus.done
    }
}

/// Signals that end the work in good order.
private final class Signals {
    private let sources: [any DispatchSourceSignal]
    private let state = SignalState()

    var caught: Int32? { state.caught }

    init(_ task: RegionTask) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { [state] number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                state.note(number)
                task.cancel()
            }
            source.resume()
            return source
        }
    }
}
