/// The tiles of a source that a geometry touches: counted without listing them, and gone through
/// with little memory, however many they are.
public struct RegionTileSet: Sendable {
    /// Which tiles belong to it.
    public enum Packing: Sendable, Hashable, CaseIterable {
        /// All tiles of every pack that is touched, so that the region is usable zoomed out.
        case wholePacks
        /// Only the tiles that are touched.
        case exact
    }

    /// The zooms it has tiles of, ascending: of whole packs more than was asked for; none if the
    /// source has none of those asked for.
    public let zooms: [Int]
    /// The tiles taken of each pack.
    public let packing: Packing
    let tree: TileQuadtree
    private let clip: [TileGridRect]?

    /// A tile counts when the geometry has a part of its inside; a bare line or point counts the
    /// tiles it touches.
    /// - Parameters:
    ///   - available: the zooms the source has.
    ///   - bounds: the ground the source has tiles for; nil for no limit.
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

    /// The zoom from which on all parts of a touched tile belong to the cover.
    private func wholeFrom(_ zoom: Int) -> Int {
        packing == .exact ? zoom : ZoomGroup(containing: zoom).lowest
    }

    /// Whether the tile belongs to the cover.
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

    /// How many tiles there are of each zoom.
    public func counts() -> TileCounts { counts(visiting: TileCounter.budget) }

    func counts(visiting budget: Int) -> TileCounts {
        let zooms = zooms.map { (zoom: $0, wholeFrom: wholeFrom($0)) }
        return TileCounter(tree: tree, zooms: zooms, clip: clip).counts(visiting: budget)
    }

    /// All tiles, low zooms first, within a zoom the nearest to `center` first. Memory grows with
    /// the root of their number: some 10 MB where a zoom has a thousand million.
    /// - Parameters:
    ///   - center: nil for the middle of the geometry's bounds.
    ///   - last: go on after this tile; nil to begin with the first.
    public func tiles(around center: Coordinate? = nil, after last: TileID? = nil) -> RegionTiles {
        let steps = zooms.map { zoom in
            RegionTiles.Step(
                zoom: zoom, wholeFrom: wholeFrom(zoom), clip: clip.map { TileRanges($0, zoom: zoom) })
        }
        return RegionTiles(tree: tree, steps: steps, center: center ?? tree.shape.bounds.center, after: last)
    }
}
