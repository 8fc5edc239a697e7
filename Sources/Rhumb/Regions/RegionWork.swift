internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// The work on a region: goes through the tiles of each of its sources, nearest and lowest zooms
/// first, and writes what came of them together with how far it is.
struct RegionWork: Sendable {
    /// One source of the region.
    struct Part: Sendable {
        let supply: any RegionSupply
        let cover: RegionCover
        let judge: TileBodyJudge
    }

    let task: RegionTask
    let store: RegionStore
    let cache: (any ResponseStore)?
    let parts: [Part]
    let pass: RegionPass
    let clock: EngineClock

    /// How the work on a part came to its end.
    enum End: Equatable {
        case done, cancelled
        case failed(String)
    }

    /// Does all of it.
    /// - Throws: `RegionStoreFailure`, when nothing more can be written.
    func run() async throws(RegionStoreFailure) {
        var record = task.record
        try set(.running, "", &record)
        var end = End.done
        for at in record.parts.indices where end == .done {
            let origin = record.parts[at].origin
            guard let part = parts.first(where: { $0.supply.origin == origin }) else {
                end = .failed(RegionWork.missing(origin))
                break
            }
            var run = try PartRun(self, part, record.parts[at])
            end = try await run.go(&record, at)
        }
        guard !task.isLost else { return }
        switch end {
        case .cancelled: try set(.cancelled, "", &record)
        case .failed(let reason): try set(.failed, reason, &record)
        case .done: try set(record.failed > 0 ? .completeWithGaps : .complete, "", &record)
        }
    }

    private static func missing(_ origin: String) -> String {
        let name = origin.split(separator: " ").first.map(String.init) ?? ""
        return "its source \(name) is not at hand, or is another by now: make the region anew with --source"
    }

    /// Nothing more could be written: said, and if possible noted.
    func fail(_ failure: RegionStoreFailure) {
        var record = task.record
        (record.state, record.reason) = (.failed, failure.description)
        try? store.setState(.failed, of: record.number, reason: failure.description, at: clock.date())
        task.tell(record)
    }

    func set(
        _ state: RegionState, _ reason: String, _ record: inout RegionRecord
    ) throws(RegionStoreFailure) {
        let reason = SafeText.sanitised(reason, limit: 300)
        guard !task.isLost, record.state != state || record.reason != reason else { return }
        (record.state, record.reason) = (state, reason)
        try store.setState(state, of: record.number, reason: reason, at: clock.date())
        task.tell(record)
    }

    /// Hears once a second what others want of this process, until cancelled.
    func listen() async {
        while (try? await clock.sleep(.seconds(1))) != nil, !Task.isCancelled {
            do throws(RegionStoreFailure) {
                switch try store.beat(task.record.number, at: clock.date()) {
                case .some(.none): break
                case .pause: task.pause()
                case .resume: task.resume()
                case .cancel: task.cancel()
                case nil: return task.lose()
                }
            } catch {
                // Another process holds the file just now: the next beat will do.
                continue
            }
        }
    }
}
