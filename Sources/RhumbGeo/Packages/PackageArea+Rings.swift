internal import Glibc

/// Computations on single rings.
extension PackageArea {
    /// Returns the length of a degree of longitude relative to one of latitude.
    static func shrinking(at corner: Position) -> Double { max(cos(corner.latitude * .pi / 180), 0.01) }

    /// Returns the place of a position relative to a polygon, edges with a tolerance of a centimetre.
    static func side(of place: Position, _ polygon: [[Position]]) -> PlaneGeometry.Side {
        PlaneGeometry.side(of: place.plane, polygon.lazy.map { $0.lazy.map(\.plane) }, tolerance: 1e-12)
    }

    static func squaredDistance(_ place: Position, _ ring: [Position]) -> Double {
        nearest(place, ring).squared
    }

    /// Returns the nearest point of a ring, and its squared distance in degrees of latitude.
    static func nearest(_ place: Position, _ ring: [Position]) -> (point: Position, squared: Double) {
        guard var before = ring.last else { return (place, .infinity) }
        let scale = SIMD2(shrinking(at: place), 1), here = place.plane * scale
        var nearest = (point: place, distance: Double.infinity)
        for corner in ring {
            let (share, distance) = PlaneGeometry.nearest(here, before.plane * scale, corner.plane * scale)
            if distance < nearest.distance {
                let point = before.plane + (corner.plane - before.plane) * share
                nearest = (Position(longitude: point.x, latitude: point.y), distance)
            }
            before = corner
        }
        return (nearest.point, nearest.distance * nearest.distance)
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
}

extension Position {
    /// The degrees east and north.
    fileprivate var plane: PlaneGeometry.Point { PlaneGeometry.Point(longitude, latitude) }
}
