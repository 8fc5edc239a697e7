internal import RhumbBase

/// The tiles of a source that a geometry touches. They are counted without listing them, and iterated with
/// little memory.
public struct RegionTileSet: Sendable {
    /// The rule that decides which tiles belong to the set.
    public enum Packing: Sendable, Hashable, CaseIterable {
        /// All tiles of every touched pack, so that the region is usable at lower zooms.
        case wholePacks
        /// Only the touched tiles.
        case exact
    }

    /// The zooms of its tiles, ascending. Whole packs may add zooms to the requested ones. Empty if the
    /// source has none of the requested zooms.
    public let zooms: [Int]
    /// The rule of this set.
    public let packing: Packing
    let tree: TileQuadtree
    private let clip: [TileGridRect]?

    /// Creates a set. A tile belongs to it if the geometry covers a part of its inside, or if a line or point
    /// touches it.
    /// - Parameters:
    ///   - available: The zooms of the source.
    ///   - bounds: The area of the source; nil for no limit.
    public init(
        _ geometry: RegionGeometry, zooms: ZoomRange,
        available: ClosedRange<Int> = 0...TileID.maximumZoom, bounds: Bounds? = nil,
        packing: Packing = .exact
    ) {
        self.init(
            geometry, levels: Array(zooms.zooms), available: available, bounds: bounds, packing: packing)
    }

    /// - Parameter levels: The zooms, ascending; they may have gaps.
    init(
        _ geometry: RegionGeometry, levels: [Int], available: ClosedRange<Int>, bounds: Bounds?,
        packing: Packing
    ) {
        let wanted = levels.filter(available.contains)
        switch packing {
        case .exact: self.zooms = wanted
        case .wholePacks:
            let groups = Set(wanted.map(ZoomGroup.init(containing:)))
            self.zooms = groups.sorted().flatMap { $0.zooms.filter(available.contains) }
        }
        self.packing = packing
        tree = TileQuadtree(geometry)
        clip = bounds.map { $0.worldBoxes.map(TileGridRect.init) }
    }

    /// Returns the zoom from which on all parts of a touched tile belong to the set.
    private func wholeFrom(_ zoom: Int) -> Int {
        packing == .exact ? zoom : ZoomGroup(containing: zoom).lowest
    }

    /// Returns true if the set contains the tile.
    public func contains(_ tile: TileID) -> Bool {
        guard zooms.contains(tile.zoom), clip.map({ TileRanges($0, zoom: tile.zoom) })?.holds(tile) != false
        else { return false }
        let deepest = wholeFrom(tile.zoom)
        var node = tree.root
        while node.isTouched && !node.isWhole && node.zoom < deepest {
            guard let next = tree.child(of: node, towards: tile) else { return false }
            node = next
        }
        return node.isTouched
    }

    /// Returns the number of tiles at each zoom.
    public func counts() -> TileCounts { counts(visiting: TileCounter.budget) }

    func counts(visiting budget: Int) -> TileCounts {
        let zooms = zooms.map { (zoom: $0, wholeFrom: wholeFrom($0)) }
        return TileCounter(tree: tree, zooms: zooms, clip: clip).counts(visiting: budget)
    }

    /// Returns all tiles, low zooms first, and within a zoom the nearest to `center` first. The memory grows
    /// with the square root of their number: about 10 MB for a thousand million tiles at a zoom.
    /// - Parameters:
    ///   - center: The centre of the order; nil for the middle of the geometry's bounds.
    ///   - last: The tile after which to continue; nil to begin with the first.
    public func tiles(around center: Coordinate? = nil, after last: TileID? = nil) -> RegionTiles {
        let steps = zooms.map { zoom in
            RegionTiles.Step(
                zoom: zoom, wholeFrom: wholeFrom(zoom), clip: clip.map { TileRanges($0, zoom: zoom) })
        }
        return RegionTiles(tree: tree, steps: steps, center: center ?? tree.shape.bounds.center, after: last)
    }
}

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
