public import RhumbCore
public import RhumbStore

/// A region to create, with its sources opened.
public struct RegionProposal: Sendable {
    /// The definition of the region.
    public let definition: RegionDefinition
    /// The sources of its tiles.
    public let sources: [RegionSource]
    /// The names, files or addresses of the styles whose packs are loaded when the region is created.
    public var stylePacks: [String] = []

    /// Creates a proposal.
    public init(_ definition: RegionDefinition, _ sources: [RegionSource]) {
        self.definition = definition
        self.sources = sources
    }
}

/// An event of a queue's regions.
public enum RegionNews: Sendable {
    /// Regions or their progress changed.
    case changed
    /// A region's download ended.
    case finished(RegionRecord)
    /// A region could not be started.
    case refused(RegionFailure)
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
