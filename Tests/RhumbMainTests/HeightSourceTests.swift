import Glibc
import Rhumb
import RhumbBrowser
import RhumbTestSupport
import Testing

@testable import RhumbMain

/// Tests the source of heights that the user has named.
struct HeightSourceTests {
    private let folder = TemporaryFolder()

    private func session() async throws -> MapSession {
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
        options.cache = folder.path + "/tiles.db"
        return await MapSession.open(options)
    }

    private func writeHills() throws -> String {
        let metadata = [(name: "name", value: "Hills"), ("format", "png"), ("encoding", "mapbox")]
        return try MBTilesFixture([(.world, blankPicture(RGB(0x018A88), side: 256))], metadata: metadata)
            .write(in: folder, name: "hills.mbtiles")
    }

    @Test func `a source is opened once, however often it is requested`() async throws {
        let session = try await session(), path = try writeHills(), terrain = HeightSource(path, session)
        defer { session.close() }
        #expect(try await terrain.ground()?.name == "Hills")
        unlink(path)
        #expect(try await terrain.ground()?.name == "Hills")
    }

    @Test func `an archive of encoded heights is light and shade as a map, and has heights`() async throws {
        let session = try await session()
        defer { session.close() }
        let layers = try await session.opener.open(try writeHills())
        #expect(layers.count == 1 && layers[0].drawing != nil && layers[0].feature == .terrain)
        #expect(try await HeightSource(nil, session).ground(under: layers)?.name == "Hills")
        let place = SIMD2(0.5, 0.5)
        let lines = try await HeightSource(nil, session).heights(along: [[place]], under: layers)
        #expect(lines.heights == [[100]] && lines.gapReason == nil)
    }

    @Test func `a failed opening is retried on the next request`() async throws {
        let session = try await session(), terrain = HeightSource(folder.path + "/hills.mbtiles", session)
        defer { session.close() }
        await #expect(throws: Notice.Problem.self) { try await terrain.ground() }
        _ = try writeHills()
        #expect(try await terrain.ground()?.name == "Hills")
    }

    @Test func `a GeoTIFF that is a picture by its name has heights if it is the source`() async throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = 32
        fixture.format = 3
        fixture.photometric = 1
        let path = folder.write(fixture.bytes, to: "values.tif"), session = try await session()
        defer { session.close() }
        #expect(try await HeightSource(path, session).ground()?.name == "values")
    }

    @Test func `a damaged first tile does not hide the heights of the others`() async throws {
        let metadata = [(name: "name", value: "Hills"), ("format", "png"), ("encoding", "mapbox")]
        let tiles = try (0..<4).map { try #require(TileID(zoom: 1, x: $0 % 2, y: $0 / 2)) }
        let sound = blankPicture(RGB(0x018A88), side: 256), session = try await session()
        defer { session.close() }
        // The second one looks like a MapLibre tile.
        for damaged: [UInt8] in [[1, 2], [1, 2, 3, 4, 5, 6], Array(sound.prefix(20))] {
            let path = try MBTilesFixture(
                tiles.map { ($0, $0 == tiles[0] ? damaged : sound) }, metadata: metadata
            ).write(in: folder, name: "damaged\(damaged.count).mbtiles")
            let ground = try #require(try await HeightSource(path, session).ground())
            let heights = ground.heights(at: [SIMD2(0.75, 0.75)])
            #expect(heights[0].isNaN == false)
            let box = WorldBox(minX: 0.1, minY: 0.1, maxX: 0.9, maxY: 0.9)
            let area = try #require(try await ground.area(box, zoom: 1))
            #expect(area.failures.count == 1)
        }
    }
}
