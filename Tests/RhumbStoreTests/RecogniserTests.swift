import RhumbCore
import RhumbStore
import RhumbTestSupport
import Testing

struct RecogniserTests {
    let folder = TemporaryFolder()

    @Test func `archives are recognised by their content whatever their name`() throws {
        let mbtiles = try MBTilesFixture(zooms: 0...0).write(in: folder, name: "a.pmtiles")
        let pmtiles = folder.write(PMTilesFixture(zooms: 0...0).bytes, to: "b.mbtiles")
        folder.write(fakePicture(.world), to: "c.png/0/0/0.png")
        #expect(try Archive.open(mbtiles) is MBTilesArchive)
        #expect(try Archive.open(pmtiles) is PMTilesArchive)
        #expect(try Archive.open(folder.path + "/c.png") is TileFolder)
    }

    @Test(
        arguments: [
            ([], "empty"), (Array("PM".utf8) + [2, 0, 0], "version 2"), ([0x49, 0x49, 0x2A, 0, 8], "TIFF"),
            (Array("PK\u{3}\u{4}".utf8), "zip"), ([0x1F, 0x8B, 8], "gzip"),
            ([0x89, 0x50, 0x4E, 0x47], "PNG"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "JPEG"), (Array("RIFF____WEBP".utf8), "WebP"),
            (Array("GIF89a".utf8), "GIF"),
            (Array("\n<!DOCTYPE html><html>".utf8), "HTML"), (Array("<?xml?>".utf8), "XML"),
            (Array(#"{"a":1}"#.utf8), "JSON"), (Array("hello\n".utf8), "a text"),
            ([0, 1, 2, 3], "unknown kind"),
            (Array("version https://git-lfs.github.com/spec/v1".utf8), "LFS"),
            (Array("%PDF-1.4".utf8), "PDF"),
            (Array("SQLite format 3\0".utf8), "truncated"),
        ] as [([UInt8], String)])
    func `other files are rejected with the detected kind`(bytes: [UInt8], name: String) {
        let path = folder.write(bytes, to: "thing.mbtiles")
        let failure = #expect(throws: ArchiveFailure.self) { try Archive.open(path) }
        #expect(failure?.reason == .notRecognised && failure?.problem.contains(name) == true)
    }

    @Test(
        arguments: [
            (Array("PM".utf8) + [2, 0, 0], "pmtiles convert"),
            ([0x49, 0x49, 0x2A, 0], "to a PMTiles or MBTiles archive"),
            (Array("versatiles_v01".utf8), "versatiles convert"),
            ([0, 0, 0, 0x0C] + Array("jP  ".utf8), "gdal_translate -of COG IN OUT"),
            (Array("CDF\u{1}".utf8), "gdal_translate -of COG IN OUT"),
            (Array("\n<VRTDataset>".utf8), "gdal_translate -of COG IN OUT"),
            (Array("ncols 5\n".utf8), "gdal_translate -of COG IN OUT"),
            ([0x89, 0x50, 0x4E, 0x47], "-a_srs EPSG:CODE -a_ullr WEST NORTH EAST SOUTH IN OUT"),
        ] as [([UInt8], String)])
    func `a file that can be converted is rejected with the way to do so`(bytes: [UInt8], advice: String) {
        let path = folder.write(bytes, to: "thing.mbtiles")
        let failure = #expect(throws: ArchiveFailure.self) { try Archive.open(path) }
        #expect(failure?.advice.contains(advice) == true)
    }

    @Test func `another program's database is rejected`() throws {
        let path = folder.path + "/a.mbtiles"
        try Connection(path, .readWrite).execute("CREATE TABLE notes (a)", to: "make")
        let failure = #expect(throws: ArchiveFailure.self) { try Archive.open(path) }
        #expect(failure?.problem.contains("without map tiles") == true)
    }

    @Test func `a missing file is named`() {
        let failure = #expect(throws: ArchiveFailure.self) {
            try Archive.open(folder.path + "/none\u{1B}.mbtiles")
        }
        #expect(
            failure?.reason == .cannotOpen
                && failure?.description.contains("none.mbtiles: no such file; check its name") == true)
    }
}
