internal import Glibc

/// Computations on single rings.
extension PackageArea {
    /// Returns the length of a degree of longitude relative to one of latitude.
    static func shrinking(at corner: Position) -> Double { max(cos(corner.latitude * .pi / 180), 0.01) }

    static func surrounds(_ ring: [Position], _ place: Position) -> Bool {
        var isInside = false
        forEachEdge(of: ring) { a, b in
            guard (a.latitude > place.latitude) != (b.latitude > place.latitude) else { return }
            let share = (place.latitude - a.latitude) / (b.latitude - a.latitude)
            if place.longitude < a.longitude + share * (b.longitude - a.longitude) { isInside.toggle() }
        }
        return isInside
    }

    static func touches(_ ring: [Position], _ place: Position) -> Bool {
        var isOnEdge = false
        forEachEdge(of: ring) { a, b in
            guard place.latitude >= min(a.latitude, b.latitude),
                place.latitude <= max(a.latitude, b.latitude),
                place.longitude >= min(a.longitude, b.longitude),
                place.longitude <= max(a.longitude, b.longitude)
            else { return }
            let cross =
                (b.longitude - a.longitude) * (place.latitude - a.latitude)
                - (b.latitude - a.latitude) * (place.longitude - a.longitude)
            if abs(cross) < 1e-12 { isOnEdge = true }
        }
        return isOnEdge
    }

    static func squaredDistance(_ place: Position, _ ring: [Position]) -> Double {
        nearest(place, ring).squared
    }

    /// Returns the nearest point of a ring, and its squared distance in degrees of latitude.
    static func nearest(_ place: Position, _ ring: [Position]) -> (point: Position, squared: Double) {
        let scale = shrinking(at: place)
        var nearest = (point: place, squared: Double.infinity)
        forEachEdge(of: ring) { a, b in
            let x = (b.longitude - a.longitude) * scale, y = b.latitude - a.latitude
            let px = (place.longitude - a.longitude) * scale, py = place.latitude - a.latitude
            let length = x * x + y * y
            let along = length == 0 ? 0 : min(max((px * x + py * y) / length, 0), 1)
            let dx = px - along * x, dy = py - along * y
            guard dx * dx + dy * dy < nearest.squared else { return }
            let point = Position(
                longitude: a.longitude + along * (b.longitude - a.longitude), latitude: a.latitude + along * y
            )
            nearest = (point, dx * dx + dy * dy)
        }
        return nearest
    }

    /// Returns the area that a ring encloses on a sphere of radius 1.
    static func size(of ring: [Position]) -> Double {
        var sum = 0.0
        var heights = ring.map { sin($0.latitude * .pi / 180) }
        heights.append(heights[0])
        for at in ring.indices {
            let next = at + 1 == ring.count ? 0 : at + 1
            sum += (ring[next].longitude - ring[at].longitude) * (heights[at] + heights[at + 1])
        }
        return abs(sum) * .pi / 360
    }

    private static func forEachEdge(of ring: [Position], _ body: (Position, Position) -> Void) {
        guard var before = ring.last else { return }
        for corner in ring {
            body(before, corner)
            before = corner
        }
    }
}
