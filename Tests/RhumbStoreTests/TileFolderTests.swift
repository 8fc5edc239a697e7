import Glibc
import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

struct TileFolderTests {
    let folder = TemporaryFolder()
    let tile = TileID(zoom: 3, x: 4, y: 2)!

    @Test(arguments: ["png", "jpg", "jpeg", "webp", "PNG", "JPG"])
    func `a tile is found with any file extension`(ending: String) throws {
        folder.write(fakePicture(tile), to: "3/4/2.\(ending)")
        let source = try TileFolder(folder.path)
        #expect(try source.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
        #expect(try source.tile(tile.children[0]) == .absent)
        #expect(source.info.zooms == 3...3 && source.info.bounds?.west == 0 && source.info.bounds?.east == 45)
    }

    @Test func `rows may count from the south`() throws {
        folder.write(fakePicture(tile), to: "3/4/5.png")
        #expect(try TileFolder(folder.path, scheme: .tms).tile(tile) == .bitmap(.encoded(fakePicture(tile))))
        #expect(try TileFolder(folder.path, scheme: .xyz).tile(tile) == .absent)
        folder.write(
            Array(#"{"scheme":"tms","name":"South","attribution":"<b>me</b>"}"#.utf8), to: "metadata.json")
        let source = try TileFolder(folder.path)
        #expect(source.scheme == .tms && source.info.name == "South" && source.info.attribution == "me")
        #expect(try source.tile(tile) == .bitmap(.encoded(fakePicture(tile))))
    }

    @Test func `other files and folders are skipped`() throws {
        folder.write([1], to: "readme.txt")
        folder.write([1], to: "99/0/0.png")
        folder.write([1], to: "2/a/0.png")
        folder.write([1], to: "2/9/0.png")
        folder.write(fakePicture(tile), to: "3/4/2.png")
        folder.write([1], to: "3/4/2.txt")
        let found = try TileFolder(folder.path).inspect(checksContents: true)
        #expect(found.tileCount == 1 && found.zooms.map(\.zoom) == [3])
    }

    @Test func `a folder without tiles is rejected with an example`() {
        let failure = #expect(throws: ArchiveFailure.self) { try TileFolder(folder.path) }
        #expect(failure?.reason == .notRecognised && failure?.advice.contains("3/4/2.png") == true)
    }

    @Test func `symbolic links are followed and count as one body`() throws {
        let path = folder.write(fakePicture(tile), to: "3/4/2.png")
        symlink(path, folder.path + "/3/4/3.png")
        folder.write(fakePicture(tile), to: "3/4/4.png")
        let found = try TileFolder(folder.path).inspect(checksContents: true)
        let size = fakePicture(tile).count
        #expect(found.tileCount == 3 && found.bodies.stored == 2 && found.bodies.distinct == 1)
        #expect(found.bodies.savedBytes == size && found.bodies.wastedBytes == size)
    }

    @Test func `an empty file is a tile without content`() throws {
        folder.write([], to: "3/4/2.png")
        #expect(try TileFolder(folder.path).tile(tile) == .absent)
    }

    @Test(arguments: ["pbf", "mvt"])
    func `a folder of vector tiles is recognised, compressed or not`(ending: String) throws {
        let folder = TemporaryFolder(), tile = try #require(TileID(zoom: 2, x: 1, y: 3))
        let body = VectorTileFixture([("pois", [.init(.point, through: [(9, 9)])])]).bytes
        folder.write(ending == "pbf" ? Gzip.packed(body) : body, to: "2/1/3.\(ending)")
        let source = try TileFolder(folder.path)
        #expect(source.refusal?.reason == .vectorTiles && source.info.zooms == 2...2)
        #expect(try source.tile(tile) == .bitmap(.encoded(body)))
    }
}
