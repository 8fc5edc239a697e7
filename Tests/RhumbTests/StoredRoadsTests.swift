import Rhumb
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests routes on the tiles of archives and stores.
struct StoredRoadsTests {
    private let folder = TemporaryFolder()
    private static let west = TileID(
        zoom: 14, containing: Mercator.world(Coordinate(latitude: 43.73, longitude: 7.42)))

    private static func tile(_ columns: Int) throws -> TileID {
        try #require(TileID(zoom: 14, x: west.x + columns, y: west.y))
    }

    /// Returns the coordinate of a point in units of the western tile.
    private static func place(_ x: Int, _ y: Int) -> Coordinate {
        let side = 4096.0 * 16384
        return Mercator.coordinate(
            WorldPoint(x: Double(west.x * 4096 + x) / side, y: Double(west.y * 4096 + y) / side))
    }

    private static func body(
        _ name: String, through points: [(Int, Int)] = [(-64, 2000), (4160, 2000)]
    ) -> [UInt8] {
        let street: [(String, VectorValue)] = [("class", .string("minor")), ("name", .string(name))]
        return VectorTileFixture([("transportation", [.init(.line, through: points, street)])]).bytes
    }

    private func archive(
        _ name: String, _ tiles: [(tile: TileID, body: [UInt8])], to archives: ArchiveTiles
    ) throws -> String {
        var fixture = PMTilesFixture(tiles)
        fixture.metadata = Array(#"{"name":"\#(name)","attribution":"© \#(name)"}"#.utf8)
        fixture.patches = [(98, 1), (99, 1)]
        let path = folder.write(fixture.bytes, to: name + ".pmtiles")
        archives.add(try Archive.open(path), path: path)
        return path
    }

    private func roads(_ archives: ArchiveTiles) -> StoredRoads {
        StoredRoads(attribution: { archives.attribution(of: $0) }) { [(archives, nil)] }
    }

    @Test func `several archives are one network, and all are attributed`() throws {
        let archives = ArchiveTiles()
        _ = try archive("West", [(try Self.tile(0), Self.body("A"))], to: archives)
        _ = try archive("East", [(try Self.tile(1), Self.body("A"))], to: archives)
        let request = RouteRequest(from: Self.place(1000, 2000), to: Self.place(7000, 2000))
        let found = try roads(archives).routes(request)
        #expect(abs(found.routes[0].distance - 6000 * 0.4327) < 40)
        #expect(found.attribution.split(separator: ", ").sorted() == ["© East", "© West"])
        let near = try roads(archives).routes(
            RouteRequest(from: Self.place(1000, 2000), to: Self.place(2000, 2000)))
        #expect(near.attribution == "© West")
    }

    @Test func `a gap between two archives is named with its place and the command that fills it`() throws {
        let archives = ArchiveTiles()
        _ = try archive("West", [(try Self.tile(0), Self.body("A"))], to: archives)
        _ = try archive("East", [(try Self.tile(2), Self.body("A"))], to: archives)
        let request = RouteRequest(from: Self.place(1000, 2000), to: Self.place(9000, 2000))
        #expect {
            _ = try roads(archives).routes(request)
        } throws: { error in
            guard let failure = error as? RouteFailure, case .notStored(let place) = failure else {
                return false
            }
            guard case .downloadMap? = failure.remedy else { return false }
            return place.metres(to: Self.place(4096, 2000)) < 5
        }
    }

    @Test func `an opened archive with deep tiles is known to have roads`() throws {
        let archives = ArchiveTiles()
        #expect(!roads(archives).hasArchive)
        _ = try archive("World", [(.world, Self.body("A"))], to: archives)
        #expect(!roads(archives).hasArchive)
        _ = try archive("West", [(try Self.tile(0), Self.body("A"))], to: archives)
        #expect(roads(archives).hasArchive)
    }

    @Test func `a damaged tile is named`() throws {
        let archives = ArchiveTiles(), damaged = try Self.tile(1)
        _ = try archive(
            "City",
            [
                (
                    Self.west,
                    Self.body("A", through: [(1000, 1000), (4160, 1000), (1000, 1200), (1000, 1000)])
                ),
                (damaged, [0x1A, 0xFF, 0x7F, 1]),
            ], to: archives)
        let sentence = "the stored tile \(damaged) is damaged"
        #expect {
            _ = try roads(archives).routes(
                RouteRequest(from: Self.place(1000, 1100), to: Self.place(6000, 2000)))
        } throws: { "\($0)".contains(sentence) }
    }
}
