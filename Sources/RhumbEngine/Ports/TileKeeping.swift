public import RhumbCore

/// A source that fetches its tiles itself, and keeps them under keys of its own.
public protocol TileKeeping: TileLayerDataSource {
    /// A tile's bytes if they are at hand; nothing is fetched.
    func keptTile(_ tile: TileID) -> [UInt8]?
}
