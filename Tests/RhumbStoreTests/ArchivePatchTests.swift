import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests patches between archives.
struct ArchivePatchTests {
    private let folder = TemporaryFolder()

    private func opened(_ name: String) throws -> ArchiveInput {
        ArchiveInput(folder.path + "/" + name, try Archive.open(folder.path + "/" + name, probe: imageProbe))
    }

    @Test(
        arguments: ArchiveFixture.Format.allCases.filter { $0 != .gpkg },
        [ArchiveFixture.Format.pmtiles, .mbtiles, .folder])
    func `a patched archive equals the new one in any format`(
        old: ArchiveFixture.Format, new: ArchiveFixture.Format
    ) throws {
        let first = ArchiveFixture(vectorZooms: 0...3)
        var second = ArchiveFixture(vectorZooms: 1...4)
        second.name = "New"
        let changed = try #require(TileID(zoom: 2, x: 1, y: 1)),
            gone = try #require(TileID(zoom: 3, x: 5, y: 2))
        second.tiles[changed] = ArchiveFixture.vectorTile(.world)
        second.tiles[gone] = nil
        let own = try first.write(old, in: folder, as: "old"),
            its = try second.write(new, in: folder, as: "new")
        let made = try ArchivePatch.make(from: own, to: its, at: folder.path + "/p.pmtiles")
        #expect(made.changed == 257 && made.common == 82)
        let applied = try ArchivePatch.apply(
            folder.path + "/p.pmtiles", to: own, at: folder.path + "/made.pmtiles")
        #expect(applied.archive.tiles == 339 && applied.changed == 257)
        let diff = try ArchiveDiff(opened("made.pmtiles"), its)
        #expect(diff.isEqual, "\(diff)")
    }

    @Test func `a container compressed with Brotli is patched`() throws {
        var fixture = VersaTilesFixture(TileID.pyramid(0...2).map { ($0, ArchiveFixture.vectorTile($0)) })
        fixture.compression = .brotli
        fixture.tileFormat = 0x20
        folder.write(fixture.bytes, to: "old.versatiles")
        let old = try opened("old.versatiles")
        let new = try ArchiveFixture(vectorZooms: 1...3).write(.pmtiles, in: folder, as: "new")
        _ = try ArchivePatch.make(from: old, to: new, at: folder.path + "/p.pmtiles")
        _ = try ArchivePatch.apply(folder.path + "/p.pmtiles", to: old, at: folder.path + "/made.pmtiles")
        #expect(try ArchiveDiff(opened("made.pmtiles"), new).isEqual)
    }

    @Test func `a patch between equal archives contains no change`() throws {
        let input = try ArchiveFixture(zooms: 0...2).write(.pmtiles, in: folder)
        let made = try ArchivePatch.make(from: input, to: input, at: folder.path + "/p.pmtiles")
        #expect(made.changed == 0 && made.common == 21)
        let applied = try ArchivePatch.apply(
            folder.path + "/p.pmtiles", to: input, at: folder.path + "/same.mbtiles")
        #expect(applied.changed == 0 && applied.common == 21)
        #expect(try ArchiveDiff(opened("same.mbtiles"), input).isEqual)
    }

    @Test func `a patch is an archive of the changed tiles`() throws {
        let old = try ArchiveFixture(zooms: 0...2).write(.mbtiles, in: folder, as: "old")
        var fixture = ArchiveFixture(zooms: 0...3)
        fixture.bounds = [-180, -85, 180, 85]
        let new = try fixture.write(.mbtiles, in: folder, as: "new")
        _ = try ArchivePatch.make(from: old, to: new, at: folder.path + "/p.pmtiles")
        let patch = try opened("p.pmtiles")
        #expect(patch.archive.info.zooms == 3...3 && patch.archive.info.name == "A map")
        #expect(try patch.archive.verify().faultCount == 0)
    }

    @Test func `another base or a damaged patch is refused, and nothing remains`() throws {
        let old = try ArchiveFixture(zooms: 0...2).write(.pmtiles, in: folder, as: "old")
        let new = try ArchiveFixture(zooms: 0...3).write(.pmtiles, in: folder, as: "new")
        let path = folder.path + "/p.pmtiles", target = folder.path + "/out.pmtiles"
        _ = try ArchivePatch.make(from: old, to: new, at: path)
        var other = ArchiveFixture(zooms: 0...2)
        other.tiles[.world] = blankPicture(RGB(0xFF0000))
        let base = try other.write(.pmtiles, in: folder, as: "base")
        func reason(_ patch: String, _ base: ArchiveInput) -> ArchiveCopyFailure.Reason? {
            let error = #expect(throws: ArchiveCopyFailure.self) {
                try ArchivePatch.apply(patch, to: base, at: target)
            }
            return error?.reason
        }
        #expect(reason(path, base) == .otherBase)
        #expect(reason(old.path, old) == .notPatch)
        let bytes = folder.bytes("p.pmtiles")
        for offset in [bytes.count - 9, bytes.count - 12, bytes.count - 40] {
            var damaged = bytes
            damaged[offset] ^= 0x80
            #expect(reason(folder.write(damaged, to: "d.pmtiles"), old) == .notPatch)
        }
        #expect(folder.names.allSatisfy { !$0.hasPrefix("out") })
    }
}
