/// The packs that a geometry and a range of zooms touch. Their number doesn't depend on whether packs are
/// stored whole.
public struct PackSet: Sendable {
    /// The groups, the lowest zooms first.
    public let groups: [ZoomGroup]
    private let tree: TileQuadtree
    private let clip: [TileGridRect]?

    /// - Parameters:
    ///   - available: The zooms of the source.
    ///   - bounds: The area of the source; nil for no limit.
    public init(
        _ geometry: RegionGeometry, zooms: ZoomRange,
        available: ClosedRange<Int> = 0...TileID.maximumZoom, bounds: Bounds? = nil
    ) {
        self.init(geometry, levels: Array(zooms.zooms), available: available, bounds: bounds)
    }

    /// - Parameter levels: The zooms, which may have gaps.
    init(_ geometry: RegionGeometry, levels: [Int], available: ClosedRange<Int>, bounds: Bounds?) {
        let wanted = levels.filter(available.contains)
        groups = Set(wanted.map(ZoomGroup.init(containing:))).sorted()
        tree = TileQuadtree(geometry)
        clip = bounds.map { $0.worldBoxes.map(TileGridRect.init) }
    }

    /// Returns the number of packs in each group, by the group's lowest zoom.
    public func counts() -> TileCounts {
        let zooms = groups.map { (zoom: $0.lowest, wholeFrom: $0.lowest) }
        return TileCounter(tree: tree, zooms: zooms, clip: clip).counts()
    }

    /// Returns all packs, low zooms first, and within a group the nearest to `center` first.
    /// - Parameters:
    ///   - center: The centre; nil for the middle of the geometry's bounds.
    ///   - last: The pack to continue after; nil to start with the first.
    public func packs(
        around center: Coordinate? = nil, after last: TilePack? = nil
    ) -> some Sequence<TilePack> {
        let steps = groups.map { group in
            RegionTiles.Step(
                zoom: group.lowest, wholeFrom: group.lowest,
                clip: clip.map { TileRanges($0, zoom: group.lowest) })
        }
        let middle = center ?? tree.shape.bounds.center
        return RegionTiles(tree: tree, steps: steps, center: middle, after: last?.top).lazy
            .map(TilePack.init(containing:))
    }
}
