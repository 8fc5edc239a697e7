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

    @Test(arguments: [(1, 16), (2, 16), (3, 32)])
    func `a file that the user names as a model is one, whatever its name`(format: Int, bits: Int) throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = bits
        fixture.format = format
        fixture.photometric = 1
        fixture.sample = { x, y, _ in Double(x + 100 * y) }
        let path = folder.write(fixture.bytes, to: "f32.tif")
        let guessed = try GeoTIFFArchive(path, name: "f32")
        #expect(guessed.image.meaning == .values)
        let named = try GeoTIFFArchive(path, name: "f32", isTerrain: true)
        guard case .bitmap(.encoded(let bytes))? = try named.tile(GeoTIFFFixture.tile),
            let drawing = named.layer(id: "a").drawing as? HillshadeDrawing
        else {
            Issue.record("no heights")
            return
        }
        let grid = try drawing.heights(GeoTIFFFixture.tile, from: bytes)
        #expect(grid.metres[256 * 200 + 7] == 20_007)
    }

    @Test func `a file without heights is refused as a model with the reason`() throws {
        var values = GeoTIFFFixture()
        values.samples = 1
        values.bits = 32
        values.format = 3
        values.photometric = 1
        values.metadata =
            "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">degC</Item></GDALMetadata>"
        var grey = GeoTIFFFixture()
        grey.samples = 1
        grey.photometric = 1
        for (fixture, reason) in [
            (GeoTIFFFixture(), "3 bands of colours"), (grey, "8 bits"), (values, "unit"),
        ] {
            let path = folder.write(fixture.bytes, to: "b.tif")
            #expect(throws: Never.self) { try GeoTIFFArchive(path, name: "b") }
            #expect {
                try GeoTIFFArchive(path, name: "b", isTerrain: true)
            } throws: { "\($0)".contains(reason) }
        }
    }

    /// A model in degrees or in UTM whose pixels are larger than those of the tiles at its deepest zoom.
    private func heights(
        code: Int, noData: String? = nil, _ sample: @escaping (Int, Int) -> Double
    ) throws -> (archive: GeoTIFFArchive, tile: TileID, grid: ElevationGrid) {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = 32
        fixture.format = 3
        fixture.photometric = 1
        fixture.noData = noData
        fixture.code = code
        if code == 4326 { fixture.location = (8, 47, 1 / 1200.0) }
        if code == 32632 { fixture.location = (400_000, 5_200_000, 100) }
        fixture.sample = { x, y, _ in sample(x, y) }
        let archive = try archive(fixture, name: "alps_dem"), zoom = archive.info.zooms.upperBound
        let bounds = try #require(archive.info.bounds)
        let tile = TileID(zoom: zoom, containing: Mercator.world(bounds.center))
        guard case .bitmap(.encoded(let bytes))? = try archive.tile(tile),
            let drawing = archive.layer(id: "a").drawing as? HillshadeDrawing
        else { throw TileFailure(.badContent, "no heights") }
        return (archive, tile, try drawing.heights(tile, from: bytes))
    }

    @Test(arguments: [4326, 32632])
    func `heights between the pixels of a model are interpolated, without stairs`(code: Int) throws {
        let (archive, tile, grid) = try heights(code: code) { x, y in Double(x) * 20 + Double(y) * 30 }
        // A plane stays a plane: heights differ from it by the steps of the encoding only.
        var checked = 0
        for at in stride(from: 0, to: grid.metres.count, by: 97) {
            let place = SIMD2(Double(at % 256) + 0.5, Double(at / 256) + 0.5) / 256
            let world = (SIMD2(Double(tile.x), Double(tile.y)) + place) / Double(1 << tile.zoom)
            let pixel = archive.image.reference.pixel(at: WorldPoint(x: world.x, y: world.y)) - 0.5
            let plane = pixel.x * 20 + pixel.y * 30
            guard pixel.min() > 0, pixel.max() < 255 else { continue }
            checked += 1
            #expect(abs(Double(grid.metres[at]) - plane) < 0.1, "\(grid.metres[at]), \(plane)")
        }
        let row = grid.metres[128 * 256..<129 * 256], steps = zip(row.dropFirst(), row).map { $0 - $1 }
        #expect(checked > 100 && steps.count { $0 > 0 } > 100 && !steps.contains { $0 <= 0 })
    }

    @Test func `pixels without data have no weight, and stay as large as they are`() throws {
        let (archive, tile, grid) = try heights(code: 4326, noData: "-9999") { x, y in
            (x / 8 + y / 8).isMultiple(of: 2) ? 500 : -9999
        }
        var unknown = 0
        for at in grid.metres.indices {
            let place = SIMD2(Double(at % 256) + 0.5, Double(at / 256) + 0.5) / 256
            let world = (SIMD2(Double(tile.x), Double(tile.y)) + place) / Double(1 << tile.zoom)
            let pixel = archive.image.reference.pixel(at: WorldPoint(x: world.x, y: world.y))
            guard pixel.min() > 0, pixel.max() < 256 else { continue }
            let isKnown = (Int(pixel.x) / 8 + Int(pixel.y) / 8).isMultiple(of: 2)
            #expect(isKnown ? abs(grid.metres[at] - 500) < 0.01 : grid.metres[at].isNaN)
            if !isKnown { unknown += 1 }
        }
        #expect(unknown > 5_000)
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
