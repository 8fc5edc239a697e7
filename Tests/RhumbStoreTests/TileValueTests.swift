import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the values of tiles, and the lists of the largest.
struct TileValueTests {
    private let folder = TemporaryFolder()

    /// Returns a vector tile with that many points.
    private func points(_ count: Int) -> [UInt8] {
        let features = (0..<count).map { VectorTileFixture.Feature(.line, through: [(0, 0), ($0, 9)]) }
        return VectorTileFixture([("l", features)]).bytes
    }

    @Test(arguments: [ArchiveFixture.Format.mbtiles, .pmtiles, .folder])
    func `the largest tiles are those with most features, in any format`(
        format: ArchiveFixture.Format
    ) throws {
        var fixture = ArchiveFixture(vectorZooms: 0...2)
        for (at, tile) in TileID.pyramid(0...2).enumerated() { fixture.tiles[tile] = points(at + 1) }
        let archive = try fixture.write(format, in: folder).archive, tiles = TileID.pyramid(0...2)
        for (measure, factor) in [(TileMeasure.features, 1), (.vertices, 2)] {
            let found = try archive.largestTiles(by: measure, limit: 3)
            #expect(found.map(\.tile) == [tiles[20], tiles[19], tiles[18]])
            #expect(found.map(\.value) == [21, 20, 19].map { $0 * factor })
            let fifth = try archive.value(of: tiles[4], by: measure)
            #expect(fifth == 5 * factor)
        }
        let missing = try #require(TileID(zoom: 5, x: 0, y: 0))
        let none = try archive.value(of: missing, by: .features)
        let stored = try archive.storedBody(tiles[7])?.count,
            bytes = try archive.value(of: tiles[7], by: .bytes)
        #expect(none == nil && bytes == stored)
    }

    @Test func `only folders know the ages of their tiles`() throws {
        let input = try ArchiveFixture(zooms: 0...1).write(.folder, in: folder)
        let old = try #require(TileID(zoom: 1, x: 1, y: 0))
        let file = try #require((input.archive as? TileFolder)?.file(of: old))
        var times = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
        utimes(file, &times)
        let found = try input.archive.largestTiles(by: .age, limit: 2)
        #expect(found.first?.tile == old && found.first.map { $0.value > 500_000_000 } == true)
        let archive = try ArchiveFixture(zooms: 0...1).write(.pmtiles, in: folder).archive
        let age = try archive.value(of: .world, by: .age),
            listed = try archive.largestTiles(by: .age, limit: 2)
        #expect(age == nil && listed.isEmpty)
    }
}
