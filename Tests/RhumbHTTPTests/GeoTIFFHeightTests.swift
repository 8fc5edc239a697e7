import RhumbCore
import RhumbDrawing
import RhumbEngine
@testable import RhumbOpening
import RhumbTestSupport
import Testing

/// Tests GeoTIFF files with heights.
struct GeoTIFFHeightTests {
    private let folder = TemporaryFolder()

    private func archive(_ fixture: GeoTIFFFixture, name: String) throws -> GeoTIFFArchive {
        try GeoTIFFArchive(folder.write(fixture.bytes, to: "a.tif"), name: name)
    }

    @Test func `a terrain model gives heights in metres`() throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = 32
        fixture.format = 3
        fixture.photometric = 1
        fixture.noData = "-9999"
        fixture.sample = { x, y, _ in x == 0 ? -9999 : Double(x) * 2.5 - Double(y) }
        let archive = try archive(fixture, name: "alps_dem"), layer = archive.layer(id: "a")
        guard case .bitmap(.encoded(let bytes))? = try archive.tile(GeoTIFFFixture.tile),
            let drawing = layer.drawing as? HillshadeDrawing
        else {
            Issue.record("no heights")
            return
        }
        let grid = try drawing.heights(GeoTIFFFixture.tile, from: bytes)
        #expect(grid.metres[0].isNaN && grid.metres[7] == 17.5 && grid.metres[256 * 100 + 3] == -92.5)
        #expect(try self.archive(fixture, name: "ortho").layer(id: "a").drawing == nil)
    }

    @Test(
        arguments: [
            ("dem", "ft", "", "", 138.0 * 0.3048), ("dem", "cm", "", "", 1.38),
            ("dem", "m", "0.1", "100", 113.8),
            ("dem", "", "0.1", "", 13.8), ("ortho", "m", "", "", 138), ("dem", "degC", "", "", nil),
            ("rain", "mm", "", "", nil),
        ] as [(String, String, String, String, Double?)])
    func `heights in other units are converted, and values that are no lengths are no heights`(
        name: String, unit: String, scale: String, offset: String, metres: Double?
    ) throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = 16
        fixture.format = 2
        fixture.photometric = 1
        let items = [("UNITTYPE", "unittype", unit), ("SCALE", "scale", scale), ("OFFSET", "offset", offset)]
        fixture.metadata =
            "<GDALMetadata>"
            + items.filter { !$0.2.isEmpty }.map {
                #"<Item name="\#($0.0)" sample="0" role="\#($0.1)">\#($0.2)</Item>"#
            }.joined() + "</GDALMetadata>"
        fixture.sample = { x, _, _ in x == 0 ? -32_768 : 138 }
        let archive = try archive(fixture, name: name), drawing = archive.layer(id: "a").drawing
        guard let metres else {
            #expect(drawing == nil)
            return
        }
        guard case .bitmap(.encoded(let bytes))? = try archive.tile(GeoTIFFFixture.tile),
            let drawing = drawing as? HillshadeDrawing
        else {
            Issue.record("no heights")
            return
        }
        let grid = try drawing.heights(GeoTIFFFixture.tile, from: bytes)
        // The steps of the encoding are 1/256 m.
        #expect(grid.metres[0].isNaN && abs(Double(grid.metres[7]) - metres) < 0.005, "\(grid.metres[7])")
    }
}
