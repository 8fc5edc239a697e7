internal import Glibc
internal import RhumbBase
internal import RhumbGeo

/// The relation of a feature to a shape: whether it is within the shape, or its distance from it.
struct StyleRelation: Sendable {
    /// Maximum number of positions of a shape, because each is compared with each position of a feature.
    static let pointLimit = 20_000

    private let isWithin: Bool
    private let shape: StyleShape

    /// Parses the argument of "within" or "distance"; nil if it is no GeoJSON with a suitable geometry.
    init?(_ name: String, _ json: JSON) {
        guard let shape = StyleShape(json), (1...Self.pointLimit).contains(shape.pointCount) else {
            return nil
        }
        isWithin = name == "within"
        guard !isWithin || !shape.polygons.isEmpty else { return nil }
        self.shape = shape
    }

    /// Returns the relation of the context's feature. Without a feature or its tile, nothing is within the
    /// shape, and a distance is not a number.
    func value(in context: inout StyleContext) -> StyleValue? {
        guard let tile = context.tile, let (feature, kind, extent) = context.readShape() else {
            return isWithin ? .bool(false) : .number(.nan)
        }
        let scale = FeatureScale(tile, extent)
        if isWithin { return .bool(isWithin(feature, kind, scale)) }
        return .number(StyleRuler.distance(from: scale.shape(feature, kind), to: shape))
    }

    /// Returns true if all points of a feature are inside of the polygons, and no line crosses their edges.
    private func isWithin(
        _ feature: VectorGeometry, _ kind: VectorFeature.Kind, _ scale: FeatureScale
    ) -> Bool {
        guard kind == .point || kind == .line, !feature.points.isEmpty else { return false }
        let polygons = shape.polygons.map { $0.map { $0.map(scale.position) } }
        let points = feature.points.map(scale.position)
        let parts =
            kind == .line
            ? (0..<feature.partCount).map { points[feature.part($0)] }
            : points.indices.map { points[$0...$0] }
        // The shape may extend beyond the edge of the world, where it begins again.
        return parts.allSatisfy { part in
            [0, -1, 1].contains { turn in
                let line = part.map { $0 + SIMD2(turn * scale.world, 0) }
                return polygons.contains { PlanePolygon.contains(line, $0) }
            }
        }
    }
}

/// Converts between the units of a tile, positions in the world and coordinates.
private struct FeatureScale {
    /// The units of a tile's side in which the reference implementation compares positions.
    private static let side = 8192.0
    private let corner: SIMD2<Double>
    private let count: Double
    private let extent: Double

    init(_ tile: TileID, _ extent: Int) {
        corner = SIMD2(Double(tile.x), Double(tile.y))
        count = Double(1 << tile.zoom)
        self.extent = Double(extent)
    }

    /// The width of the world.
    var world: Double { count * Self.side }

    /// Returns the position of a feature's point in the world.
    func position(_ point: VectorGeometry.Point) -> SIMD2<Double> {
        let inTile = SIMD2(Double(point.x), Double(point.y)) * (Self.side / extent)
        return inTile.rounded(.toNearestOrAwayFromZero) + corner * Self.side
    }

    /// Returns the position of a longitude and latitude in the world.
    func position(_ place: SIMD2<Double>) -> SIMD2<Double> {
        let angle = log(tan(Double.pi / 4 + place.y * Double.pi / 360))
        let share = SIMD2((180 + place.x) / 360, (1 - angle / Double.pi) / 2)
        return (share * world).rounded(.toNearestOrAwayFromZero)
    }

    /// Returns the longitude and latitude of a feature's point.
    private func place(_ point: VectorGeometry.Point) -> SIMD2<Double> {
        let world = (SIMD2(Double(point.x), Double(point.y)) / extent + corner) / count
        let angle = (1 - world.y * 2) * Double.pi
        return SIMD2(world.x * 360 - 180, 360 / Double.pi * atan(exp(angle)) - 90)
    }

    func shape(_ feature: VectorGeometry, _ kind: VectorFeature.Kind) -> StyleShape {
        let places = feature.points.map(place)
        switch kind {
        case .point: return StyleShape(points: places)
        case .line: return StyleShape(lines: (0..<feature.partCount).map { Array(places[feature.part($0)]) })
        case .polygon:
            return StyleShape(
                polygons: feature.polygons.map { $0.map { Array(places[$0]) + [places[$0.lowerBound]] } })
        case .unknown: return StyleShape()
        }
    }
}
