package import RhumbCore

extension TileID {
    /// Returns the first PMTiles id of a zoom up to 31: (4^zoom − 1) / 3.
    package static func firstHilbertID(zoom: Int) -> UInt64 { ((1 << UInt64(2 * zoom)) - 1) / 3 }

    /// The tile's id in PMTiles version 3: zoom by zoom, and along a Hilbert curve within each. The children
    /// of a zoom's n-th tile are tiles 4n…4n+3 of the next zoom.
    package var hilbertID: UInt64 {
        var id: UInt64 = 0
        var x = self.x, y = self.y
        var side = 1 << zoom
        while side > 1 {
            side /= 2
            let right = x & side != 0, below = y & side != 0
            id = id << 2 | ((right ? 3 : 0) ^ (below ? 1 : 0))
            x &= side - 1
            y &= side - 1
            if !below { (x, y) = right ? (side - 1 - y, side - 1 - x) : (y, x) }
        }
        return TileID.firstHilbertID(zoom: zoom) + id
    }

    /// Creates the tile with an id; nil beyond the deepest zoom.
    package init?(hilbertID id: UInt64) {
        guard id < TileID.firstHilbertID(zoom: TileID.maximumZoom + 1) else { return nil }
        let zoom = TileID.zoom(hilbertID: id)
        var rest = id - TileID.firstHilbertID(zoom: zoom)
        var x = 0, y = 0
        for level in 0..<zoom {
            let side = 1 << level
            let right = rest & 2 != 0
            let below = (rest & 1 != 0) != right
            if !below { (x, y) = right ? (side - 1 - y, side - 1 - x) : (y, x) }
            x += right ? side : 0
            y += below ? side : 0
            rest >>= 2
        }
        self.init(zoom: zoom, x: x, y: y)
    }

    /// Returns the zoom of a tile id.
    package static func zoom(hilbertID id: UInt64) -> Int {
        var zoom = 0
        while zoom < 31 && firstHilbertID(zoom: zoom + 1) <= id { zoom += 1 }
        return zoom
    }
}
