import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

struct PMTilesArchiveTests {
    let folder = TemporaryFolder()

    private func open(_ fixture: PMTilesFixture) throws -> PMTilesArchive {
        try PMTilesArchive(folder.write(fixture.bytes, to: "map.pmtiles"), probe: imageProbe)
    }

    @Test(
        arguments: [
            (nil, 1, true), (nil, 1, false), (16, 1, true), (16, 1, false), (4, 2, true), (4, 3, false),
        ] as [(Int?, Int, Bool)])
    func `every tile is found in any layout`(leafSize: Int?, depth: Int, isPacked: Bool) throws {
        var fixture = PMTilesFixture(zooms: 0...4)
        fixture.leafSize = leafSize
        fixture.leafDepth = depth
        fixture.isPacked = isPacked
        let archive = try open(fixture)
        for tile in TileID.pyramid(0...4) {
            #expect(try archive.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
        }
        #expect(try archive.tile(TileID(zoom: 5, x: 0, y: 0)!) == .absent)
        #expect(archive.info.zooms == 0...4 && archive.info.name == "A map" && archive.refusal == nil)
    }

    @Test(arguments: [nil, 4])
    func `tiles outside the declared zooms are found, and the zooms include them`(leafSize: Int?) throws {
        var fixture = PMTilesFixture(zooms: 0...4)
        fixture.leafSize = leafSize
        fixture.patches = [(100, 10), (101, 14)]
        let archive = try open(fixture)
        #expect(archive.info.zooms == 0...14)
        fixture.patches = [(100, 0), (101, 0)]
        #expect(try open(fixture).info.zooms == 0...4)
    }

    @Test func `a run represents its tiles and no others`() throws {
        let sea = blankPicture(RGB(0x88AAFF))
        let tiles = TileID.pyramid(2...2).filter { $0.hilbertID < 12 }
        let archive = try open(PMTilesFixture(tiles.map { ($0, sea) }))
        #expect(archive.file.root.entries.map(\.run) == [7])
        for tile in TileID.pyramid(2...2) {
            #expect(try archive.tile(tile) == (tile.hilbertID < 12 ? .bitmap(.encoded(sea)) : .absent))
        }
    }

    @Test func `an archive without tiles opens`() throws {
        #expect(try open(PMTilesFixture([])).tile(.world) == .absent)
    }

    @Test func `embedded data is read in place`() throws {
        let bytes = fakeArchive([(.world, fakePicture(.world))])
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: bytes)
        let archive = try PMTilesArchive(MemoryBytes(UnsafeRawBufferPointer(memory)), name: "world")
        #expect(try archive.tile(.world) == .bitmap(.encoded(fakePicture(.world))))
    }

    @Test(
        arguments: [
            (7, 2, "version 2"), (97, 0, "unknown method"),
        ] as [(Int, UInt8, String)])
    func `an unreadable archive is rejected with the reason`(offset: Int, value: UInt8, name: String) {
        var fixture = PMTilesFixture(zooms: 0...1)
        fixture.patches = [(offset, value)]
        let failure = #expect(throws: ArchiveFailure.self) { try open(fixture) }
        #expect(failure?.reason == .unsupported && failure?.problem.contains(name) == true)
    }

    @Test(
        arguments: [
            (99, 5, "AVIF")
        ] as [(Int, UInt8, String)])
    func `an archive that can't be drawn is rejected with the reason but can be inspected`(
        offset: Int, value: UInt8, name: String
    ) throws {
        var fixture = PMTilesFixture(zooms: 0...1)
        fixture.patches = [(offset, value)]
        let archive = try open(fixture)
        #expect(archive.refusal?.problem.contains(name) == true)
        #expect(try archive.inspect(checksContents: true).tileCount == 5)
        #expect(throws: TileFailure.self) { try archive.tile(.world) }
    }

    @Test func `vector tiles are rejected as images, but returned unchanged`() throws {
        var fixture = PMTilesFixture(zooms: 0...1)
        fixture.patches = [(99, 1)]
        let archive = try open(fixture)
        #expect(archive.refusal?.reason == .vectorTiles)
        #expect(try archive.tile(.world) == .bitmap(.encoded(fakePicture(.world))))
    }

    @Test func `an archive truncated anywhere is rejected`() {
        let whole = PMTilesFixture(zooms: 0...2).bytes
        for length in stride(from: 0, to: whole.count, by: 13) {
            let path = folder.write(Array(whole[..<length]), to: "cut.pmtiles")
            #expect(throws: ArchiveFailure.self) { try PMTilesArchive(path) }
        }
    }

    @Test func `a changed byte harms no more than tiles`() throws {
        var fixture = PMTilesFixture(zooms: 0...2)
        fixture.leafSize = 4
        fixture.isPacked = false
        var random = SplitMix(seed: 7)
        let whole = fixture.bytes
        for _ in 0..<300 {
            var changed = whole
            changed[Int.random(in: 8..<400, using: &random)] = .random(in: 0...255, using: &random)
            guard let archive = try? PMTilesArchive(folder.write(changed, to: "x.pmtiles")) else { continue }
            for tile in TileID.pyramid(0...2) { _ = try? archive.tile(tile) }
            let found = try archive.inspect(checksContents: true)
            #expect(!found.lines.isEmpty)
        }
    }

    @Test func `a leaf that points to itself is a failure`() throws {
        let leaf = PMTilesDirectory([.init(id: 0, run: 0, length: 5, offset: 0)]).encoded
        #expect(leaf.count == 5)
        var header = PMTilesHeader()
        header.root = .init(offset: 127, length: 5)
        header.leaves = .init(offset: 132, length: 5)
        header.internalCompression = .none
        let archive = try PMTilesArchive(folder.write(header.bytes + leaf + leaf, to: "loop.pmtiles"))
        let failure = #expect(throws: TileFailure.self) { try archive.tile(.world) }
        #expect(failure?.reason == .badContent && failure?.message.contains("loop") == true)
        #expect(try archive.inspect(checksContents: true).faults.has(.directory))
    }

    @Test func `compressed tiles are decompressed whatever the header states`() throws {
        let picture = fakePicture(.world), other = TileID(zoom: 1, x: 0, y: 0)!
        var fixture = PMTilesFixture([(.world, Gzip.packed(picture)), (other, picture)])
        fixture.patches = [(98, 2)]
        let archive = try open(fixture)
        #expect(try archive.tile(.world) == .bitmap(.encoded(picture)))
        #expect(try archive.tile(other) == .bitmap(.encoded(picture)))
    }

    @Test func `damaged gzip data is a bad tile`() throws {
        let archive = try open(PMTilesFixture([(.world, [0x1F, 0x8B, 8, 0, 0])]))
        let failure = #expect(throws: TileFailure.self) { try archive.tile(.world) }
        #expect(failure?.reason == .badContent)
    }

    @Test(arguments: ["not json", "[1]", ""])
    func `metadata that is not an object leaves a map that works`(text: String) throws {
        var fixture = PMTilesFixture(zooms: 0...1)
        fixture.metadata = Array(text.utf8)
        let archive = try open(fixture)
        #expect(archive.info.name == "map")
        #expect(try archive.inspect(checksContents: true).faults.groups.map(\.kind) == [.metadata])
    }

    @Test func `metadata is preserved completely`() throws {
        var fixture = PMTilesFixture(zooms: 0...0)
        fixture.metadata = Array(#"{"name":"x","palettes":{"night":["000000"]}}"#.utf8)
        #expect(try open(fixture).metadata["palettes"]?["night"] == ["000000"])
    }

    @Test func `the leaf cache evicts the least recently used leaf`() {
        var cache = DirectoryCache()
        let leaf = PMTilesDirectory(
            Array(repeating: .init(id: 0, run: 1, length: 1, offset: 0), count: DirectoryCache.limit / 10))
        for offset in 0..<UInt64(80) {
            cache.insert(leaf, at: offset)
            #expect(cache[0] != nil)
        }
        #expect((0..<UInt64(80)).filter { cache[$0] != nil } == [0] + (71..<80))
    }

    @Test func `a leaf that exceeds the whole cache is cached alone`() {
        var cache = DirectoryCache()
        let leaf = PMTilesDirectory(
            Array(repeating: .init(id: 0, run: 1, length: 1, offset: 0), count: DirectoryCache.limit + 1))
        for offset in 0..<UInt64(3) { cache.insert(leaf, at: offset) }
        #expect((0..<UInt64(3)).filter { cache[$0] != nil } == [2])
    }
}
