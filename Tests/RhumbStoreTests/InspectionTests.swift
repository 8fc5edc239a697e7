import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct InspectionTests {
    let folder = TemporaryFolder()
    let a = TileID(zoom: 2, x: 0, y: 0)!, b = TileID(zoom: 2, x: 3, y: 1)!

    private func inspect(_ fixture: MBTilesFixture, decode: TileDecode? = nil) throws -> ArchiveInspection {
        try MBTilesArchive(fixture.write(in: folder)).inspect(
            checksContents: true, probe: imageProbe, decode: decode)
    }

    private func fault(
        _ kind: VerificationFault.Kind, in found: ArchiveInspection
    ) -> ArchiveVerification.Group? {
        found.faults.groups.first { $0.kind == kind }
    }

    @Test func `a complete pyramid has no gaps in any format`() throws {
        let tiles = TileID.pyramid(0...4)
        var leafy = PMTilesFixture(zooms: 0...4)
        leafy.leafSize = 32
        for tile in tiles { folder.write(fakePicture(tile), to: "f/\(tile).png") }
        let paths = [
            try MBTilesFixture(zooms: 0...4).write(in: folder), folder.write(leafy.bytes, to: "m.pmtiles"),
            folder.path + "/f",
        ]
        for path in paths {
            let found = try Archive.open(path).inspect(checksContents: true, probe: imageProbe)
            #expect(found.tileCount == 341 && found.zooms.map(\.tiles) == [1, 4, 16, 64, 256])
            #expect(found.byteCount == tiles.reduce(0) { $0 + fakePicture($1).count })
            #expect(found.zooms.allSatisfy { $0.holes == 0 && $0.orphans == 0 } && found.missingZooms.isEmpty)
            #expect(found.kinds == [.init(kind: .png, tiles: 341)])
            #expect(found.sizes == [.init(width: 8, height: 8, tiles: 341)])
            #expect(found.zooms[4].columns == 0...15 && found.zooms[4].rows == 0...15)
        }
    }

    @Test func `holes, orphans and missing zooms are counted with examples`() throws {
        let tiles = [TileID.world, a, b, b.children[0]]
        let found = try inspect(MBTilesFixture(tiles.map { ($0, fakePicture($0)) }))
        #expect(found.missingZooms == [1])
        let two = try #require(found.zooms.first { $0.zoom == 2 })
        #expect(two.columns == 0...3 && two.rows == 0...1 && two.holes == 6 && two.holeExamples.count == 3)
        #expect(two.holeExamples.allSatisfy { $0.zoom == 2 && $0.y <= 1 && $0 != a && $0 != b })
        #expect(two.orphans == 2 && Set(two.orphanExamples) == [a, b])
        #expect(found.zooms.last?.orphans == 0)
    }

    @Test func `gaps agree with counting one by one`() throws {
        var random = SplitMix(seed: 3)
        let kept = TileID.pyramid(0...5).filter { _ in Int.random(in: 0..<10, using: &random) < 7 }
        let found = try inspect(MBTilesFixture(kept.map { ($0, [1]) }))
        let all = Set(kept)
        for zoom in found.zooms {
            let here = kept.filter { $0.zoom == zoom.zoom }
            let first = found.zooms.first?.zoom
            #expect(zoom.tiles == here.count)
            #expect(zoom.columns == here.map(\.x).min()!...here.map(\.x).max()!)
            #expect(zoom.rows == here.map(\.y).min()!...here.map(\.y).max()!)
            #expect(zoom.holes == zoom.columns.count * zoom.rows.count - here.count)
            #expect(zoom.holeExamples.allSatisfy { !all.contains($0) })
            #expect(zoom.orphans == (zoom.zoom == first ? 0 : here.count { !all.contains($0.parent!) }))
            #expect(zoom.orphanExamples.allSatisfy { all.contains($0) && !all.contains($0.parent!) })
        }
    }

    @Test func `equal bodies are counted, with shared ones as saved and copies as wasted`() throws {
        let sea = blankPicture(RGB(0x88AAFF)), tiles = TileID.pyramid(0...2)
        var fixture = MBTilesFixture(tiles.map { ($0, sea) })
        let copies = try inspect(fixture).bodies
        #expect(copies.distinct == 1 && copies.stored == 21 && copies.repeats == 20)
        #expect(copies.wastedBytes == 20 * sea.count && copies.savedBytes == 0)
        fixture.layout = .view
        let shared = try MBTilesArchive(fixture.write(in: folder, name: "v.mbtiles")).inspect(
            checksContents: true
        )
        .bodies
        #expect(shared.stored == 1 && shared.savedBytes == 20 * sea.count && shared.wastedBytes == 0)
        let path = folder.write(PMTilesFixture(tiles.map { ($0, sea) }).bytes, to: "r.pmtiles")
        let run = try PMTilesArchive(path).inspect(checksContents: true)
        #expect(run.bodies == shared && run.zooms.map(\.tiles) == [1, 4, 16])
    }

    @Test func `blank tiles are counted only on request`() throws {
        let fixture = MBTilesFixture([
            (a, blankPicture(RGB(1))), (b, fakePicture(b)), (.world, blankPicture(RGB(1))),
        ])
        #expect(try inspect(fixture, decode: imageDecode).blankTiles == 2)
        #expect(
            try MBTilesArchive(folder.path + "/map.mbtiles").inspect(checksContents: true).blankTiles == nil)
    }

    @Test func `each kind of fault is found and its tile is named`() throws {
        let t = TileID.pyramid(4...4)
        let picture = fakePicture(t[0])
        var fixture = MBTilesFixture([
            (t[0], picture), (t[1], picture), (t[1], picture), (t[2], nil), (t[3], []),
            (t[4], [0x1F, 0x8B, 8, 1]),
            (t[5], Array("<html>".utf8)), (t[6], Array(picture.prefix(40))),
            (t[7], fakePicture(t[7], side: 16)),
        ])
        fixture.metadata = [
            ("name", "x"), ("format", "jpg"), ("minzoom", "1"), ("maxzoom", "2"), ("bounds", "a,b"),
        ]
        let path = try fixture.write(in: folder)
        try Connection(path, .readWrite).execute(
            "INSERT INTO tiles VALUES (4, 16, 0, x'00'), (77, 0, 0, x'00')", to: "add")
        let found = try MBTilesArchive(path).inspect(
            checksContents: true, probe: imageProbe, decode: imageDecode)
        func places(_ kind: VerificationFault.Kind) -> [VerificationFault.Location]? {
            fault(kind, in: found)?.faults.map(\.location)
        }
        #expect(places(.duplicate) == [.tile(t[1])])
        #expect(places(.empty) == [.tile(t[2]), .tile(t[3])])
        #expect(places(.compression) == [.tile(t[4])])
        #expect(places(.format)?.contains(.tile(t[5])) == true)
        #expect(places(.content) == [.tile(t[6])])
        #expect(places(.size) == [.tile(t[7])])
        #expect(found.sizes.contains { $0.width == 16 && $0.tiles == 1 })
        #expect(fault(.directory, in: found)?.count == 2 && fault(.metadata, in: found)?.count == 1)
        let quick = try MBTilesArchive(path).inspect(),
            free = found.faults.groups.map(\.kind).filter {
                [.metadata, .directory, .duplicate, .empty, .zooms].contains($0)
            }
        #expect(quick.faults.unchecked == .notRequested && quick.kinds.isEmpty)
        #expect(quick.faults.groups.map(\.kind) == free)
    }

    @Test func `oversized tiles are listed, the largest first`() throws {
        let sizes = [500_000, 500_001, 700_000, 3, 4, 5]
        let tiles = zip(TileID.pyramid(3...3), sizes).map {
            ($0, [UInt8](repeating: 7, count: $1) as [UInt8]?)
        }
        let found = try inspect(MBTilesFixture(tiles))
        #expect(found.oversizedTiles == 2 && found.largest.map(\.bytes) == [700_000, 500_001, 500_000, 5, 4])
        #expect(
            found.zooms[0].smallest == 3 && found.zooms[0].largest == 700_000
                && found.zooms[0].average == 1_700_013 / 6)
    }

    @Test func `wrong counts in the header are a fault`() throws {
        var fixture = PMTilesFixture(zooms: 0...2)
        fixture.patches = [(72, 9)]
        let path = folder.write(fixture.bytes, to: "c.pmtiles")
        let found = try PMTilesArchive(path).inspect(checksContents: true)
        #expect(found.faults.groups.map(\.kind) == [.count])
        #expect(
            found.faults.groups.first?.faults.map(\.problem) == [
                "the header declares 9 tiles, but there are 21"
            ])
        #expect(try PMTilesArchive(path).inspect().faults.groups == found.faults.groups)
    }

    @Test func `lines and JSON contain the figures, sanitised`() throws {
        var fixture = MBTilesFixture(zooms: 0...1)
        fixture.metadata = [("name", "A\u{1B}[31m"), ("format", "png")]
        let found = try inspect(fixture)
        let text = found.lines.joined(separator: "\n")
        #expect(text.contains("tiles     5 in") && text.contains("zooms     0–1") && !text.contains("\u{1B}"))
        let json = try JSON.parse(found.json.indentedText)
        #expect(json["tiles"] == 5 && json["zooms"]?.array?.count == 2 && json["blankTiles"] == .null)
        #expect(json["metadata"]?["name"] == "A\u{1B}[31m" && !found.json.text.contains("\u{1B}"))
    }

    @Test func `an archive without tiles says so`() throws {
        let found = try inspect(MBTilesFixture([]))
        #expect(found.tileCount == 0 && found.foundBounds == nil && !found.lines.isEmpty)
        #expect(
            fault(.metadata, in: found)?.faults.map(\.problem).contains("the archive has no tiles") == true)
    }

    @Test(arguments: [
        "helsinki-raster", "helsinki-raster-512", "world_plain_1", "geography-class-png",
        "world_cities-vector",
    ])
    func `a real archive's counts equal those of SQL`(name: String) throws {
        guard let data = TestData.folder else { return print("skipped: RHUMB_TEST_DATA is not set") }
        let path = "\(data)/\(name).mbtiles"
        let found = try Archive.open(path).inspect(
            checksContents: true, probe: imageProbe, decode: imageDecode)
        let rows = try Connection(path, .readOnly).prepare(
            """
            SELECT zoom_level, count(*), sum(length(tile_data)), min(length(tile_data)), max(length(tile_data)),
            min(tile_column), max(tile_column) FROM tiles GROUP BY zoom_level ORDER BY zoom_level
            """, to: "count")
        for zoom in found.zooms {
            #expect(try rows.step())
            let figures = [
                zoom.zoom, zoom.tiles, zoom.bytes, zoom.smallest, zoom.largest, zoom.columns.lowerBound,
                zoom.columns.upperBound,
            ]
            #expect((0..<7).map { rows.int($0) } == figures)
        }
        #expect(try !rows.step())
        let distinct = try Connection(path, .readOnly).prepare(
            "SELECT count(DISTINCT tile_data) FROM tiles", to: "count")
        try distinct.step()
        #expect(distinct.int(0) == found.bodies.distinct)
    }
}
