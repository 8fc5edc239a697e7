internal import RhumbGeo

/// An area whose motorways are known, so that a search in it can expect the speeds of other roads.
struct RoadArea {
    private typealias Box = (low: SIMD2<Float>, high: SIMD2<Float>)

    private let whole: Box
    /// The tiles with motorways.
    private let fast: [Box]
    private static let fastLimit = 12

    /// Returns nil without tiles, or if more than `fastLimit` have motorways: then few routes avoid them.
    /// - Parameters:
    ///   - tiles: All tiles of a rectangle.
    ///   - fast: Those with motorways.
    init?(_ tiles: [TileID], fast: [TileID]) {
        guard let first = tiles.first, let last = tiles.last, fast.count <= RoadArea.fastLimit else {
            return nil
        }
        whole = (RoadArea.box(first).low, RoadArea.box(last).high)
        self.fast = fast.map(RoadArea.box)
    }

    /// Returns the least distance in units from a position to a motorway, or to the border of the area.
    func distance(_ position: SIMD2<Int32>) -> Float {
        let spot = SIMD2<Float>(position)
        var least = max(min((spot - whole.low).min(), (whole.high - spot).min()), 0)
        for box in fast where least > 0 {
            let gap = pointwiseMax(pointwiseMax(box.low - spot, spot - box.high), .zero)
            least = min(least, (gap * gap).sum().squareRoot())
        }
        return least
    }

    private static func box(_ tile: TileID) -> Box {
        let low = SIMD2(Float(tile.x), Float(tile.y)) * Float(TileRoads.extent)
        return (low, low + Float(TileRoads.extent))
    }
}
