import RhumbCore
import RhumbTestSupport

/// A town of one tile in Florence with a long street, and features whose names are those of places elsewhere.
struct RouteTown {
    static let street = "Via del Monastero di San Girolamo delle Poverine Ingesuate di San Francesco"
    private static let tile = TileID(zoom: 14, x: 8704, y: 5973) ?? .world
    /// The features, by name: the town Casino is in Australia, and Dijon in France.
    static let features = ["Casino": (3300, 2010), "Museo Civico": (600, 1990), "Dijon": (2000, 2010)]

    /// Places on the street, as text.
    let west = text(600, 2000), east = text(3300, 2000)

    /// Returns the coordinate of a point in units of the tile.
    static func place(_ x: Int, _ y: Int) -> Coordinate {
        let side = Double(1 << tile.zoom)
        return Mercator.coordinate(
            WorldPoint(
                x: (Double(tile.x) + Double(x) / 4096) / side, y: (Double(tile.y) + Double(y) / 4096) / side))
    }

    private static func text(_ x: Int, _ y: Int) -> String {
        let place = place(x, y)
        return "\(place.latitude),\(place.longitude)"
    }

    /// The changes that set the bounds of the archive: four numbers in 10,000,000ths of a degree.
    private static var bounds: [(offset: Int, value: UInt8)] {
        let low = place(0, 4096), high = place(4096, 0)
        return [low.longitude, low.latitude, high.longitude, high.latitude].enumerated().flatMap {
            at, degrees in
            let number = UInt32(bitPattern: Int32(degrees * 1e7))
            return (0..<4).map { (102 + 4 * at + $0, UInt8(truncatingIfNeeded: number >> (8 * $0))) }
        }
    }

    /// The bytes of its archive.
    var archive: [UInt8] {
        let street = VectorTileFixture.Feature(
            .line, through: [(500, 2000), (3500, 2000)],
            [("class", .string("minor")), ("name", .string(Self.street))])
        let features = Self.features.sorted { $0.key < $1.key }.map { name, point in
            VectorTileFixture.Feature(
                .point, through: [point], [("name", .string(name)), ("class", .string("museum"))])
        }
        let tile = VectorTileFixture([("transportation", [street]), ("poi", features)])
        var fixture = PMTilesFixture([(Self.tile, tile.bytes)])
        fixture.patches = [(98, 1), (99, 1)] + Self.bounds
        return fixture.bytes
    }
}
