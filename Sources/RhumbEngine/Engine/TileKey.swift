public import RhumbCore

/// A tile of a layer.
public struct TileKey: Hashable, Sendable {
    public let layer: TileLayer.ID
    public let tile: TileID

    public init(layer: TileLayer.ID, tile: TileID) {
        self.layer = layer
        self.tile = tile
    }
}

/// What is known of a tile.
public enum TileState: Sendable, Equatable {
    /// Decoded, of the layer's tile size.
    case ready(Raster)
    /// Surely does not exist.
    case absent
    /// Could not be had; asked for again when the failure has expired.
    case failed(TileFailure)
}
