internal import RhumbBase

/// Counts the tiles of a set by walking along the edges of the shape only; the inside is computed.
struct TileCounter {
    let tree: TileQuadtree
    /// The zooms, each with the zoom from which on all parts of a touched tile count.
    let zooms: [(zoom: Int, wholeFrom: Int)]
    let clip: [TileGridRect]?

    /// The maximum number of visited tiles along edges: about one second of work.
    static let budget = 1 << 22

    /// Returns the counts. Zooms that would exceed the budget get an upper limit.
    func counts(visiting budget: Int = budget) -> TileCounts {
        var counts = TileCounts()
        if let boxes = tree.shape.boxes, zooms.allSatisfy({ $0.zoom == $0.wholeFrom }) {
            for (zoom, _) in zooms { counts[zoom] = rectangles(boxes, zoom) }
            return counts
        }
        let deepest = min(zooms.map(\.wholeFrom).max() ?? 0, deepest(visiting: budget))
        counts.isExact = zooms.allSatisfy { $0.wholeFrom <= deepest }
        let walk = Walk(
            tree: tree, zooms: zooms, deepest: deepest,
            ranges: zooms.map { pair in
                clip.map { TileRanges($0, zoom: pair.zoom) }
            })
        for (index, count) in walk.counts().enumerated() { counts[zooms[index].zoom] = count }
        return counts
    }

    private func rectangles(_ boxes: [TileGridRect], _ zoom: Int) -> Int {
        let own = TileRanges(boxes, zoom: zoom)
        return clip.map { own.count(within: TileRanges($0, zoom: zoom)) } ?? own.count
    }

    private func deepest(visiting budget: Int) -> Int {
        let length = tree.shape.length
        return (0...TileID.maximumZoom).last { length >> (31 - $0) <= budget } ?? 0
    }
}

/// A walk down the tree that counts all zooms at once.
private struct Walk {
    let tree: TileQuadtree
    let zooms: [(zoom: Int, wholeFrom: Int)]
    let deepest: Int
    let ranges: [TileRanges?]

    func counts() -> [Int] {
        var counts = Array(repeating: 0, count: zooms.count)
        let root = tree.root
        if root.isTouched { visit(root, &counts) }
        return counts
    }

    private func visit(_ node: TileQuadtree.Node, _ counts: inout [Int]) {
        for index in zooms.indices where isSettled(node, at: index) {
            counts[index] = counts[index].saturatingAdd(parts(of: node, at: index))
        }
        guard !node.isWhole, node.zoom < deepest else { return }
        for child in tree.children(of: node) { visit(child, &counts) }
    }

    /// Returns true if the node's parts are counted here, not at a tile above or below.
    private func isSettled(_ node: TileQuadtree.Node, at index: Int) -> Bool {
        let end = min(zooms[index].wholeFrom, deepest)
        return node.isWhole ? node.zoom <= end : node.zoom == end
    }

    private func parts(of node: TileQuadtree.Node, at index: Int) -> Int {
        if let ranges = ranges[index] { return ranges.count(within: node) }
        return 1 << (2 * (zooms[index].zoom - node.zoom))
    }
}
