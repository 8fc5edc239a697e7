internal import Glibc
internal import RhumbBase

/// The area of a package.
public struct PackageArea: Hashable, Sendable {
    /// The polygons, each an outer ring and its holes. The first corner of a ring is not repeated at the end,
    /// and edges are straight in degrees. Across the antimeridian longitudes continue beyond ±180.
    public let polygons: [[[Position]]]
    private let west: Double
    private let south: Double
    private let east: Double
    private let north: Double

    /// Creates an area from polygons. Returns nil if there is no ring, a ring has fewer than three corners,
    /// or a number is out of range.
    public init?(polygons: [[[Position]]]) {
        var west = 540.0
        var south = 90.0
        var east = -540.0
        var north = -90.0
        for polygon in polygons {
            guard !polygon.isEmpty else { return nil }
            for ring in polygon {
                guard ring.count > 2 else { return nil }
                for corner in ring {
                    west = min(west, corner.longitude)
                    east = max(east, corner.longitude)
                    south = min(south, corner.latitude)
                    north = max(north, corner.latitude)
                }
            }
        }
        guard west >= -540, east <= 540, south >= -90, north <= 90, west <= east, east - west <= 360 else {
            return nil
        }
        self.polygons = polygons
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Creates the area of a box.
    public init?(_ box: Bounds) {
        let east = box.crossesAntimeridian ? box.east + 360 : box.east
        let corners = [(box.west, box.south), (east, box.south), (east, box.north), (box.west, box.north)]
        self.init(polygons: [[corners.map { Position(longitude: $0.0, latitude: $0.1) }]])
    }

    /// Creates an area from the polygons and boxes of a geometry; nil if it has other shapes.
    public init?(_ geometry: RegionGeometry) {
        var polygons: [[[Position]]] = []
        for shape in geometry.shapes {
            switch shape {
            case .polygon(let outer, let holes): polygons.append([outer] + holes)
            case .box(let box):
                guard let area = PackageArea(box) else { return nil }
                polygons += area.polygons
            case .circle, .corridor, .line, .point: return nil
            }
        }
        self.init(polygons: polygons)
    }

    /// The size of the area on a sphere of radius 1.
    public var size: Double {
        polygons.reduce(0) {
            $0 + 2 * PackageArea.size(of: $1[0]) - $1.reduce(0) { $0 + PackageArea.size(of: $1) }
        }
    }

    /// The smallest box around the area.
    public var bounds: Bounds {
        guard east - west < 360 else {
            return Bounds(west: -180, south: south, east: 180, north: north) ?? .world
        }
        let left = Coordinate.wrapped(longitude: west), right = Coordinate.wrapped(longitude: east)
        return Bounds(west: left, south: south, east: right == -180 ? 180 : right, north: north) ?? .world
    }

    /// Returns the area as a geometry for a region.
    /// - Throws: `RegionGeometryFailure` if a ring crosses itself or lies beyond the map.
    public func geometry() throws(RegionGeometryFailure) -> RegionGeometry {
        try RegionGeometry(polygons.map { .polygon(outer: $0[0], holes: Array($0.dropFirst())) })
    }

    /// Returns true if the area contains the place. Edges belong to the area.
    public func contains(_ place: Coordinate) -> Bool {
        copies(of: place).contains { corner in
            guard corner.longitude >= west, corner.longitude <= east, corner.latitude >= south,
                corner.latitude <= north
            else { return false }
            return polygons.contains { PackageArea.side(of: corner, $0) != .outside }
        }
    }

    /// Returns the distance of the place in degrees of latitude, on a map that is true to scale at the place;
    /// 0 inside.
    public func distance(to place: Coordinate) -> Double {
        contains(place) ? 0 : nearestEdge(to: place).degrees
    }

    /// Returns the nearest point of the edges, and its distance as in `distance(to:)`.
    package func nearestEdge(to place: Coordinate) -> (point: Coordinate, degrees: Double) {
        var best = (point: place, squared: Double.infinity)
        for corner in copies(of: place) where distanceToBox(corner) * distanceToBox(corner) < best.squared {
            for ring in polygons.joined() {
                let (point, squared) = PackageArea.nearest(corner, ring)
                if squared < best.squared { best = (point.coordinate, squared) }
            }
        }
        return (best.point, best.squared.squareRoot())
    }

    /// Returns a lower limit of the distance.
    package func distanceToBox(_ place: Coordinate) -> Double {
        let corner = Position(longitude: place.longitude, latitude: place.latitude)
        return min(
            distanceToBox(corner), distanceToBox(corner, eastward: 360), distanceToBox(corner, eastward: -360)
        )
    }

    private func distanceToBox(_ corner: Position, eastward degrees: Double = 0) -> Double {
        let longitude = corner.longitude + degrees
        let gap = max(west - longitude, longitude - east, 0),
            y = max(south - corner.latitude, corner.latitude - north, 0)
        let x = gap > 0 ? gap * PackageArea.shrinking(at: corner) : 0
        return (x * x + y * y).squareRoot()
    }

    /// Returns the place on each copy of the world on which rings may lie.
    private func copies(of place: Coordinate) -> [Position] {
        [-360.0, 0, 360].map { Position(longitude: place.longitude + $0, latitude: place.latitude) }
    }
}

/// Computations on single rings.
extension PackageArea {
    /// Returns the length of a degree of longitude relative to one of latitude.
    static func shrinking(at corner: Position) -> Double { max(cos(corner.latitude.radians), 0.01) }

    /// Returns the side of a position relative to a polygon, edges with a tolerance of a centimetre.
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
        var heights = ring.map { sin($0.latitude.radians) }
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

/// Reads the area of a package: a box, or a Polygon or MultiPolygon of GeoJSON.
struct PackageAreaReader {
    let package: String

    func area(_ value: JSON?) throws(PackageCatalogFailure) -> PackageArea? {
        guard let value else { return nil }
        if let numbers = value.array { return try box(numbers) }
        guard let area = PackageArea(polygons: try polygons(value)) else {
            throw wrong("has a ring of fewer than three corners, or corners out of range")
        }
        return area
    }

    private func wrong(_ problem: String) -> PackageCatalogFailure {
        .member(package: package, "area", problem)
    }

    private func box(_ numbers: [JSON]) throws(PackageCatalogFailure) -> PackageArea {
        guard let box = Bounds(json: .array(numbers)), let area = PackageArea(box) else {
            throw wrong("is not a box [west, south, east, north]")
        }
        return area
    }

    private func polygons(_ value: JSON) throws(PackageCatalogFailure) -> [[[Position]]] {
        let coordinates = value["coordinates"]?.array
        switch value["type"]?.string {
        case "Polygon": return [try polygon(value["coordinates"])]
        case "MultiPolygon":
            var polygons: [[[Position]]] = []
            for item in coordinates ?? [] { polygons.append(try polygon(item)) }
            guard !polygons.isEmpty else { throw wrong("has no polygon") }
            return polygons
        default: throw wrong("is neither a box, nor a Polygon, nor a MultiPolygon")
        }
    }

    private func polygon(_ value: JSON?) throws(PackageCatalogFailure) -> [[Position]] {
        guard let items = value?.array, !items.isEmpty else { throw wrong("has a polygon without rings") }
        var rings: [[Position]] = []
        for item in items { rings.append(try ring(item)) }
        return rings
    }

    private func ring(_ value: JSON) throws(PackageCatalogFailure) -> [Position] {
        guard let items = value.array else { throw wrong("has a ring that is not an array") }
        var ring: [Position] = []
        ring.reserveCapacity(items.count)
        for item in items {
            guard let numbers = item.array, numbers.count >= 2, let x = numbers[0].double,
                let y = numbers[1].double
            else {
                throw wrong("has a corner that is not two numbers")
            }
            ring.append(Position(longitude: x, latitude: y))
        }
        guard ring.count > 3, ring.first == ring.last else { throw wrong("has a ring that does not close") }
        ring.removeLast()
        return ring
    }
}
