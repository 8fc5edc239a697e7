import RhumbCore
import RhumbDrawing
import RhumbEngine
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests copies of GeoTIFF files whose tiles have no data in parts.
struct GeoTIFFCopyTests {
    private let folder = TemporaryFolder()

    /// A picture with 4 × 4 tiles at its deepest zoom. One of them shows data.
    private func picture(_ name: String, column: Int = 1) throws -> ArchiveInput {
        var fixture = GeoTIFFFixture()
        fixture.side = 1024
        fixture.noData = "0"
        fixture.sample = { x, y, _ in x / 256 == column && y / 256 == 1 ? 90 : 0 }
        let path = folder.write(fixture.bytes, to: name)
        return ArchiveInput(path, try GeoTIFFArchive(path, name: "ortho"))
    }

    private static let shown = TileID(zoom: 6, x: 33, y: 21)!, blank = TileID(zoom: 6, x: 32, y: 20)!

    @Test(arguments: [
        (1 << 30, "it has too many blocks of 16 × 16 pixels"),
        (1 << 15, "it has more blocks than a file of its size can list"),
    ])
    func `a small file that states a huge size is refused`(side: Int, problem: String) throws {
        var fixture = GeoTIFFFixture()
        fixture.block = 16
        fixture.statedSide = side
        fixture.location = (0, 0, 0.001)
        let path = folder.write(fixture.bytes, to: "c.tif")
        let failure = #expect(throws: ArchiveFailure.self) { try GeoTIFFArchive(path, name: "c") }
        #expect(failure?.problem == problem)
    }

    @Test func `tiles without data are absent, in answers and in copies`() throws {
        let input = try picture("a.tif")
        #expect(try input.archive.storedBody(Self.shown) != nil)
        #expect(try input.archive.storedBody(Self.blank) == nil)
        #expect(try input.archive.storedBody(TileID(zoom: 6, x: 0, y: 0)!) == nil)
        let inspection = try input.archive.inspect(checksContents: true, probe: TileProbes.header) {
            try? SniffingDecoder().decode($0, limits: .tile)
        }
        #expect(inspection.faults.faultCount == 0, "\(inspection.faults.groups)")
        for name in ["b.pmtiles", "b.mbtiles"] {
            let output = "\(folder.path)/\(name)"
            let summary = try ArchiveCopy(of: input, to: output).convert()
            // One tile at each of the zooms 0 to 6, and the 15 blank ones of zoom 6 and 3 of zoom 5.
            #expect(summary.tiles == 7 && summary.emptyTiles == 18)
            let copy = try Archive.open(output)
            #expect(try copy.storedBody(Self.shown) == input.archive.storedBody(Self.shown))
            #expect(try copy.storedBody(Self.blank) == nil)
            #expect(try ArchiveDiff(input, ArchiveInput(output, copy)).isEqual)
            #expect(try ArchiveDiff(ArchiveInput(output, copy), input).isEqual)
        }
    }

    @Test func `a tile without data is no duplicate of another picture's tile`() throws {
        let inputs = [try picture("a.tif"), try picture("b.tif", column: 2)]
        let output = "\(folder.path)/c.pmtiles"
        let summary = try ArchiveMerge(of: inputs, to: output, onDuplicate: .first).run()
        // The pictures share the tiles of zooms 0 to 4.
        #expect(summary.duplicates == 5 && summary.archive.tiles == 9)
        let copy = try Archive.open(output), right = TileID(zoom: 6, x: 34, y: 21)!
        #expect(try copy.storedBody(right) == inputs[1].archive.storedBody(right))
    }

    @Test func `a picture that can't be drawn at every zoom is refused before a tile is drawn`() throws {
        var fixture = GeoTIFFFixture()
        fixture.side = 1056
        fixture.block = 16
        fixture.samples = 1
        fixture.photometric = 1
        // The tile of zoom 4 shows 66 × 66 blocks, more than are read for one tile.
        let path = folder.write(fixture.bytes, to: "a.tif"), output = "\(folder.path)/b.pmtiles"
        let input = ArchiveInput(path, try GeoTIFFArchive(path, name: "ortho"))
        #expect(throws: TileFailure.self) { try input.archive.checkDrawing() }
        #expect(throws: TileFailure.self) { try ArchiveCopy(of: input, to: output).convert() }
        #expect(FolderNames.list(folder.path) == ["a.tif"])
        fixture.overviews = 2
        _ = folder.write(fixture.bytes, to: "a.tif")
        let whole = try GeoTIFFArchive(path, name: "ortho")
        #expect(throws: Never.self) { try whole.checkDrawing() }
    }
}
