public import RhumbGeo

/// Search for features at a position.
extension OverlayIndex {
    /// Returns the indices of the features at a position: points, then lines within reach, nearest first,
    /// then areas that contain the position.
    /// - Parameter reach: Maximum distance, in widths of the world.
    public func features(
        at place: WorldPoint, reach: Double, limit: Int = 20, withPoints: Bool = true
    ) -> [Int] {
        let here = place.wrapped
        let box = WorldBox(
            minX: here.x - reach, minY: here.y - reach, maxX: here.x + reach, maxY: here.y + reach)
        var near: [(slot: Int, kind: Int, apart: Double)] = (withPoints ? points(in: box) : []).compactMap {
            slot in
            guard case .point(let point) = features[slot].shape else { return nil }
            let apart = SIMD2(point.wrapped.x - here.x, point.y - here.y).length
            return apart <= reach ? (slot, 0, apart) : nil
        }
        for (slot, turns) in shapes(touching: box) {
            let place = SIMD2(here.x - turns, here.y)
            switch features[slot].shape {
            case .point: continue
            case .line(let paths):
                let apart = paths.map { $0.distance(to: place, within: reach) }.min() ?? .infinity
                if apart <= reach { near.append((slot, 1, apart)) }
            case .area(let areas):
                let holding = areas.contains { rings in rings.count { $0.encloses(place) } % 2 == 1 }
                if holding { near.append((slot, 2, 0)) }
            }
        }
        return near.sorted { ($0.kind, $0.apart, $0.slot) < ($1.kind, $1.apart, $1.slot) }.prefix(limit).map(
            \.slot)
    }
}

extension OverlayPath {
    /// Returns the distance of the line to a position, in widths of the world; infinite if it is out of
    /// reach.
    func distance(to place: SIMD2<Double>, within reach: Double) -> Double {
        let level = level(within: reach / 4)
        if level.points.count == 1 { return (level.points[0] - place).length }
        var nearest = Double.infinity
        for piece in level.pieces
        where all(piece.least - reach .<= place) && all(piece.greatest + reach .>= place) {
            for at in piece.points.dropFirst() {
                nearest = min(
                    nearest, PlaneGeometry.nearest(place, level.points[at - 1], level.points[at]).distance)
            }
        }
        return nearest
    }

    /// Returns true if a position is inside the ring.
    func encloses(_ place: SIMD2<Double>) -> Bool {
        all(least .<= place) && all(greatest .>= place) && PlaneGeometry.encloses(points, place)
    }
}
