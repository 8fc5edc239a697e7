public import RhumbCore

/// A tile of a layer's source that the layer needs.
public struct TileWant: Sendable {
    /// What the tile is wanted for.
    public enum Urgency: Sendable, Hashable {
        /// Someone looks at it; the higher the number, the newer the view.
        case visible(view: Int)
        /// Someone may look at it soon.
        case prefetch
        /// Nobody: a person had it fetched for later.
        case download
    }

    /// The layer it is for.
    public let layer: TileLayer
    /// The tile.
    public let tile: TileID
    /// What it is wanted for.
    public let urgency: Urgency

    /// - Parameter tile: one to be shown; wanted is the tile that it is made from.
    public init(layer: TileLayer, tile: TileID, urgency: Urgency = .visible(view: 0)) {
        self.layer = layer
        self.tile = layer.dataTile(for: tile)
        self.urgency = urgency
    }
}

/// How far a tile can be relied on.
public enum TileStanding: Sendable, Hashable {
    /// It belongs to the source itself, which is at hand: an archive, a program's own drawing.
    case current
    /// It may be used until then without asking.
    case fresh(until: UnixSeconds)
    /// It was good until then; whether it still is is not known.
    case stale(since: UnixSeconds)

    /// Whether it is older than it may be used without asking.
    public var isStale: Bool { if case .stale = self { true } else { false } }
}

/// A tile as it is kept somewhere.
public struct KeptTile: Sendable, Equatable {
    /// What was kept.
    public var answer: TileAnswer
    /// Whether it may be used as it is.
    public var standing: TileStanding
    /// It may only be used online after asking about it.
    public var mustAsk: Bool
    /// A region holds it: it can't be lost by making room.
    public var isPinned: Bool
    /// The edition it is of, where that is not the one its source has by now.
    public var edition: TileEdition?

    /// A tile from a store.
    public init(
        _ answer: TileAnswer, _ standing: TileStanding, mustAsk: Bool = false, isPinned: Bool = false,
        edition: TileEdition? = nil
    ) {
        self.edition = edition
        self.answer = answer
        self.standing = standing
        self.mustAsk = mustAsk
        self.isPinned = isPinned
    }
}

/// What came of a fetch.
public enum FetchedTile: Sendable, Equatable {
    case new(TileAnswer, TileStanding)
    /// What is kept still holds.
    case unchanged(TileStanding)
}

/// Fetches the tiles of data sources that have addresses, and returns stored ones. A port: the HTTP client,
/// the shared cache and the regions are behind it.
public protocol TileFetcher: Sendable {
    /// What is kept of a tile; reads from disk, never from the network.
    func kept(_ want: TileWant) -> KeptTile?

    /// Keeps what a source that has no address gave, where its layer names a cache identifier.
    func keep(_ answer: TileAnswer, for want: TileWant)

    /// What is kept of the tile turned out to be no picture of the layer's.
    func discard(_ want: TileWant)

    /// Says what is looked at now: it is not let go of to make room.
    func spare(_ wants: [TileWant])

    /// Marks the stored tiles of a layer as outdated: each is requested again before it is used. If the
    /// request fails, the stored tile is used.
    func reload(_ layer: TileLayer)

    /// Whether tiles of a layer may be fetched before they are looked at.
    func mayPrefetch(_ layer: TileLayer) -> Bool

    /// Fetches a tile from the address that its source has for it.
    /// - Parameter holdsKept: the caller has what `kept` gave, so that `.unchanged` will do.
    /// - Throws: `TileFailure`. A cancelled task ends soon.
    func fetch(_ want: TileWant, holdsKept: Bool) async throws(TileFailure) -> FetchedTile
}

extension TileFetcher {
    /// A fetcher without a store has nothing.
    public func kept(_ want: TileWant) -> KeptTile? { nil }
    /// A fetcher without a store keeps nothing.
    public func keep(_ answer: TileAnswer, for want: TileWant) {}
    /// A fetcher without a store has nothing to discard.
    public func discard(_ want: TileWant) {}
    /// A fetcher without a store has nothing to spare.
    public func spare(_ wants: [TileWant]) {}
    /// A fetcher without a store has nothing to mark.
    public func reload(_ layer: TileLayer) {}
    /// A fetcher without a store does not look ahead.
    public func mayPrefetch(_ layer: TileLayer) -> Bool { false }
}
