/// A tile, or a tile to divide, with its position in the order by distance.
struct QueuedTile: Comparable, Sendable {
    let node: TileQuadtree.Node
    /// The square of the distance to its nearest part, in tiles.
    let nearest: Int
    let isTile: Bool

    init(_ node: TileQuadtree.Node, nearest: Int, isTile: Bool) {
        self.node = node
        self.nearest = nearest
        self.isTile = isTile
    }

    /// Orders by distance, then tiles to divide first, then by row and column.
    static func < (a: QueuedTile, b: QueuedTile) -> Bool {
        if a.nearest != b.nearest { return a.nearest < b.nearest }
        if a.isTile != b.isTile { return b.isTile }
        return (a.node.y, a.node.x) < (b.node.y, b.node.x)
    }

    static func == (a: QueuedTile, b: QueuedTile) -> Bool { !(a < b) && !(b < a) }
}

/// Squared distances from a tile to others of its zoom, in rows and in columns by the shorter way around the
/// world.
struct Distance {
    private let middle: TileID

    init(from middle: TileID) { self.middle = middle }

    /// Returns the distance to the nearest part of a tile of this or a lower zoom.
    func nearest(to node: TileQuadtree.Node) -> Int {
        let (columns, rows) = spans(node)
        let dx = columns.contains(middle.x) ? 0 : min(turn(columns.lowerBound), turn(columns.upperBound))
        let dy = max(rows.lowerBound - middle.y, middle.y - rows.upperBound, 0)
        return dx * dx + dy * dy
    }

    /// Returns the distance to the farthest part.
    func farthest(from node: TileQuadtree.Node) -> Int {
        let (columns, rows) = spans(node)
        let half = 1 << middle.zoom / 2
        let opposite = (middle.x + half) & ((1 << middle.zoom) - 1)
        let dx = columns.contains(opposite) ? half : max(turn(columns.lowerBound), turn(columns.upperBound))
        let dy = max(middle.y - rows.lowerBound, rows.upperBound - middle.y)
        return dx * dx + dy * dy
    }

    private func spans(_ node: TileQuadtree.Node) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let shift = middle.zoom - node.zoom, last = (1 << shift) - 1
        return (node.x << shift...(node.x << shift) + last, node.y << shift...(node.y << shift) + last)
    }

    private func turn(_ x: Int) -> Int {
        let apart = abs(x - middle.x)
        return min(apart, (1 << middle.zoom) - apart)
    }
}
