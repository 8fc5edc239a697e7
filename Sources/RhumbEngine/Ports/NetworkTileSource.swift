public import RhumbCore

/// A source whose tiles come over the network, and are kept under an origin of their own.
public protocol NetworkTileSource: TileLayerDataSource {
    /// What its tiles are kept under, besides their numbers: in the edition that holds just now.
    var origin: TileOrigin { get }
}
