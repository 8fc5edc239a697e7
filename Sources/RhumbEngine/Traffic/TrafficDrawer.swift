public import RhumbCore

/// Unpacks and draws vector tiles of traffic.
public protocol TrafficDrawer: Sendable {
    /// Returns a drawing for the tiles of one set; each set needs its own, because tiles are identified by
    /// their numbers.
    /// - Parameter style: The user's style if it draws traffic; nil for the default.
    /// - Returns: nil if they can't be drawn.
    func drawing(of source: TrafficSource, in style: Style?) -> (any TileDrawing)?

    /// Decompresses a tile, such as one in gzip.
    /// - Parameter name: The name of the tile, for the failure.
    /// - Throws: `TileFailure` if it is damaged.
    func unpacked(_ body: [UInt8], name: String) throws(TileFailure) -> [UInt8]
}
