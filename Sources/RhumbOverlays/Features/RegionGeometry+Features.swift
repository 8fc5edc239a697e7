public import RhumbGeo

extension RegionGeometry {
    /// Creates the geometry of features, with positions rounded to a centimetre.
    /// - Throws: `RegionGeometryFailure`, also if there are no features.
    public init(_ features: [OverlayFeature]) throws(RegionGeometryFailure) {
        let shapes = features.flatMap(\.regionShapes)
        guard !shapes.isEmpty else { throw .empty("no track, route, point or area") }
        try self.init(shapes)
    }
}

extension OverlayFeature {
    fileprivate var regionShapes: [RegionShape] {
        switch shape {
        case .point(let point): return [.point(Self.position(SIMD2(point.x, point.y), wraps: true))]
        case .line(let paths):
            return paths.filter { !$0.points.isEmpty }.map {
                let positions = $0.points.map { Self.position($0, wraps: true) }
                return positions.count > 1 ? .line(positions) : .point(positions[0])
            }
        case .area(let areas):
            return areas.compactMap { rings in
                let rings = rings.map { $0.points.map { Self.position($0, wraps: false) } }
                return rings.first.map { .polygon(outer: $0, holes: Array(rings.dropFirst())) }
            }
        }
    }

    /// - Parameter wraps: True to wrap the longitude to ±180, which is not required for rings.
    private static func position(_ point: SIMD2<Double>, wraps: Bool) -> Position {
        let latitude = Mercator.coordinate(WorldPoint(x: 0.5, y: point.y)).latitude,
            longitude = point.x * 360 - 180
        func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        return Position(
            longitude: rounded(wraps ? Coordinate.wrapped(longitude: longitude) : longitude),
            latitude: rounded(latitude))
    }
}
