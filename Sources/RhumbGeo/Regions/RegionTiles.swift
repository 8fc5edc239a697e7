internal import RhumbBase

/// The tiles of a set in the best order for a download: low zooms first, within a zoom the nearest first
/// (around the world, as on the map), at equal distance by row and column. Iteration can begin after any
/// tile, at the cost of a walk along the edges.
public struct RegionTiles: Sequence, IteratorProtocol, Sendable {
    struct Step: Sendable {
        let zoom: Int
        /// The zoom from which on all parts of a touched tile belong to the set.
        let wholeFrom: Int
        let clip: TileRanges?
    }

    private let tree: TileQuadtree
    private let center: Coordinate
    private var steps: ArraySlice<Step>
    private var current: NearestTiles?

    init(tree: TileQuadtree, steps: [Step], center: Coordinate, after last: TileID?) {
        self.tree = tree
        self.center = center
        self.steps = steps.drop { $0.zoom < last?.zoom ?? 0 }
        if let last, self.steps.first?.zoom == last.zoom { begin(after: last) }
    }

    private mutating func begin(after last: TileID?) {
        guard let step = steps.popFirst() else { return current = nil }
        current = NearestTiles(tree: tree, step: step, center: center, after: last)
    }

    /// Returns the next tile; nil after the last.
    public mutating func next() -> TileID? {
        while true {
            if let tile = current?.next() { return tile }
            if steps.isEmpty { return nil }
            begin(after: nil)
        }
    }
}

/// The tiles of one zoom, the nearest first. Repeatedly divides the known touched tile whose nearest part is
/// nearest, until it is of that zoom.
struct NearestTiles: Sendable {
    private let tree: TileQuadtree
    private let step: RegionTiles.Step
    private let middle: TileID
    /// The tile to begin after, as a position in the order.
    private let last: QueuedTile?
    private var waiting = Heap<QueuedTile>()

    init(tree: TileQuadtree, step: RegionTiles.Step, center: Coordinate, after last: TileID?) {
        self.tree = tree
        self.step = step
        let middle = TileID(zoom: step.zoom, containing: Mercator.world(center))
        self.middle = middle
        self.last = last.map { tile in
            let node = TileQuadtree.Node(tile)
            return QueuedTile(node, nearest: Distance(from: middle).nearest(to: node), isTile: true)
        }
        add(tree.root)
    }

    mutating func next() -> TileID? {
        while let queued = waiting.popFirst() {
            if queued.isTile { return queued.node.tile }
            for child in tree.children(of: queued.node) { add(child) }
        }
        return nil
    }

    private mutating func add(_ node: TileQuadtree.Node) {
        guard node.isTouched, step.clip.map({ $0.count(within: node) > 0 }) ?? true else { return }
        let node = node.zoom == step.wholeFrom && !node.edges.isEmpty ? node.wholly : node
        let distance = Distance(from: middle)
        let queued = QueuedTile(node, nearest: distance.nearest(to: node), isTile: node.zoom == step.zoom)
        if let last {
            if queued.isTile ? !(last < queued) : distance.farthest(from: node) < last.nearest { return }
        }
        waiting.insert(queued)
    }
}

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
