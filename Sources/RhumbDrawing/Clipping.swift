internal import RhumbCore

/// A rectangle for clipping shapes. It skips distant parts, which make up most of an enlarged tile.
struct ClipBox {
    let low: SIMD2<Double>
    let high: SIMD2<Double>

    /// Creates a square at the origin, with a margin around it.
    init(side: Double, margin: Double) {
        low = SIMD2(repeating: -margin)
        high = SIMD2(repeating: side + margin)
    }

    /// Creates the box of the visible pixels; unbounded if nil.
    init(_ seen: PixelBox?) {
        low =
            seen.map { SIMD2(Double($0.x.lowerBound), Double($0.y.lowerBound)) }
            ?? SIMD2(repeating: -.infinity)
        high =
            seen.map { SIMD2(Double($0.x.upperBound), Double($0.y.upperBound)) }
            ?? SIMD2(repeating: .infinity)
    }

    /// Returns true if a shape may touch the box.
    /// - Parameters:
    ///   - least: The minimum x and y of the shape.
    ///   - greatest: The maximum x and y of the shape.
    ///   - reach: Maximum distance of a mark from the shape.
    func isTouched(from least: SIMD2<Double>, to greatest: SIMD2<Double>, reach: Double) -> Bool {
        all(greatest .>= low - reach) && all(least .<= high + reach)
    }

    func contains(_ point: SIMD2<Double>) -> Bool { all(point .>= low) && all(point .<= high) }

    enum Relation { case inside, across, outside }

    /// Returns the relation of a bounding box to this box.
    func relation(of least: SIMD2<Double>, _ greatest: SIMD2<Double>) -> Relation {
        if all(least .>= low) && all(greatest .<= high) { return .inside }
        return any(greatest .< low) || any(least .> high) ? .outside : .across
    }

    /// Returns the part of a segment inside the box; nil if there is none.
    func part(from a: SIMD2<Double>, to b: SIMD2<Double>) -> (SIMD2<Double>, SIMD2<Double>)? {
        guard let part = PlaneGeometry.part(from: a, to: b, within: low, high) else { return nil }
        let along = b - a, start = part.lowerBound, end = part.upperBound
        return (start == 0 ? a : a + along * start, end == 1 ? b : a + along * end)
    }

    /// Clips a ring edge by edge (Sutherland–Hodgman); empty if nothing is left.
    func ring(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
        var ring = points
        for axis in 0..<2 {
            ring = cut(ring) { $0[axis] - low[axis] }
            ring = cut(ring) { high[axis] - $0[axis] }
        }
        return ring
    }

    /// Returns the part of a ring where `depth` is not negative.
    private func cut(_ ring: [SIMD2<Double>], _ depth: (SIMD2<Double>) -> Double) -> [SIMD2<Double>] {
        guard var last = ring.last else { return [] }
        var clipped: [SIMD2<Double>] = []
        var lastDepth = depth(last)
        for point in ring {
            let here = depth(point)
            if (here >= 0) != (lastDepth >= 0) {
                clipped.append(last + (point - last) * (lastDepth / (lastDepth - here)))
            }
            if here >= 0 { clipped.append(point) }
            last = point
            lastDepth = here
        }
        return clipped
    }
}
