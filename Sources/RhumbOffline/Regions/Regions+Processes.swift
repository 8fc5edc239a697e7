internal import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// The effect of a command for the process that works on a region.
public enum WorkerResponse: Sendable {
    /// No process works on the region.
    case noWorker
    /// The command was sent, but has not taken effect yet.
    case sent
    /// The command has taken effect, with the region as it is now.
    case obeyed(RegionRecord)
}

/// Requests to the processes that work on regions.
extension Regions {
    /// The maximum time in which a process obeys a request. Tiles in flight may delay it further.
    private static let obedience = Duration.seconds(5)

    /// Sends a command to the process that works on a region, and waits a few seconds for its effect.
    /// - Throws: `RegionStoreFailure`
    public func send(
        _ command: WorkerCommand, to record: RegionRecord
    ) async throws(RegionStoreFailure) -> WorkerResponse {
        guard try store.send(command, of: record.number, at: clock.date()) else { return .noWorker }
        let end = clock.now() + Regions.obedience
        while clock.now() < end, (try? await clock.sleep(.milliseconds(100))) != nil {
            let found = try store.regions().first { $0.number == record.number }
            guard let current = found else { break }
            let isOver = store.worker(of: record.number, at: clock.date()) == nil
            let isObeyed =
                switch command {
                case .pause: current.state == .paused
                case .resume: current.state != .paused
                case .cancel, .none: isOver
                }
            if isObeyed || isOver { return .obeyed(current) }
        }
        return .sent
    }

    /// Ends the process in which the download of a region is paused, so that the region can be removed.
    /// - Throws: `RegionStoreFailure`
    public func endPaused(_ record: RegionRecord) async throws(RegionStoreFailure) {
        if record.state == .paused { _ = try await send(.cancel, to: record) }
    }
}
