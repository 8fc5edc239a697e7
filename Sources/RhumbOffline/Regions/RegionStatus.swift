public import RhumbCore
public import RhumbStore

/// The plan of a region to create or change, with its sources opened.
public struct RegionProposal: OfflinePlan {
    /// The definition of the region.
    public var definition: RegionDefinition
    /// The sources of its tiles.
    public let sources: [RegionSource]
    /// The tiles, bytes and permissions.
    public var cost: RegionPlan
    /// The names, files or addresses of the styles whose packs are loaded when the region is created.
    public var stylePacks: [String] = []
    /// True if the user confirmed that the providers allow the download.
    let isPermitted: Bool
    let queue: RegionQueue

    /// Creates or changes the region, and starts its download immediately, regardless of the queue.
    /// - Throws: `OfflineFailure`; `.store(.busy)` if this or another process is already downloading it.
    public func start() async throws(OfflineFailure) -> RegionJob {
        try await queue.start(queue.add(self), sources: sources)
    }
}

/// The status of a region.
public struct RegionStatus: Sendable {
    /// The stored region.
    public let record: RegionRecord
    /// The time at which the first of its tiles expires; nil if none expires.
    public let expiry: UnixSeconds?
    /// The download rate; nil unless this process is downloading the region.
    public let rate: RegionRate?
}
