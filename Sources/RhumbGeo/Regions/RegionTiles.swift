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
