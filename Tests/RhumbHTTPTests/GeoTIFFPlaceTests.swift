import RhumbCore
import RhumbEngine
@testable import RhumbOpening
import RhumbTestSupport
import Testing

/// Tests the coordinate systems of GeoTIFF files, and places at the antimeridian.
struct GeoTIFFPlaceTests {
    private let folder = TemporaryFolder()

    /// The codes are of the EPSG dataset.
    @Test(arguments: [
        (3067, 35, true), (3006, 33, true), (6339, 10, true), (22_717, 17, true), (26_910, 10, true),
        (25_832, 32, true), (3045, 33, true), (31_984, 24, false), (7855, 55, false), (2135, 60, false),
        (32_660, 60, true), (32_701, 1, false),
    ])
    func `national codes of UTM are UTM`(code: Int, zone: Int, isNorthern: Bool) {
        #expect(FileProjection(epsg: code) == .utm(zone: zone, isNorthern: isNorthern))
    }

    @Test(arguments: [4326, 4258, 4269, 4490, 4674, 7844, 4937])
    func `geographic codes on datums like WGS 84 are degrees`(code: Int) {
        #expect(FileProjection(epsg: code) == .degrees)
    }

    @Test(arguments: [4267, 4230, 4314, 4807, 23_032, 26_716, 32_232, 29_193, 2154, 5514, 32_661])
    func `codes with another datum or projection are unknown`(code: Int) {
        #expect(FileProjection(epsg: code) == nil)
    }

    @Test(arguments: [-180.5, 179.5])
    func `a picture across the antimeridian is drawn on both sides, whichever side it begins on`(
        west: Double
    ) throws {
        var fixture = GeoTIFFFixture()
        fixture.side = 64
        fixture.code = 4326
        fixture.location = (west: west, north: 0.5, pixel: 1 / 64)
        let archive = try GeoTIFFArchive(folder.write(fixture.bytes, to: "\(west).tif"), name: "edge")
        let zoom = archive.info.zooms.upperBound, last = (1 << zoom) - 1
        for (x, corner) in [(0, 0), (last, 255)] {
            let tile = try #require(TileID(zoom: zoom, x: x, y: (last + 1) / 2))
            guard case .bitmap(.raster(let raster))? = try archive.tile(tile) else {
                Issue.record("tile \(tile) is missing")
                continue
            }
            #expect(raster.pixels[corner * 4 + 3] == 255)
        }
    }
}
