extension RegionShape {
    /// Throws a failure if the shape by itself is invalid.
    func check() throws(RegionGeometryFailure) {
        for (index, position) in positions.enumerated() { try position.check(index) }
        switch self {
        case .box, .point: return
        case .polygon(let outer, let holes): try RegionShape.check([outer] + holes)
        case .line(let line):
            guard line.count > 1 else { throw .empty("a line has fewer than two points") }
        case .circle(_, let radius):
            try RegionShape.check("the radius", radius, upTo: RegionGeometry.largestRadius)
        case .corridor(let line, let halfWidth):
            guard !line.isEmpty else { throw .empty("a corridor has no line") }
            try RegionShape.check("half the width", halfWidth, upTo: RegionGeometry.largestHalfWidth)
        }
    }

    private static func check(
        _ name: String, _ metres: Double, upTo limit: Double
    ) throws(RegionGeometryFailure) {
        guard metres > 0, metres <= limit else {
            throw .size(
                "\(name) is \(metres) m; use more than 0 m and at most "
                    + "\(Int(limit)) m")
        }
    }

    private static func check(_ rings: [[Position]]) throws(RegionGeometryFailure) {
        for (index, ring) in rings.enumerated() {
            guard ring.count > 2 else { throw .empty("ring \(index) has fewer than three corners") }
            let longitudes = ring.map(\.longitude)
            let span = (longitudes.max() ?? 0) - (longitudes.min() ?? 0)
            guard span <= 360 else { throw .tooWide }
            if let crossing = try SelfIntersection.first(in: ring) {
                throw .selfCrossing(ring: index, near: crossing.coordinate)
            }
            if index == 0 && signedArea(of: ring.map(\.world)) == 0 {
                throw .empty("ring 0 has no area on the map")
            }
        }
    }
}

extension Position {
    fileprivate func check(_ index: Int) throws(RegionGeometryFailure) {
        guard (-540.0...540).contains(longitude), (-90.0...90).contains(latitude) else {
            throw .position("corner \(index) is at longitude \(longitude), latitude \(latitude)")
        }
    }
}

/// Returns twice the area of a ring; negative if it runs anticlockwise on the map (y downward).
func signedArea(of ring: [WorldPoint]) -> Double {
    guard let origin = ring.first, var before = ring.last else { return 0 }
    var sum = 0.0
    for corner in ring {
        sum += (before.x - origin.x) * (corner.y - origin.y) - (corner.x - origin.x) * (before.y - origin.y)
        before = corner
    }
    return sum
}
