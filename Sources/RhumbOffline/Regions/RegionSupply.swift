public import RhumbCore
public import RhumbEngine
public import RhumbStore

/// Where a region's tiles of one source come from.
public protocol RegionSupply: Sendable {
    /// What its tiles are stored under, besides their numbers.
    var origin: TileOrigin { get }
    var policy: SourcePolicy { get }
    /// How many tiles it is best asked for together.
    var batch: Int { get }

    /// Whether what is stored of a tile is, for all that is known, what the source has now; else it
    /// is asked about though it is fresh.
    func isCurrent(_ stored: StoredResponse) async -> Bool

    /// What takes its place once its source has another edition; nil: nothing does.
    func successor() async -> RegionSuccessor?

    /// The sizes of tiles in bytes, in the order of `tiles` and with 0 for a tile that doesn't exist, as a
    /// directory lists them; nil if the source has no directory, or it can't be read.
    func listedSizes(of tiles: [TileID]) async -> [Int]?

    /// Gets tiles from the server, and tells of each as it comes. A cancelled task ends soon; tiles
    /// it has not told of are taken as cancelled.
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
    /// Where the tiles of the new edition come from.
    public let supply: any RegionSupply
    /// Those by which the source is opened now.
    public let documents: [RegionDocument]
}

/// A tile that is wanted.
public struct SupplyRequest: Sendable, Equatable {
    /// The tile.
    public let tile: TileID
    /// What is stored of it, to be asked about.
    public let held: StoredResponse?

    /// A tile that is wanted, with what is stored of it already.
    public init(_ tile: TileID, held: StoredResponse? = nil) { (self.tile, self.held) = (tile, held) }
}

/// What happens while tiles are fetched.
public enum SupplyNews: Sendable {
    /// A request was sent.
    case asked
    case came(TileID, Result<Supplied, SupplyFailure>)
}

/// What a server gave for a tile of a region.
public enum Supplied: Sendable, Equatable {
    /// A body, or the knowledge that there is none.
    case answer(StoredResponse)
    /// What is held still holds.
    case unchanged(Freshness, HTTPHeaders)
    /// What is held of an earlier edition is what the source has now: as it is to be stored.
    case carried(StoredResponse)
    /// It came, but may not be stored.
    case mayNotBeKept
}

/// Why a tile of a region could not be had, as far as it matters for the others.
public struct SupplyFailure: Error, Sendable, Equatable {
    /// Why a supply failed.
    public enum Kind: Sendable, Equatable {
        /// No server can be reached: the work waits.
        case offline
        /// Nothing is downloaded while the connection is metered: the work ends, to be taken up again.
        case metered
        /// The connection broke or nothing came: the network or this tile.
        case lost
        /// The server wants to be left alone for so long.
        case wait(Duration)
        /// The server refuses this person or program: the work ends.
        case refused
        /// The server stumbled, though it was tried again: over this tile or over all.
        case server
        /// This tile can't be had; the others may.
        case tile
        /// The body of this tile is damaged: it is requested again, then it is a gap.
        case damaged
        case cancelled
        /// The source has another edition by now.
        case superseded
    }

    /// Why it failed.
    public let kind: Kind
    /// What went wrong, in a sentence.
    public let message: String

    /// A failure of a kind, with its sentence.
    public init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }
}
