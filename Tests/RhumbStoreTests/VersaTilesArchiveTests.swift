import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@testable import RhumbStore

/// Tests VersaTiles containers.
struct VersaTilesArchiveTests {
    private let folder = TemporaryFolder()

    private func open(_ fixture: VersaTilesFixture) throws -> ArchiveInput {
        let path = folder.write(fixture.bytes, to: "map.versatiles")
        return ArchiveInput(path, try Archive.open(path, probe: imageProbe))
    }

    @Test(arguments: [Compression.none, .gzip, .brotli, .zstd])
    func `every tile is found in any compression`(compression: Compression) throws {
        var fixture = VersaTilesFixture(zooms: 0...4)
        fixture.compression = compression
        let input = try open(fixture), archive = input.archive
        for tile in TileID.pyramid(0...4) {
            #expect(try archive.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
            #expect(try archive.storedBody(tile) == compression.stored(fakePicture(tile)))
        }
        #expect(try archive.tile(#require(TileID(zoom: 5, x: 0, y: 0))) == .absent)
        #expect(archive.info.zooms == 0...4 && archive.info.name == "A map" && archive.refusal == nil)
        #expect(archive.info.bounds?.north == 85 && archive.compression == compression)
        let found = try archive.inspect(checksContents: true, decode: imageDecode)
        #expect(found.tileCount == 341 && found.format == "VersaTiles 02" && found.faults.groups.isEmpty)
        let check = try archive.verify(probe: imageProbe, decode: imageDecode)
        #expect(check.tileCount == 341 && check.groups.isEmpty, "\(check.groups)")
        #expect(try archive.statistics(of: input.path).distinct == 341)
    }

    @Test func `tiles in several blocks are found, and gaps are absent`() throws {
        let places = [(255, 255), (256, 255), (255, 256), (256, 256), (300, 511), (511, 0)]
        let tiles = places.compactMap { TileID(zoom: 9, x: $0.0, y: $0.1) }
        let archive = try open(VersaTilesFixture(tiles.map { ($0, fakePicture($0)) })).archive
        for tile in tiles { #expect(try archive.tile(tile) == .bitmap(.encoded(fakePicture(tile)))) }
        for (x, y) in [(254, 255), (257, 300), (400, 400), (0, 511), (510, 0)] {
            #expect(try archive.tile(#require(TileID(zoom: 9, x: x, y: y))) == .absent)
        }
        var listed: [TileID] = []
        try archive.eachTile { listed.append($0) }
        #expect(Set(listed) == Set(tiles) && listed.count == tiles.count)
    }

    @Test(arguments: ArchiveCopyTests.outputs)
    func `a container of vector tiles is converted, and a part is extracted`(output: String) throws {
        var fixture = VersaTilesFixture(TileID.pyramid(0...4).map { ($0, ArchiveFixture.vectorTile($0)) })
        fixture.compression = .brotli
        fixture.tileFormat = 0x20
        fixture.metadata = Array(
            #"{"name":"A map","vector_layers":[{"id":"roads","fields":{"name":"String"}}]}"#.utf8)
        let input = try open(fixture), path = folder.path + "/" + output
        #expect(input.archive.refusal?.reason == .vectorTiles)
        #expect(try input.archive.verify().groups.isEmpty)
        let schema = try input.archive.schema(of: input.path)
        #expect(schema.layers.map(\.name) == ["roads"] && !schema.differsFromMetadata)
        _ = try ArchiveCopy(of: input, to: path).convert()
        let copy = ArchiveInput(path, try Archive.open(path))
        #expect(try ArchiveDiff(input, copy).isEqual && copy.archive.info.name == "A map")
        let area = try RegionGeometry.box(try #require(Bounds(west: 10, south: 10, east: 20, north: 20)))
        let part = folder.path + "/part.pmtiles"
        let summary = try ArchiveCopy(of: input, to: part, isReplacing: true).extract(area, zooms: 3...4)
        #expect(summary.zooms == 3...4 && summary.tiles < 12)
        #expect(try Archive.open(part).tile(#require(TileID(zoom: 4, x: 8, y: 7))) != .absent)
    }

    @Test func `a truncated or damaged container is rejected, or harms no more than tiles`() throws {
        let whole = VersaTilesFixture(zooms: 0...2).bytes
        for length in stride(from: 0, to: whole.count, by: 13) {
            let path = folder.write(Array(whole[..<length]), to: "cut.versatiles")
            #expect(throws: ArchiveFailure.self) { try Archive.open(path) }
        }
        var random = SplitMix(seed: 9)
        for _ in 0..<300 {
            var changed = whole
            let at = Bool.random(using: &random) ? 14..<90 : whole.count - 400..<whole.count
            changed[Int.random(in: at, using: &random)] = .random(in: 0...255, using: &random)
            let path = folder.write(changed, to: "x.versatiles")
            guard let archive = try? VersaTilesArchive(path) else { continue }
            for tile in TileID.pyramid(0...2) { _ = try? archive.tile(tile) }
            _ = try? archive.verify()
            #expect(!(try archive.inspect(checksContents: true)).lines.isEmpty)
        }
    }

    @Test func `reading overlapping bodies is limited to twice the size of the file`() throws {
        var fixture = VersaTilesFixture(zooms: 2...2)
        // The records of the tile index are before a byte that ends it, and the block index of 37 bytes.
        let records = fixture.bytes.count - 37 - 1 - 16 * 12
        for at in 0..<16 {
            let record = records + 12 * at
            // The offset becomes the number, and the length 1000.
            fixture.patches += [
                (record + 6, 0), (record + 7, UInt8(at)), (record + 10, 3), (record + 11, 232),
            ]
        }
        let archive = try open(fixture).archive, found = try archive.inspect(checksContents: true)
        #expect(found.bodies.stored > 0 && found.bodies.storedBytes <= 2 * fixture.bytes.count)
        #expect(found.faults.faultCount >= 10, "\(found.faults)")
    }

    @Test func `faults are reported at their places`() throws {
        var fixture = VersaTilesFixture(zooms: 0...1)
        fixture.patches = [(14, 0x99), (16, 3)] + (18..<34).map { ($0, 0) }
        let found = try open(fixture).archive.verify()
        #expect(found.groups.map(\.kind).prefix(3) == [.header, .zooms, .bounds], "\(found.groups)")
        #expect(found.groups[0].faults.map(\.location) == [.byte(14)])
        var bytes = VersaTilesFixture(zooms: 0...0).bytes
        // The length of the only body, at the end of the index before the block index of 37 bytes.
        bytes[bytes.count - 37 - 3] = 0xFF
        let path = folder.write(bytes, to: "long.versatiles"), archive = try VersaTilesArchive(path)
        #expect(throws: TileFailure.self) { try archive.tile(.world) }
        let fault = try archive.verify().groups.first { $0.kind == .directory }?.faults.first
        #expect(fault?.location == .tile(.world) && fault?.problem.contains("outside of its block") == true)
    }

    @Test func `another version is named`() {
        var bytes = VersaTilesFixture(zooms: 0...0).bytes
        bytes[13] = UInt8(ascii: "1")
        let failure = #expect(throws: ArchiveFailure.self) {
            try Archive.open(folder.write(bytes, to: "old.versatiles"))
        }
        #expect(failure?.problem.contains("a VersaTiles container of version 01") == true)
    }
}
