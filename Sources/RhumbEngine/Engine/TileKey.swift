public import RhumbCore

/// A tile of a layer.
public struct TileKey: Hashable, Sendable {
    /// The layer that shows it.
    public let layer: TileLayer.ID
    /// The tile.
    public let tile: TileID

    /// A tile of a layer.
    public init(layer: TileLayer.ID, tile: TileID) {
        self.layer = layer
        self.tile = tile
    }
}

/// The origin and validity of a shown tile, for borders and the status line.
public struct TileMark: Sendable, Equatable {
    /// The validity.
    public var standing = TileValidity.current
    /// True if a region stores the tile.
    public var isPinned = false
    /// The reason why the last revalidation failed; nil if it did not.
    public var trouble: TileFailure?
    /// The reason why a part of the tile is missing in the picture, or drawn from coarser data; nil if none
    /// is.
    public var omission: TileFailure?

    /// The part of the picture drawn so far; nil for all of it.
    var drawnPart: PixelBox?
    /// The edition of the tile if its source has a newer one, else nil.
    public var edition: TileEdition?

    /// Creates a mark. The edition is set only if it is not the newest one.
    public init(_ standing: TileValidity = .current, isPinned: Bool = false, edition: TileEdition? = nil) {
        self.standing = standing
        self.isPinned = isPinned
        self.edition = edition
    }
}

/// The state of a tile.
public enum TileState: Sendable, Equatable {
    /// The decoded picture in the layer's tile size.
    case ready(Raster)
    /// The tile does not exist.
    case absent
    /// Failed; requested again when the failure expires.
    case failed(TileFailure)

    /// True if the tile has no picture of its own, so that other zooms replace it.
    var needsSubstitute: Bool {
        if case .ready = self { false } else { true }
    }

    /// True if the tile failed, and not for lack of a network. Its server is not asked for substitutes.
    var hasFailedOnline: Bool {
        if case .failed(let failure) = self { failure.reason != .offline } else { false }
    }

    var hasFailed: Bool {
        if case .failed = self { true } else { false }
    }
}
