import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the form in which regions store vector tiles: gzip as received or packed, and unpacked by earlier
/// versions.
struct StoredFormTests {
    /// Returns a tile of some kilobytes. The two deepest zooms have equal tiles.
    private static func tile(_ zoom: Int) -> [UInt8] {
        let seed = min(zoom, 4) + 1
        let squares = (0..<300).map { number in
            let x = (number * 7919 + number * number * seed * 31) % 4000, y = number * seed * 613 % 4000
            return VectorTileFixture.Feature(
                .polygon, through: [(x, y), (x + 90, y), (x + 90, y + 90), (x, y + 90)])
        }
        let land = VectorTileFixture.Feature(
            .polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])
        return VectorTileFixture([("land", [land] + squares)]).bytes
    }

    private static func packed(_ zoom: Int) -> [UInt8] { Gzip.packed(tile(zoom)) }

    /// An archive of vector tiles in gzip.
    private static var archive: [UInt8] {
        var archive = PMTilesFixture(
            [(.world, packed(0))]
                + (1...5).map { (TileID(zoom: $0, containing: WorldPoint(x: 0.502, y: 0.498)), packed($0)) })
        archive.patches = [(98, 2), (99, 1)]
        return archive.bytes
    }

    /// Adds the region "home" from the archive on a server.
    private func added(_ box: CommandFixture) async throws -> String {
        let archive = Self.archive, address = box.host.server.url("/town.pmtiles")
        box.host.answer("/town.pmtiles") { LoopbackReply.part(of: archive, $0) }
        let list: JSON = [
            "sources": [
                [
                    "id": "town", "kind": "pmtiles", "url": .string(address), "vector": true,
                    "policy": ["offline": "allowed", "archives": true, "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        let run = await box.run([
            "add", "home", "--source", "town", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "0-9", "--exact",
        ])
        #expect(run.status == 0, "\(run)")
        return address
    }

    /// Replaces the stored tiles by the form of earlier versions.
    private func unpack(_ box: CommandFixture) throws {
        let store = try Connection(box.storePath, .readWrite)
        let rows = try store.prepare(
            "SELECT id, bytes FROM bodies WHERE id IN (SELECT body FROM entries WHERE z >= 0)", to: "look")
        var bodies: [(Int, [UInt8])] = []
        while try rows.step() { bodies.append((rows.int(0) ?? 0, try Gzip.unwrapped(rows.bytes(1) ?? []))) }
        let change = try store.prepare(
            "UPDATE bodies SET bytes = ?1, hash = ?2 WHERE id = ?3", to: "unpack the tiles")
        for (id, body) in bodies {
            try change.bind(1, body)
            try change.bind(2, BodyHash.of(body))
            try change.bind(3, id)
            try change.step()
            change.reset()
        }
        try store.execute(
            "UPDATE entries SET size = (SELECT length(bytes) FROM bodies WHERE id = body) WHERE z >= 0",
            to: "unpack the tiles")
    }

    private func isShown(_ box: CommandFixture) async -> Bool {
        let style: JSON = [
            "version": 8, "sources": ["v": ["type": "vector"]],
            "layers": [
                [
                    "id": "land", "type": "fill", "source": "v", "source-layer": "land",
                    "paint": ["fill-color": "#FF0000"],
                ]
            ],
        ]
        let path = box.folder.write(Array(style.text.utf8), to: "style.json")
        let seen = await ProgramRun.of(
            CommandFixture.program,
            [
                "render", "town", "--offline", "--center", "0.7,0.7", "--zoom", "8", "--size", "20x5",
                "--format", "ansi", "--colors", "truecolor", "--style", path,
                "--data-path", box.folder.path + "/data", "--cache-path", box.folder.path + "/other.db",
                "--config", box.folder.path + "/config.json",
            ], environment: box.environment)
        #expect(seen.status == 0, "\(seen.errors)")
        return seen.output.contains("2;255;0;0")
    }

    /// Exports the region, and returns its bodies by zoom as the archive stores them.
    private func exported(_ box: CommandFixture, _ name: String) async throws -> [Int: [UInt8]] {
        let path = box.folder.path + "/" + name
        let run = await box.run("export", "home", "-o", path, "--force")
        #expect(run.status == 0, "\(run)")
        let archive = try Archive.open(path)
        var bodies: [Int: [UInt8]] = [:]
        for tile in try box.stored().keys { bodies[tile.zoom] = try archive.storedBody(tile) }
        return bodies
    }

    @Test func `a region from a gzip archive takes hardly more than its bytes on the wire`() async throws {
        let box = try CommandFixture()
        _ = try await added(box)
        let stored = try box.stored()
        #expect(stored.count == 6 && stored.allSatisfy { $0.value == Self.packed($0.key.zoom) })
        let tiles = "FROM bodies WHERE id IN (SELECT body FROM entries WHERE z >= 0)"
        let bytes = try #require(try box.number("SELECT sum(length(bytes)) " + tiles))
        let resources = try await box.shown()["resources"]
        let wire = try #require(resources?["loadedBytes"]?.int)
        #expect(wire > 5000 && Double(bytes) <= Double(wire) * 1.05)
        // Equal tiles share a body.
        #expect(try box.number("SELECT count(*) " + tiles) == 5)
    }

    @Test func `packed tiles are shown, checked and exported without being packed again`() async throws {
        let box = try CommandFixture()
        _ = try await added(box)
        box.host.server.stop()
        #expect(await isShown(box))
        #expect(await box.run("check", "home").status == 0)
        for name in ["out.pmtiles", "out.mbtiles"] {
            let bodies = try await exported(box, name)
            #expect(bodies.count == 6 && bodies.allSatisfy { $0.value == Self.packed($0.key) })
        }
    }

    @Test func `tiles that an earlier version stored unpacked are shown, checked and exported`()
        async throws
    {
        let box = try CommandFixture()
        _ = try await added(box)
        try unpack(box)
        #expect(try box.stored().allSatisfy { $0.value == Self.tile($0.key.zoom) })
        box.host.server.stop()
        #expect(await isShown(box))
        #expect(await box.run("check", "home").status == 0)
        for name in ["out.pmtiles", "out.mbtiles"] {
            let bodies = try await exported(box, name)
            #expect(bodies.count == 6)
            #expect(try bodies.allSatisfy { try Gzip.unwrapped($0.value) == Self.tile($0.key) })
        }
    }

    @Test func `a repair replaces a damaged unpacked tile by one as the archive has it`() async throws {
        let box = try CommandFixture()
        _ = try await added(box)
        try unpack(box)
        let store = try Connection(box.storePath, .readWrite)
        try store.execute(
            """
            UPDATE bodies SET bytes = substr(bytes, 1, 30)
            WHERE id = (SELECT body FROM entries WHERE z = 3)
            """, to: "damage a tile")
        #expect(await box.run("check", "home").status == 3)
        #expect(await box.run("check", "home", "--repair").status == 0)
        let stored = try box.stored()
        #expect(stored.first { $0.key.zoom == 3 }?.value == Self.packed(3))
        #expect(stored.first { $0.key.zoom == 2 }?.value == Self.tile(2))
        #expect(await box.run("check", "home").status == 0)
    }

    @Test(arguments: ["gzip", "identity"])
    func `a tile of a web server is stored as it was sent, or else as gzip`(coding: String) async throws {
        let box = try CommandFixture()
        box.host.answer { _ in
            LoopbackReply(
                200, coding == "gzip" ? Self.packed(7) : Self.tile(7),
                headers: ["Cache-Control": "max-age=600", "Content-Encoding": coding])
        }
        let list: JSON = [
            "sources": [
                [
                    "id": "town", "url": .string(box.host.server.url("/{z}/{x}/{y}")), "vector": true,
                    "maxzoom": 9, "policy": ["offline": "allowed", "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        let run = await box.run([
            "add", "home", "--source", "town", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--exact",
        ])
        #expect(run.status == 0, "\(run)")
        let stored = try box.stored(), sent = coding == "gzip" ? Self.packed(7) : Self.tile(7),
            kept = coding == "gzip" ? sent : Self.packed(7)
        #expect(!stored.isEmpty && stored.allSatisfy { $0.value == kept })
        let resources = try await box.shown()["resources"]
        #expect(resources?["loadedBytes"]?.int == sent.count * stored.count)
        #expect(resources?["completedBytes"]?.int == kept.count * stored.count)
        box.host.server.stop()
        #expect(await isShown(box))
    }

    @Test func `tiles of the shared cache are stored as gzip`() async throws {
        let box = try CommandFixture()
        box.host.answer { _ in
            LoopbackReply(200, Self.tile(7), headers: ["Cache-Control": "max-age=600"])
        }
        let list: JSON = [
            "sources": [
                [
                    "id": "town", "url": .string(box.host.server.url("/{z}/{x}/{y}")), "vector": true,
                    "maxzoom": 9, "policy": ["offline": "allowed", "packLimit": nil],
                ]
            ]
        ]
        box.folder.write(Array(list.text.utf8), to: "config.json")
        let seen = await ProgramRun.of(
            CommandFixture.program,
            ["render", "town", "--center", "0.7,0.7", "--zoom", "8", "--size", "20x5", "--format", "ansi"]
                + box.places, environment: box.environment)
        #expect(seen.status == 0, "\(seen.errors)")
        let run = await box.run([
            "add", "home", "--source", "town", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9", "--exact",
        ])
        #expect(run.status == 0, "\(run)")
        let stored = try box.stored()
        #expect(!stored.isEmpty && stored.allSatisfy { $0.value == Self.packed(7) })
        let loaded = try await box.shown()["resources"]?["loadedBytes"]?.int ?? .max
        #expect(loaded < stored.count * Self.tile(7).count)
    }

    @Test func `a local archive is imported as it is stored`() async throws {
        let box = try CommandFixture()
        _ = try await added(box)
        // Otherwise, its fresh tiles would be kept.
        #expect(await box.run("remove", "home").status == 0)
        let path = box.folder.write(Self.archive, to: "town.pmtiles")
        // The area has more tiles than the archive.
        let run = await box.run("import", "copy", "--source", "town", "--from", path)
        #expect(run.status == 3 && run.output.contains("6 tiles imported"), "\(run)")
        let stored = try box.stored()
        #expect(stored.count == 6 && stored.allSatisfy { $0.value == Self.packed($0.key.zoom) })
    }

    @Test func `only whole gzip data of a vector tile that is smaller is kept`() {
        let tile = Self.tile(0), packed = Gzip.packed(tile)
        #expect(TileBody.stored(packed, tile) == packed)
        #expect(TileBody.stored(packed + [0], tile) == Self.packed(0))
        let half = tile.count / 2
        let joined = Gzip.packed(Array(tile[..<half])) + Gzip.packed(Array(tile[half...]))
        #expect(TileBody.stored(joined, tile) == Self.packed(0))
        #expect(TileBody.stored(tile, tile) == Self.packed(0) && TileBody.packed(packed) == packed)
        // Fast packing takes little more space.
        #expect(Double(Self.packed(0).count) < Double(packed.count) * 1.2)
        let picture = fakePicture(.world), small = Array(tile.prefix(6))
        #expect(TileBody.stored(Gzip.packed(picture), picture) == picture)
        #expect(TileBody.stored(Gzip.packed(small), small) == small)
        #expect(TileBody.stored([], []).isEmpty)
    }
}
