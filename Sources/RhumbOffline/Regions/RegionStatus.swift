public import RhumbCore
public import RhumbStore

/// A region to be created, with its opened sources.
public struct RegionProposal: Sendable {
    /// The region asked for.
    public let definition: RegionDefinition
    /// The sources it takes tiles from.
    public let sources: [RegionSource]
    /// The names, files or addresses of the styles whose packs are loaded when the region is created.
    public var stylePacks: [String] = []

    /// A region to be made of these sources.
    public init(_ definition: RegionDefinition, _ sources: [RegionSource]) {
        self.definition = definition
        self.sources = sources
    }
}

/// An event of the regions in a queue.
public enum RegionNews: Sendable {
    /// Something of them is different.
    case changed
    /// The work on one is over.
    case finished(RegionRecord)
    /// A region could not be started.
    case refused(RegionFailure)
}

/// The status of a region.
public struct RegionStatus: Sendable {
    /// The region as the store has it.
    public let record: RegionRecord
    /// When the first of its tiles is out of date; nil: none ever is.
    public let expiry: UnixSeconds?
    /// The download rate; nil if this process does not download it.
    public let rate: RegionRate?
}
