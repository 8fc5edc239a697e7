internal import RhumbCore
internal import RhumbTestSupport

/// A synthetic city for machines without the data folder. It has named streets in pieces between junctions,
/// houses, parks and a river, in the layers and attributes of Protomaps.
enum SyntheticCity {
    static let place = Coordinate(latitude: 43.7731, longitude: 11.2558)

    /// Writes an archive of its tiles.
    /// - Returns: The path of the file.
    static func write(into folder: TemporaryFolder) -> String {
        var archive = PMTilesFixture((12...14).flatMap { tiles(zoom: $0).map { ($0, body) } })
        archive.metadata = Array(
            #"{"name":"A city","vector_layers":[{"id":"roads"},{"id":"buildings"},{"id":"pois"}]}"#.utf8)
        // Header fields: vector tiles, not compressed.
        archive.patches = [(98, 1), (99, 1)]
        return folder.write(archive.bytes, to: "city.pmtiles")
    }

    private static func tiles(zoom: Int) -> [TileID] {
        let middle = TileID(zoom: zoom, containing: Mercator.world(place))
        return (-4...4).flatMap { down in
            (-4...4).compactMap { TileID(zoom: zoom, x: middle.x + $0, y: middle.y + down) }
        }
    }

    // MARK: The tile, which is the same everywhere

    private typealias Feature = VectorTileFixture.Feature

    private static let blocks = 24
    private static let block = 4096 / blocks

    static let body = VectorTileFixture([
        ("landuse", parks), ("water", [river]), ("buildings", houses), ("roads", streets), ("pois", sights),
    ]).bytes

    private static func eachBlock(_ make: (_ x: Int, _ y: Int) -> [Feature]) -> [Feature] {
        (0..<blocks).flatMap { row in (0..<blocks).flatMap { make($0 * block, row * block) } }
    }

    private static let streets = eachBlock { x, y in
        [
            Feature(
                .line, through: [(x, y), (x + block / 2, y + 9), (x + block, y)], kind(ofStreet: y, "Via")),
            Feature(
                .line, through: [(x, y), (x + 7, y + block / 2), (x, y + block)], kind(ofStreet: x, "Viale")),
        ]
    }

    private static func kind(ofStreet place: Int, _ word: String) -> [(String, VectorValue)] {
        let number = place / block, isMain = number % 6 == 0
        return [
            ("kind", .string(isMain ? "major_road" : "minor_road")),
            ("kind_detail", .string(isMain ? "primary" : "residential")),
            ("name", .string("\(word) \(number) Maggio")),
        ]
    }

    private static let houses = eachBlock { x, y in
        [(20, 20), (90, 20), (20, 90), (90, 90)].map { right, down in
            let left = x + right
            let top = y + down
            return Feature(
                .polygon,
                through: [(left, top), (left + 55, top + 3), (left + 52, top + 50), (left + 4, top + 48)],
                [("kind", .string("building")), ("height", .number(Double(right + down) / 5))])
        }
    }

    private static let parks = eachBlock { x, y in
        guard (x / block + y / block * 7) % 11 == 0 else { return [] }
        let corners = [(x, y), (x + block, y), (x + block, y + block), (x, y + block)]
        return [
            Feature(.polygon, through: corners, [("kind", .string("park")), ("name", .string("Parco \(x)"))])
        ]
    }

    private static let river = Feature(
        .line, through: (0...64).map { ($0 * 64, 2048 + ($0 % 9) * 20) },
        [("kind", .string("river")), ("name", .string("Fiume"))])

    private static let sights = eachBlock { x, y in
        guard (x / block * 5 + y / block) % 7 == 0 else { return [] }
        return [
            Feature(
                .point, through: [(x + 60, y + 70)],
                [("kind", .string("museum")), ("name", .string("Museo \(x + y)"))])
        ]
    }
}
