import RhumbCore
import RhumbTestSupport

/// Roads of fixture tiles at zoom 14, around 14/8529/5975 in Monaco.
struct RoadFixture {
    typealias Line = (points: [(Int, Int)], attributes: [(String, VectorValue)])

    static let tile = TileID(
        zoom: 14, containing: Mercator.world(Coordinate(latitude: 43.73, longitude: 7.42)))
    private let tiles: [TileID: TileRoads]

    /// Creates a tile in the schema OpenMapTiles, with a neighbour to the east.
    init(_ lines: [Line], east: [Line]? = nil, layer: String = "transportation", asksPacked: Bool = false) {
        var tiles = [Self.tile: Self.roads(lines, layer)]
        if let east, let next = TileID(zoom: 14, x: Self.tile.x + 1, y: Self.tile.y) {
            tiles[next] = Self.roads(east, layer)
        }
        self.tiles = tiles.mapValues { roads in
            var again = TileRoads()
            return asksPacked && again.add(packed: roads.packed(isMain: true))
                && again.add(packed: roads.packed(isMain: false))
                ? again : roads
        }
    }

    static func bytes(_ lines: [Line], _ layer: String = "transportation") -> [UInt8] {
        VectorTileFixture([(layer, lines.map { .init(.line, through: $0.points, $0.attributes) })]).bytes
    }

    static func roads(_ lines: [Line], _ layer: String = "transportation") -> TileRoads {
        (try? VectorTile(bytes(lines, layer))).map { TileRoads($0) } ?? TileRoads()
    }

    var router: RoadRouter {
        let tiles = tiles
        return RoadRouter(zoom: 14) { tile, _ in tiles[tile] }
    }

    /// Returns the coordinate of a point of the tile, in its units.
    static func place(_ x: Int, _ y: Int) -> Coordinate {
        let side = 4096.0 * 16384
        return Mercator.coordinate(
            WorldPoint(
                x: (Double(tile.x * 4096 + x) + 0.01) / side, y: (Double(tile.y * 4096 + y) + 0.01) / side))
    }

    func route(
        _ mode: RouteMode, _ from: (Int, Int), _ to: (Int, Int),
        _ change: (inout RouteRequest) -> Void = { _ in }
    ) throws -> Route {
        var request = RouteRequest(from: Self.place(from.0, from.1), to: Self.place(to.0, to.1))
        request.mode = mode
        change(&request)
        return try router.routes(request)[0]
    }
}

extension VectorValue {
    static let one = VectorValue.number(1)
}
