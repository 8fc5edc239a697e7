import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the faults that a verification finds, and repaired copies.
struct ArchiveVerificationTests {
    private typealias Feature = VectorTileFixture.Feature
    private typealias Kind = VerificationFault.Kind

    private let folder = TemporaryFolder()

    private func verified(_ path: String) throws -> ArchiveVerification {
        try Archive.open(path, probe: imageProbe).verify(probe: imageProbe, decode: imageDecode)
    }

    private func verified(_ fixture: PMTilesFixture) throws -> ArchiveVerification {
        try verified(folder.write(fixture.bytes, to: "v.pmtiles"))
    }

    private func kinds(_ found: ArchiveVerification) -> [Kind] { found.groups.map(\.kind) }

    /// Returns an archive of vector tiles that declares its layer.
    private func vector(_ body: [UInt8], compressed: Bool = true) -> PMTilesFixture {
        var fixture = PMTilesFixture([(.world, compressed ? Gzip.packed(body) : body)])
        fixture.metadata = Array(#"{"vector_layers":[{"id":"roads","fields":{}}]}"#.utf8)
        fixture.patches = [(98, 2), (99, 1)]
        return fixture
    }

    /// Returns a vector tile with a polygon.
    private func polygon(_ points: [(Int, Int)], layer: String = "roads") -> VectorTileFixture {
        VectorTileFixture([(layer, [Feature(.polygon, through: points)])])
    }

    private static let square = [(0, 0), (9, 0), (9, 9), (0, 9)]

    @Test(arguments: ArchiveFixture.Format.allCases)
    func `a sound archive has no faults in any format`(format: ArchiveFixture.Format) throws {
        var fixture = ArchiveFixture(zooms: 0...3)
        fixture.bounds = [-180, -85, 180, 85]
        let input = try fixture.write(format, in: folder)
        let found = try verified(input.path)
        let missing: [Kind] = format == .gpkg ? [.metadata] : []
        #expect(found.tileCount == 85 && kinds(found).filter { !missing.contains($0) } == [], "\(found)")
    }

    @Test func `counts, zooms, bounds and sections of the header are checked at their offsets`() throws {
        var fixture = PMTilesFixture(zooms: 1...3)
        fixture.patches = [(72, 9), (100, 0), (101, 4)] + (102..<118).map { ($0, 0) }
        let found = try verified(fixture)
        #expect(kinds(found) == [.count, .zooms, .bounds])
        #expect(
            found.groups[0].faults == [
                VerificationFault(.count, .byte(72), "the header declares 9 tiles, but there are 84")
            ])
        #expect(found.groups[1].faults[0].problem == "zooms 0 to 4 declared, 1 to 3 found")
        #expect(found.groups[2].faults[0].location == .byte(102))
        #expect(found.groups.allSatisfy { $0.kind.isRepairable })
    }

    @Test func `a tile outside of the bounds is named, and neighbours are tolerated`() throws {
        var fixture = ArchiveFixture(zooms: 3...3)
        fixture.bounds = [1, 1, 89, 60]
        let found = try verified(fixture.write(.pmtiles, in: folder).path)
        #expect(kinds(found) == [.bounds])
        // Columns 3 to 6 and rows 1 to 4 touch the bounds or are next to them.
        #expect(found.faultCount == 64 - 4 * 4, "\(found)")
        let corner = try #require(TileID(zoom: 3, x: 0, y: 0))
        #expect(found.groups[0].faults.first?.location == .tile(corner))
    }

    @Test func `bounds are extended to tiles outside of them, unless these are far away`() throws {
        func extended(to column: Int, _ row: Int) throws -> Bounds? {
            let inside = try #require(TileID(zoom: 10, x: 516, y: 507)),
                other = try #require(TileID(zoom: 10, x: column, y: row))
            var fixture = ArchiveFixture([inside: fakePicture(inside), other: fakePicture(other)])
            fixture.bounds = [1, 1, 2, 2]
            return try fixture.write(.pmtiles, in: folder).archive.extendedBounds()
        }
        #expect(try extended(to: 517, 508) == nil)
        #expect(try extended(to: 520, 507) == Bounds(west: 1, south: 1, east: 3.1640625, north: 2))
        #expect(try extended(to: 1000, 300) == nil)
    }

    @Test func `tiles outside of bounds across the antimeridian are counted`() throws {
        var fixture = ArchiveFixture(zooms: 4...4)
        fixture.bounds = [170, -10, -170, 10]
        let found = try verified(fixture.write(.pmtiles, in: folder).path)
        #expect(kinds(found) == [.bounds])
        // Columns 14, 15, 0 and 1 and rows 6 to 9 touch the bounds or are next to them.
        #expect(found.faultCount == 256 - 4 * 4, "\(found)")
    }

    @Test func `unordered and overlapping bodies and directories are found`() throws {
        let tiles = TileID.pyramid(0...1), body = fakePicture(.world)
        func archive(_ entries: [PMTilesDirectory.Entry]) throws -> [Kind] {
            var fixture = PMTilesFixture(tiles.map { ($0, body) })
            fixture.isPacked = false
            var bytes = fixture.bytes
            let header = try #require(PMTilesHeader(bytes)), root = PMTilesDirectory(entries).encoded
            var changed = header
            changed.root = .init(offset: UInt64(bytes.count), length: UInt64(root.count))
            changed.tileEntries = 0
            changed.tileContents = 0
            bytes.replaceSubrange(0..<PMTilesHeader.length, with: changed.bytes)
            return kinds(try verified(folder.write(bytes + root, to: "o.pmtiles")))
        }
        let length = UInt32(body.count)
        #expect(try archive([.init(id: 0, run: 5, length: length, offset: 0)]) == [])
        #expect(
            try archive([
                .init(id: 0, run: 1, length: length - 1, offset: 1),
                .init(id: 1, run: 4, length: length, offset: 0),
            ]) == [.overlap, .clustering, .format])
        let overlapping = try archive([
            .init(id: 0, run: 2, length: length, offset: 0), .init(id: 1, run: 4, length: length, offset: 0),
        ])
        #expect(overlapping == [.order, .count, .duplicate])
        let repeated = try archive([
            .init(id: 0, run: 1, length: length, offset: 0), .init(id: 0, run: 1, length: length, offset: 0),
            .init(id: 1, run: 4, length: length, offset: 0),
        ])
        #expect(repeated.contains(.order) && !repeated.contains(.directory))
    }

    @Test func `the leaf that begins with another tile than its entry is found`() throws {
        var fixture = PMTilesFixture(zooms: 0...2)
        fixture.leafSize = 4
        fixture.isPacked = false
        #expect(try kinds(verified(fixture)).isEmpty)
        var bytes = fixture.bytes
        let header = try #require(PMTilesHeader(bytes))
        // The second entry of the root begins at tile 4; its difference to the first follows the count.
        bytes[Int(header.root.offset) + 2] = 3
        let found = try verified(folder.write(bytes, to: "l.pmtiles"))
        let order = try #require(found.groups.first { $0.kind == .order })
        let second = header.leaves.offset + header.leaves.length / 6
        var offset: UInt64 = 0
        if case .byte(let found) = order.faults[0].location { offset = found }
        #expect(offset > header.leaves.offset && offset < second + header.leaves.length / 6)
    }

    @Test func `rows of MBTiles that are invalid, empty or repeated are found`() throws {
        var tiles = TileID.pyramid(0...1).map { (tile: $0, body: fakePicture($0) as [UInt8]?) }
        tiles[1].body = []
        tiles[2].body = nil
        tiles.append((.world, fakePicture(.world)))
        var fixture = MBTilesFixture(tiles, metadata: [("name", "a"), ("format", "png"), ("json", "{")])
        fixture.layout = .tableWithoutIndex
        let path = try fixture.write(in: folder), connection = try Connection(path, .readWrite)
        try connection.execute("INSERT INTO tiles VALUES (3, 9, 0, x'00')", to: "add a row")
        let found = try verified(path)
        #expect(kinds(found) == [.directory, .metadata, .duplicate, .empty], "\(found)")
        #expect(found.groups[0].faults[0].problem.contains("3/9/0"))
    }

    @Test func `the formats, sizes and compressions of pictures are checked`() throws {
        let tiles = TileID.pyramid(0...2)
        var bodies = tiles.map { (tile: $0, body: fakePicture($0)) }
        bodies[3].body = fakePicture(tiles[3], side: 16)
        bodies[4].body = Array("<html></html>".utf8)
        bodies[5].body = Array(fakePicture(tiles[5]).dropLast(30))
        bodies[6].body = Gzip.packed(fakePicture(tiles[6]))
        let found = try verified(PMTilesFixture(bodies))
        #expect(kinds(found) == [.compression, .format, .content, .size], "\(found)")
        #expect(
            found.groups.map { $0.faults.map(\.location) } == [6, 4, 5, 3].map { [.tile(tiles[$0])] })
        #expect(found.groups[3].faults[0].problem == "it has 16 × 16 pixels, most have 8 × 8")
    }

    @Test func `rings, distant points and damaged features of vector tiles are found`() throws {
        #expect(try kinds(verified(vector(polygon(Self.square).bytes))) == [])
        #expect(try kinds(verified(vector(polygon(Self.square.reversed()).bytes))) == [.winding])
        var old = polygon(Self.square.reversed())
        old.version = 1
        #expect(try kinds(verified(vector(old.bytes))) == [])
        #expect(
            try kinds(verified(vector(polygon([(0, 0), (9000, 0), (9, 9)]).bytes))) == [.extent])
        let damaged = VectorTileFixture([("roads", [Feature(.point, [9, 0])])]).bytes
        #expect(try kinds(verified(vector(damaged))) == [.content])
        let flat = try verified(vector(polygon([(0, 0), (9, 9), (18, 18)]).bytes))
        #expect(
            flat.groups.flatMap(\.faults).map(\.problem)
                == ["layer \"roads\": 1 feature without a point, a length or an area"])
        #expect(try kinds(verified(vector(polygon(Self.square).bytes, compressed: false))) == [.compression])
        #expect(try kinds(verified(vector([0x1A, 0xFF, 1, 2, 3, 4]))).contains(.content))
    }

    @Test func `layers are compared with the metadata`() throws {
        let found = try verified(vector(polygon(Self.square, layer: "lakes").bytes))
        #expect(kinds(found) == [.layers])
        #expect(
            found.groups[0].faults.map(\.problem) == [
                "layer \"lakes\" is not declared", "layer \"roads\" is declared, but in no tile",
            ])
        var silent = vector(polygon(Self.square).bytes)
        silent.metadata = Array("{}".utf8)
        #expect(try verified(silent).groups[0].faults[0].location == .archive)
    }

    @Test func `a run counts all its tiles, and the list has a limit`() throws {
        let tiles = TileID.pyramid(0...4)
        let path = folder.write(
            PMTilesFixture(tiles.map { ($0, Array("<p>".utf8)) }).bytes, to: "r.pmtiles")
        let found = try Archive.open(path).verify(limit: 1)
        #expect(found.groups.first { $0.kind == .format }?.count == 341)
        #expect(found.groups.allSatisfy { $0.faults.count == 1 })
    }

    // MARK: Repair

    @Test(arguments: ["copy.pmtiles", "copy.mbtiles", "copy/"])
    func `a repaired copy is sound and has the same tiles`(name: String) throws {
        var fixture = PMTilesFixture(zooms: 1...3)
        fixture.metadata = Array("{".utf8)
        fixture.patches = [(72, 9), (80, 1), (88, 1), (100, 0), (101, 9)] + (102..<118).map { ($0, 0) }
        let path = folder.write(fixture.bytes, to: "bad.pmtiles"), copy = folder.path + "/" + name
        let input = ArchiveInput(path, try Archive.open(path, probe: imageProbe))
        let found = try verified(path)
        #expect(kinds(found) == [.count, .metadata, .zooms, .bounds])
        let summary = try ArchiveCopy(of: input, to: copy).repair(found)
        #expect(summary.omitted == 0 && summary.archive.tiles == 84)
        #expect(try kinds(verified(copy)) == [])
        let other = try Archive.open(copy)
        for (tile, body) in fixture.tiles {
            let copied = try other.storedBody(tile)
            #expect(copied == body)
        }
    }

    @Test func `damaged tiles are copied unchanged, and unusable ones left out`() throws {
        var bodies = TileID.pyramid(0...1).map { (tile: $0, body: fakePicture($0) as [UInt8]?) }
        let broken = Array(fakePicture(.world).dropLast(20))
        bodies[1].body = broken
        bodies[2].body = nil
        let path = try MBTilesFixture(bodies).write(in: folder)
        let input = ArchiveInput(path, try Archive.open(path)), found = try verified(path)
        let copy = folder.path + "/copy.pmtiles"
        let summary = try ArchiveCopy(of: input, to: copy).repair(found)
        #expect(summary.omitted == 1 && summary.archive.tiles == 4)
        #expect(try Archive.open(copy).storedBody(bodies[1].tile) == broken)
        #expect(try kinds(verified(copy)) == [.content])
    }

    @Test func `the layers of a repaired copy are those of its tiles`() throws {
        let path = folder.write(vector(polygon(Self.square, layer: "lakes").bytes).bytes, to: "v.pmtiles")
        let copy = folder.path + "/copy.pmtiles", archive = try Archive.open(path)
        _ = try ArchiveCopy(of: ArchiveInput(path, archive), to: copy).repair(verified(path))
        #expect(try kinds(verified(copy)) == [])
        #expect(try Archive.open(copy).metadata["vector_layers"]?.array?.map { $0["id"] } == ["lakes"])
    }

    @Test func `damaged copies of an archive never stop the verification`() throws {
        var fixture = PMTilesFixture(zooms: 0...3)
        fixture.leafSize = 16
        let sound = fixture.bytes
        var random = SplitMix(seed: 11)
        for _ in 0..<200 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                    1 << UInt8.random(in: 0...7, using: &random)
            }
            let path = folder.write(bytes, to: "d.pmtiles")
            guard let archive = try? Archive.open(path, probe: imageProbe) else { continue }
            _ = try archive.verify(probe: imageProbe, decode: imageDecode)
        }
    }
}
