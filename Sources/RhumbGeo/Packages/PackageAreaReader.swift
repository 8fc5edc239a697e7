internal import RhumbBase

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
        let edges = numbers.compactMap(\.double)
        guard edges.count == 4, numbers.count == 4,
            let box = Bounds(west: edges[0], south: edges[1], east: edges[2], north: edges[3]),
            let area = PackageArea(box)
        else { throw wrong("is not a box [west, south, east, north]") }
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
