public import RhumbCore
public import RhumbEngine
public import RhumbStore

/// The supply of a region's tiles of one source.
public protocol RegionSupply: Sendable {
    /// The origin that its tiles are stored under.
    var origin: TileOrigin { get }
    var policy: SourcePolicy { get }
    /// The best number of tiles per request.
    var batch: Int { get }

    /// Returns true if a stored tile is, as far as known, the source's current one. Otherwise it is
    /// revalidated although it is fresh.
    func isCurrent(_ stored: StoredResponse) async -> Bool

    /// Returns the supply of the next edition; nil if the source has none.
    func successor() async -> RegionSuccessor?

    /// The sizes of tiles in bytes, in the order of `tiles` and with 0 for a tile that doesn't exist, as a
    /// directory lists them; nil if the source has no directory, or it can't be read.
    func listedSizes(of tiles: [TileID]) async -> [Int]?

    /// Fetches tiles, and reports each as it arrives. A cancelled task ends soon; tiles that it has not
    /// reported count as cancelled.
    func load(_ items: [SupplyRequest], tell: @escaping @Sendable (SupplyNews) -> Void) async
}

extension RegionSupply {
    /// None by default: the source has only one edition.
    public func successor() async -> RegionSuccessor? { nil }

    /// Nil by default: the source has no directory.
    public func listedSizes(of tiles: [TileID]) async -> [Int]? { nil }
}

/// A source in its next edition, for a region that was about to be filled from the one before.
public struct RegionSuccessor: Sendable {
    /// The supply of the new edition's tiles.
    public let supply: any RegionSupply
    /// Those by which the source is opened now.
    public let documents: [RegionDocument]
}

/// A tile that is wanted.
public struct SupplyRequest: Sendable, Equatable {
    /// The tile.
    public let tile: TileID
    /// The stored response to revalidate; nil for none.
    public let held: StoredResponse?

    /// A tile to fetch, and its stored response.
    public init(_ tile: TileID, held: StoredResponse? = nil) { (self.tile, self.held) = (tile, held) }
}

/// An event while tiles are fetched.
public enum SupplyNews: Sendable {
    /// A request was sent.
    case asked
    case came(TileID, Result<Supplied, SupplyFailure>)
}

/// The response for a tile of a region.
public enum Supplied: Sendable, Equatable {
    /// A body, or the knowledge that there is none.
    case answer(StoredResponse)
    /// The stored tile is still valid.
    case unchanged(Freshness, HTTPHeaders)
    /// The tile stored of an earlier edition equals the current one; the response to store.
    case carried(StoredResponse)
    /// It came, but may not be stored.
    case mayNotBeKept
}

/// The reason why a tile of a region failed, as far as other tiles are affected.
public struct SupplyFailure: Error, Sendable, Equatable {
    /// Why a supply failed.
    public enum Kind: Sendable, Equatable {
        /// No server can be reached: the work waits.
        case offline
        /// Downloads are off on a metered connection: the work ends and can be resumed.
        case metered
        /// The connection broke or nothing came: the network or this tile.
        case lost
        /// The server demands a pause.
        case wait(Duration)
        /// The server refuses this person or program: the work ends.
        case refused
        /// The server stumbled, though it was tried again: over this tile or over all.
        case server
        /// This tile failed; others may succeed.
        case tile
        /// The body of this tile is damaged: it is requested again, then it is a gap.
        case damaged
        case cancelled
        /// The source has another edition by now.
        case superseded
    }

    /// Why it failed.
    public let kind: Kind
    /// The failure, in a sentence.
    public let message: String

    /// A failure of a kind, with its sentence.
    public init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}
