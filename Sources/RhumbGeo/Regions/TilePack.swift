/// The unit of accounting: a tile and all its descendants within a zoom group. Its tiles of one zoom are
/// adjacent in PMTiles archives.
public struct TilePack: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The tile of the group's lowest zoom.
    public let top: TileID

    /// Creates the pack of a top tile; nil if its zoom is not the lowest of a group.
    public init?(top: TileID) {
        guard ZoomGroup(containing: top.zoom).lowest == top.zoom else { return nil }
        self.top = top
    }

    /// Creates the pack that contains a tile.
    public init(containing tile: TileID) {
        top = tile.ancestor(levels: tile.zoom - ZoomGroup(containing: tile.zoom).lowest) ?? tile
    }

    /// The zooms of the pack.
    public var group: ZoomGroup { ZoomGroup(containing: top.zoom) }

    /// Returns true if the pack contains the tile.
    public func contains(_ tile: TileID) -> Bool {
        tile.zoom <= group.highest && top.contains(tile)
    }

    /// Returns the number of its tiles at these zooms: 4^k for each.
    public func count(of zooms: ClosedRange<Int>) -> Int {
        shared(zooms).reduce(0) { $0 + (1 << (2 * ($1 - top.zoom))) }
    }

    /// Returns its tiles at these zooms, low zooms first, then by row and column.
    public func tiles(of zooms: ClosedRange<Int>) -> some Sequence<TileID> {
        shared(zooms).lazy.flatMap { zoom in
            let levels = zoom - top.zoom, side = 1 << levels
            return (0..<side * side).lazy.map { index in
                TileID(unchecked: zoom, top.x << levels + index % side, top.y << levels + index / side)
            }
        }
    }

    private func shared(_ zooms: ClosedRange<Int>) -> [Int] { group.zooms.filter(zooms.contains) }

    /// The pack as text, such as "11/1000/685 (11-14)".
    public var description: String { "\(top) (\(group))" }

    public static func < (a: TilePack, b: TilePack) -> Bool { a.top < b.top }
}
