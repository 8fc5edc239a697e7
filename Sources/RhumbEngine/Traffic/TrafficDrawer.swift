public import RhumbCore

/// Draws vector tiles of traffic. A port: what unpacks and draws them is behind it.
public protocol TrafficDrawer: Sendable {
    /// What draws the tiles of one moment: another one for each, since it knows tiles by their numbers.
    /// - Parameter style: the person's, where it draws traffic; nil: the usual one.
    /// - Returns: nil where it can't be drawn.
    func drawing(of source: TrafficSource, in style: Style?) -> (any TileDrawing)?

    /// A tile without what it came wrapped in, such as gzip.
    /// - Parameter name: of the tile, for the failure's sentence.
    /// - Throws: `TileFailure` where that is damaged.
    func unpacked(_ body: [UInt8], name: String) throws(TileFailure) -> [UInt8]
}
