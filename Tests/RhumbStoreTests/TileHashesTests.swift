import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the lists of tile hashes that compare editions of an archive.
struct TileHashesTests {
    private func list(_ archive: [UInt8], version: String = "1") throws -> TileHashes {
        let folder = TemporaryFolder(),
            archive = try PMTilesArchive(folder.write(archive, to: "test.pmtiles"))
        var hashes = try archive.hashes(version: version)
        try archive.walk(.bodies()) { hashes.add($0.ids, TileHashes.hash(try $0.body.get())) }
        return hashes
    }

    @Test func `a list is read as it was written`() throws {
        for fixture in [PMTilesFixture(zooms: 0...4), PMTilesFixture([(.world, [1, 2, 3])])] {
            let list = try list(fixture.bytes)
            #expect(try TileHashes(list.bytes) == list && list.tiles == UInt64(fixture.tiles.count))
        }
    }

    @Test func `a hash is FNV-1a, which anybody can compute`() {
        #expect(TileHashes.hash([]) == 0xCBF2_9CE4_8422_2325)
        #expect(TileHashes.hash(Array("a".utf8)) == 0xAF63_DC4C_8601_EC8C)
        #expect(TileHashes.hash(Array("foobar".utf8)) == 0x8594_4171_F739_67E8)
    }

    @Test func `changed, added and removed tiles are distinguished from unchanged ones`() throws {
        var fixture = PMTilesFixture(zooms: 0...3)
        let old = try list(fixture.bytes), changed = fixture.tiles[10].tile, gone = fixture.tiles[20].tile
        fixture.tiles[10].body = Array("other".utf8)
        fixture.tiles.remove(at: 20)
        let came = try #require(TileID(zoom: 4, x: 3, y: 3))
        fixture.tiles.append((came, [7, 7, 7]))
        let new = try list(fixture.bytes)
        #expect(Set(new.changed(since: old)) == [changed, came])
        #expect(new[gone] == nil && old[gone] != nil)
        #expect(new[fixture.tiles[0].tile] == old[fixture.tiles[0].tile])
    }

    @Test func `equal tiles in a row are one entry`() throws {
        let sea = [UInt8](repeating: 9, count: 50)
        let small = try list(PMTilesFixture(TileID.pyramid(0...6).map { ($0, sea) }).bytes)
        #expect(small.tiles == 5461 && small.bytes.count < 60)
    }

    @Test func `a list takes little more than eight bytes per tile`() throws {
        let list = try list(PMTilesFixture(zooms: 0...6).bytes)
        #expect(list.bytes.count < 5461 * 8 * 102 / 100 + 100)
    }

    @Test func `a list matches the archive it was made from`() throws {
        let a = PMTilesFixture(zooms: 0...3).bytes, b = PMTilesFixture(zooms: 0...4).bytes
        #expect(try list(a).fits(a, metadata: []) && !list(a).fits(b, metadata: []))
    }

    @Test
    func `a list with cryptographic hashes covers the first bytes, the metadata and each unpacked tile`()
        throws
    {
        let fixture = PMTilesFixture(zooms: 0...3), folder = TemporaryFolder()
        let archive = try PMTilesArchive(folder.write(fixture.bytes, to: "test.pmtiles"))
        var list = try archive.hashes(version: "1", isSecure: true)
        try archive.walk(.bodies()) { list.add($0.ids, TileDigest(ofUnpacked: try $0.plain(in: "test"))) }
        let read = try TileHashes(list.bytes)
        #expect(read == list && read.isSecure && list.bytes.starts(with: TileHashes.secureMark))
        for (tile, body) in fixture.tiles { #expect(read[tile] == TileDigest(ofUnpacked: body)) }
        let section = try #require(PMTilesHeader(fixture.bytes)).metadata
        let metadata = Array(fixture.bytes[Int(section.offset)..<Int(section.offset + section.length)])
        #expect(
            read.fits(fixture.bytes, metadata: metadata)
                && !read.fits(fixture.bytes, metadata: metadata + [1]))
        #expect(!read.fits([0] + fixture.bytes, metadata: metadata))
        // Lists of both kinds have no hash in common.
        #expect(read.changed(since: try self.list(fixture.bytes)).count == fixture.tiles.count)
    }

    @Test func `truncated and damaged lists are rejected`() throws {
        let bytes = try list(PMTilesFixture(zooms: 0...4).bytes).bytes
        for length in [0, 7, 16, 17, 40, bytes.count / 2, bytes.count - 1] {
            #expect(throws: TileHashesFailure.self) { try TileHashes(Array(bytes[..<length])) }
        }
        var generator = SplitMix(seed: SplitMix.anySeed)
        for _ in 0..<200 {
            var damaged = bytes
            damaged[Int.random(in: 16..<bytes.count, using: &generator)] ^= UInt8.random(
                in: 1...255, using: &generator)
            // A changed gzip header doesn't change the list.
            if let read = try? TileHashes(damaged) { #expect(try read == TileHashes(bytes)) }
        }
    }

    @Test(arguments: [
        [1, 49, 200, 200, 200, 1], [1, 49, 2, 0, 0, 1], [0],
        [1, 49, 1, 0, 0] + Array(repeating: 0, count: 8),
        [1, 49, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1]
            + Array(repeating: 0, count: 8),
        [1, 49, 1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]
            + Array(repeating: 0, count: 8),
    ])
    func `a list with impossible counts is rejected`(plain: [UInt8]) {
        let bytes = TileHashes.mark + [UInt8](repeating: 0, count: 8) + Gzip.packed(plain)
        #expect(throws: TileHashesFailure.self) { try TileHashes(bytes) }
    }
}
