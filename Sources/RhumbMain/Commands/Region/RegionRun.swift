internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// A region's download in the foreground. A line shows its progress. A signal interrupts it so that it can be
/// resumed.
struct RegionRun {
    let command: RegionCommand
    let record: RegionRecord
    let pass: SyncMode
    /// The sources of the region's plan; nil to open them.
    let sources: [RegionSource]?

    func run() async throws -> Int32 {
        while true {
            do {
                let job = try await command.queue.start(record, pass, sources: sources)
                if let status = try await run(job) { return status }
                Output.note("rhumb: another process continues \(record.id); following its progress")
                return try report(await follow())
            } catch OfflineFailure.store(.busy(_, let process))
                where pass.kind == .download && process != getpid()
            {
                Output.note("rhumb: process \(process) is downloading \(record.id); following its progress")
                let end = try await follow()
                if !end.state.isUnfinished { return try report(end) }
            }
        }
    }

    /// Shows the progress while another process works on the region.
    private func follow() async throws -> RegionRecord {
        let bar = ProgressMeter()
        var meter = JobMeter<RegionRecord>()
        defer { bar.end() }
        while true {
            let isRunning = command.store.worker(of: record.number, at: .now) != nil
            let current = try command.store.region(record.id)
            meter.note(current)
            bar.show(meter.line)
            if !isRunning { return current }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    private func run(_ job: RegionJob) async throws -> Int32? {
        let end = await job.run(
            resume: "rhumb region resume \(record.id)",
            onSignal: { [session = command.session] in
                session.stopWaiting(in: .seconds(2))
            })
        if job.state.stop == .superseded { return nil }
        return try end.signal == nil ? report(job.record) : end.exitStatus
    }

    private func report(_ end: RegionRecord) throws -> Int32 {
        try command.invocation.print(end.lines, end.summary)
        if end.state == .failed || end.state == .waitingForNetwork {
            let advice = end.state == .failed ? "" : "on another connection, "
            Output.say("rhumb: \(advice)resume with rhumb region resume \(end.id)")
        }
        if end.state == .completeWithGaps, let gap = try command.store.gaps(of: end.number, limit: 1).first {
            Output.say("rhumb: \(gap.tile) failed: \(gap.reason)")
        }
        if let sentence = end.removed.sentence { Output.say("rhumb: \(sentence)") }
        return end.ending().exitStatus
    }

    /// Starts a separate process that continues the region.
    static func detach(_ record: RegionRecord, _ pass: SyncMode, _ invocation: Invocation) throws -> Int32 {
        let verb =
            switch pass.kind {
            case .download: RegionVerb.resume
            case .refresh: RegionVerb.update
            case .retry: RegionVerb.resume
            }
        let age = invocation[.olderThan].map { ["--\(Option.olderThan.name)", $0] } ?? []
        let expired = invocation[.acceptExpired] ? ["--\(Option.acceptExpired.name)"] : []
        return try invocation.detach(
            ["region", verb.rawValue, record.id, "--permitted"] + age + expired,
            watching: "rhumb region show \(record.id)")
    }
}
