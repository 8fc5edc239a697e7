public import RhumbCore

/// A tile of a layer's source that the layer needs.
public struct WantedTile: Sendable {
    /// The purpose of a request.
    public enum Urgency: Sendable, Hashable {
        /// For a tile in view. A higher number is a newer view.
        case visible(view: Int)
        /// For a tile that may come into view soon.
        case prefetch
        /// For a download in the background.
        case download
    }

    /// The layer that needs the tile.
    public let layer: TileLayer
    /// The tile.
    public let tile: TileID
    /// The purpose.
    public let urgency: Urgency

    /// - Parameter tile: The tile to show. The request is for the source's tile that contains it.
    public init(layer: TileLayer, tile: TileID, urgency: Urgency = .visible(view: 0)) {
        self.layer = layer
        self.tile = layer.dataTile(for: tile)
        self.urgency = urgency
    }
}

/// The validity of a tile.
public enum TileValidity: Sendable, Hashable {
    /// The tile is from a local source: an archive, or a program's own drawing.
    case current
    /// The tile may be used without revalidation until this time.
    case fresh(until: UnixSeconds)
    /// The tile was fresh until this time.
    case stale(since: UnixSeconds)

    /// True if it may not be used without revalidation.
    public var isStale: Bool { if case .stale = self { true } else { false } }
}

/// A stored tile with its validity.
public struct CachedTile: Sendable, Equatable {
    /// The stored tile.
    public var answer: TileAnswer
    /// The validity.
    public var standing: TileValidity
    /// True if it must be revalidated before it is used online.
    public var mustAsk: Bool
    /// True if a region stores the tile, so that it can't be evicted.
    public var isPinned: Bool
    /// The edition of the tile if its source has a newer one, else nil.
    public var edition: TileEdition?

    /// Creates a stored tile.
    public init(
        _ answer: TileAnswer, _ standing: TileValidity, mustAsk: Bool = false, isPinned: Bool = false,
        edition: TileEdition? = nil
    ) {
        self.edition = edition
        self.answer = answer
        self.standing = standing
        self.mustAsk = mustAsk
        self.isPinned = isPinned
    }
}

/// The outcome of a fetch.
public enum FetchedTile: Sendable, Equatable {
    case new(TileAnswer, TileValidity)
    /// The stored tile is still valid.
    case unchanged(TileValidity)
}

/// Fetches the tiles of data sources that have addresses, and returns stored ones. It stands for the HTTP
/// client, the shared cache and the regions.
public protocol TileFetcher: Sendable {
    /// Returns the stored tile; reads from disk, never from the network.
    func stored(_ want: WantedTile) -> CachedTile?

    /// Stores a tile of a source without addresses, if its layer has a cache identifier.
    func store(_ answer: TileAnswer, for want: WantedTile)

    /// Discards a stored tile that is not a valid picture of the layer.
    func discard(_ want: WantedTile)

    /// Sets the tiles on screen, which are not evicted.
    func protect(_ wants: [WantedTile])

    /// Marks the stored tiles of a layer as outdated: each is requested again before it is used. If the
    /// request fails, the stored tile is used.
    func reload(_ layer: TileLayer)

    /// Returns true if tiles of a layer may be prefetched.
    func mayPrefetch(_ layer: TileLayer) -> Bool

    /// Fetches a tile from the source's address for it.
    /// - Parameter holdsStored: True if the caller has the stored tile, so that `.unchanged` suffices as a
    ///   result.
    /// - Throws: `TileFailure`. A cancelled task ends soon.
    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile
}

extension TileFetcher {
    /// Nil by default, for fetchers without a store.
    public func stored(_ want: WantedTile) -> CachedTile? { nil }
    /// Does nothing by default, for fetchers without a store.
    public func store(_ answer: TileAnswer, for want: WantedTile) {}
    /// Does nothing by default, for fetchers without a store.
    public func discard(_ want: WantedTile) {}
    /// Does nothing by default, for fetchers without a store.
    public func protect(_ wants: [WantedTile]) {}
    /// Does nothing by default, for fetchers without a store.
    public func reload(_ layer: TileLayer) {}
    /// False by default, because a fetcher without a store has no use for prefetched tiles.
    public func mayPrefetch(_ layer: TileLayer) -> Bool { false }
}
