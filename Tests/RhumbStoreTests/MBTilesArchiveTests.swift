import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct MBTilesArchiveTests {
    let folder = TemporaryFolder()
    let tile = TileID(zoom: 3, x: 4, y: 2)!

    private func open(_ fixture: MBTilesFixture) throws -> MBTilesArchive {
        try MBTilesArchive(fixture.write(in: folder), probe: imageProbe)
    }

    @Test(arguments: MBTilesFixture.Layout.allCases)
    func `tiles are read from any layout, with rows counted from the north`(
        layout: MBTilesFixture.Layout
    ) throws {
        var fixture = MBTilesFixture(zooms: 0...3)
        fixture.layout = layout
        let archive = try open(fixture)
        for tile in TileID.pyramid(0...3) {
            #expect(try archive.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
        }
        #expect(try archive.tile(TileID(zoom: 4, x: 0, y: 0)!) == .absent)
        #expect(archive.info.zooms == 0...3 && archive.refusal == nil)
    }

    @Test func `without metadata, zooms and bounds come from the tiles`() throws {
        let fixture = MBTilesFixture(
            [(tile, fakePicture(tile)), (tile.children[0], fakePicture(tile))], metadata: nil)
        let archive = try open(fixture)
        #expect(archive.info.zooms == 3...4 && archive.info.name == "map")
        #expect(archive.info.bounds?.west == 0 && archive.info.bounds?.east == 22.5)
    }

    @Test func `metadata is read with spaces, HTML and escapes sanitised`() throws {
        var fixture = MBTilesFixture([(tile, fakePicture(tile))])
        fixture.metadata = [
            ("name", "A\u{1B}[2J map"), ("name", "second"), ("minzoom", " 3 "), ("maxzoom", "3"),
            ("bounds", " 1.0, 2.0 ,3,4 "), ("center", "2, 3 ,4"), ("type", "overlay"),
            ("attribution", "<a href='x'>&copy; OSM</a>"), ("json", #"{"palettes":[1]}"#),
        ]
        let archive = try open(fixture)
        #expect(
            archive.info.name == "A[2J map" && archive.info.attribution == "© OSM" && archive.info.isOverlay)
        #expect(archive.info.center == Coordinate(latitude: 3, longitude: 2) && archive.info.centerZoom == 4)
        #expect(archive.metadata["json"]?["palettes"] == [1])
    }

    @Test(arguments: ["0,0,0,0", "200,0,210,10", "nonsense", "1,2,3", "-170,-80,-160,-70", "nan,0,1,1"])
    func `invalid bounds are replaced by those of the tiles`(text: String) throws {
        var fixture = MBTilesFixture([(tile, fakePicture(tile))])
        fixture.metadata = [("bounds", text), ("minzoom", "9"), ("maxzoom", "12")]
        let archive = try open(fixture)
        #expect(
            archive.info.bounds?.west == 0 && archive.info.bounds?.east == 45 && archive.info.zooms == 3...3)
    }

    /// Declared bounds, the zooms with all tiles of the world, and whether the bounds are kept, for an
    /// archive with a pyramid over one tile of zoom 10.
    @Test(
        arguments: [
            ("-180,-85,180,85", nil, false), ("-75,40,-60,45", nil, false),
            ("-71.2,42.2,-71,42.4", nil, true),
            ("-71.4,42.1,-70.8,42.6", nil, true), ("-180,-85,180,85", 0...3, true),
        ] as [(String, ClosedRange<Int>?, Bool)])
    func `bounds that the tiles hardly fill are replaced by those of the tiles`(
        text: String, world: ClosedRange<Int>?, isKept: Bool
    ) throws {
        let place = Mercator.world(Coordinate(latitude: 42.3, longitude: -71.1))
        var tiles = Set((0...10).map { TileID(zoom: $0, containing: place) })
        tiles.formUnion(TileID(zoom: 8, containing: place).parent?.children ?? [])
        if let world { tiles.formUnion(TileID.pyramid(world)) }
        var fixture = MBTilesFixture(tiles.map { ($0, fakePicture($0)) })
        fixture.metadata = [("bounds", text), ("minzoom", "0"), ("maxzoom", "10")]
        let bounds = try open(fixture).info.bounds, deepest = TileID(zoom: 10, containing: place).box
        let edges = text.split(separator: ",").compactMap { Double($0) }
        let west = isKept ? edges[0] : deepest.minX * 360 - 180,
            east = isKept ? edges[2] : deepest.maxX * 360 - 180
        #expect(
            abs((bounds?.west ?? 0) - west) < 1e-9 && abs((bounds?.east ?? 0) - east) < 1e-9,
            "\(String(describing: bounds))")
    }

    @Test(arguments: [128, 256, 512])
    func `the tile size is that of the first image`(side: Int) throws {
        let archive = try open(MBTilesFixture([(tile, blankPicture(RGB(0), side: side))]))
        #expect(archive.info.tileSize.rawValue == side)
    }

    @Test func `a gzip or zlib wrapper is removed`() throws {
        let picture = fakePicture(tile), other = tile.children[0]
        let archive = try open(
            MBTilesFixture([
                (tile, Gzip.packed(picture)), (other, [0x78, 0x01] + zlibStored(picture).dropFirst(2)),
            ]))
        #expect(try archive.tile(tile) == .bitmap(.encoded(picture)))
        #expect(try archive.tile(other) == .bitmap(.encoded(picture)))
    }

    @Test func `compressed bytes are decompressed in pieces, up to a limit or until enough`() throws {
        let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 / 7) }, packed = Gzip.packed(bytes)
        var pieces: [[UInt8]] = []
        try Gzip.unpack(packed + packed, limit: 6 << 20) { piece in
            pieces.append(piece)
            return true
        }
        #expect(Array(pieces.joined()) == bytes + bytes && pieces.allSatisfy { $0.count <= 1 << 20 })
        var count = 0
        #expect(throws: Gzip.Failure.tooLarge) {
            try Gzip.unpack(packed, limit: 2 << 20) { piece in
                count += piece.count
                return true
            }
        }
        #expect(count <= 2 << 20)
        try Gzip.unpack(packed, limit: 2 << 20) { _ in false }
    }

    @Test func `a body that decompresses beyond the limit is a bad tile`() throws {
        let bomb = Gzip.packed([UInt8](repeating: 0, count: Gzip.limit + 1))
        let archive = try open(MBTilesFixture([(tile, bomb)]))
        let failure = #expect(throws: TileFailure.self) { try archive.tile(tile) }
        #expect(failure?.reason == .badContent && failure?.message.contains("32 MiB") == true)
    }

    @Test func `a first tile of an unusual size is not taken as a sample`() {
        // The last byte is the width in units of 256 pixels.
        let bodies = [16, 1, 1].map { [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, $0] as [UInt8] }
        let probe: TileProbe = { body in ("PNG", Int(body.last ?? 0) * 256, 256) }
        #expect(TileBody.sample(.png, probe) { Array(bodies.prefix($0)) } == bodies[1])
    }

    @Test func `a damaged body is a bad tile that is named`() throws {
        let archive = try open(MBTilesFixture([(tile, [0x1F, 0x8B, 8, 0, 1])]))
        let failure = #expect(throws: TileFailure.self) { try archive.tile(tile) }
        #expect(failure?.reason == .badContent && failure?.message.contains("tile 3/4/2 of") == true)
    }

    @Test func `vector tiles are rejected as images with a message, but returned unchanged`() throws {
        let vector = Gzip.packed([0x1A, 3, 0x0A, 1, 0x61])
        var fixture = MBTilesFixture([(tile, vector)])
        fixture.metadata = [("name", "v"), ("format", "pbf")]
        let path = try fixture.write(in: folder)
        let failure = try Archive.open(path).refusal
        #expect(failure?.reason == .vectorTiles && failure?.problem.contains("vector tiles") == true)
        let found = try Archive.open(path).inspect(checksContents: true)
        #expect(found.kinds == [.init(kind: .vector, tiles: 1)] && !found.faults.has(.format))
        #expect(try Archive.open(path).tile(tile) == .bitmap(.encoded([0x1A, 3, 0x0A, 1, 0x61])))
    }

    @Test func `the first of two rows for the same tile counts`() throws {
        let archive = try open(MBTilesFixture([(tile, fakePicture(tile)), (tile, blankPicture(RGB(1)))]))
        #expect(try archive.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
    }

    @Test func `a write-ahead log that a crash left behind is read`() throws {
        let path = try MBTilesFixture([(tile, fakePicture(tile))]).write(in: folder)
        let writer = try Connection(path, .readWrite)
        try writer.execute("PRAGMA journal_mode=WAL; UPDATE tiles SET tile_data = x'01'", to: "change")
        let archive = try MBTilesArchive(path)
        #expect(try archive.tile(tile) == .bitmap(.encoded([1])))
    }

    @Test func `a locked file is a distinct failure`() throws {
        let path = try MBTilesFixture([(tile, fakePicture(tile))]).write(in: folder)
        let writer = try Connection(path, .readWrite)
        try writer.execute("BEGIN EXCLUSIVE", to: "lock")
        let reader = try Connection(path, .readOnly, busyTimeout: .zero)
        let failure = #expect(throws: StoreFailure.self) {
            try reader.prepare("SELECT * FROM tiles", to: "read").step()
        }
        #expect(failure.map(ArchiveFailure.init)?.reason == .locked)
    }

    @Test func `a damaged page is a failure, and inspection reports it`() throws {
        let path = try MBTilesFixture(zooms: 0...5).write(in: folder)
        let whole = try FileBytes(path)
        var bytes = try whole.read(offset: 0, count: Int(whole.size))
        for at in 8192..<bytes.count { bytes[at] = 0xA5 }
        let broken = folder.write(bytes, to: "broken.mbtiles")
        #expect(throws: (any Error).self) {
            let found = try MBTilesArchive(broken).inspect(checksContents: true)
            #expect(found.faults.has(.directory))
            _ = try MBTilesArchive(broken).tile(TileID(zoom: 5, x: 3, y: 3)!)
        }
    }

    @Test func `several threads may read at once`() async throws {
        let archive = try open(MBTilesFixture(zooms: 0...4))
        await withTaskGroup(of: Bool.self) { group in
            for tile in TileID.pyramid(0...4) {
                group.addTask { (try? archive.tile(tile)) == .bitmap(.encoded(fakePicture(tile))) }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
