import RhumbCore
import RhumbEngine
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Compares tiles of GeoTIFF files with the same pixels warped by GDAL, through the package rasterio of the
/// Python registry.
struct GeoTIFFOracleTests {
    /// Writes files of random pixels, and for each the nearest pixels of all tiles of its deepest zoom.
    private static let script = """
        import sys, numpy as np, rasterio
        from rasterio.crs import CRS
        from rasterio.transform import from_origin
        from rasterio.warp import reproject, transform_bounds, Resampling
        folder, edge = sys.argv[1], 20037508.342789244
        mercator, random = CRS.from_epsg(3857), np.random.default_rng(46)
        files = [('degrees', 4326, 'uint8', 3, (10, 50, 0.001, 0.001), 11),
                 ('north', 4326, 'uint8', 3, (10, 70, 0.0013, 0.0007), 11),
                 ('degrees16', 4326, 'uint16', 1, (10, 50, 0.001, 0.001), 11),
                 ('mercator', 3857, 'uint8', 3, (1000000, 5500000, 30, 30), 13),
                 ('utm', 32633, 'uint8', 3, (500000, 5500000, 30, 30), 12)]
        for name, code, kind, bands, place, zoom in files:
            data = random.integers(1, 255 if kind == 'uint8' else 65535, (bands, 300, 400)).astype(kind)
            path = f'{folder}/{name}.tif'
            with rasterio.open(path, 'w', driver='GTiff', width=400, height=300, count=bands, dtype=kind, nodata=0,
                               crs=CRS.from_epsg(code), transform=from_origin(*place), tiled=True, blockxsize=128,
                               blockysize=128) as file:
                file.write(data)
            with rasterio.open(path) as file:
                box, count = transform_bounds(file.crs, mercator, *file.bounds), 2 ** zoom
                size = 2 * edge / count
                for x in range(int((box[0] + edge) / size), int((box[2] + edge) / size) + 1):
                    for y in range(int((edge - box[3]) / size), int((edge - box[1]) / size) + 1):
                        tile = np.zeros((bands, 256, 256), kind)
                        reproject(rasterio.band(file, list(range(1, bands + 1))), tile, dst_crs=mercator, tolerance=0,
                                  dst_transform=from_origin(x * size - edge, edge - y * size, size / 256, size / 256),
                                  resampling=Resampling.nearest)
                        tile.astype('<u2').tofile(f'{folder}/{name}.{zoom}.{x}.{y}')
                        print(name, zoom, x, y)
        """

    @Test func `tiles have the pixels that GDAL takes as the nearest`() async throws {
        guard await PythonOracle.has("rasterio", "numpy") else {
            print("notice: rasterio is not installed; GeoTIFF files are not compared with GDAL")
            return
        }
        let folder = TemporaryFolder()
        let run = await PythonOracle.run(Self.script, folder.path)
        var shares: [String: (same: Int, all: Int)] = [:]
        for row in run.output.split(separator: "\n").map({ $0.split(separator: " ") }) where row.count == 4 {
            let name = String(row[0])
            let archive = try GeoTIFFArchive("\(folder.path)/\(name).tif", name: name)
            let numbers = row[1...].compactMap { Int($0) }
            let tile = try #require(TileID(zoom: numbers[0], x: numbers[1], y: numbers[2]))
            #expect(archive.info.zooms.upperBound == tile.zoom)
            let expected = try #require(
                Files.read("\(folder.path)/\(row.joined(separator: "."))", limit: 1 << 20))
            let (same, all) = try Self.compare(archive, tile, expected)
            shares[name, default: (0, 0)].same += same
            shares[name, default: (0, 0)].all += all
        }
        #expect(shares.count == 5, "\(run.errors.suffix(300))")
        for (name, share) in shares {
            // Between the nodes of a grid, positions in UTM are interpolated.
            let least = name == "utm" ? 0.97 : 1
            #expect(
                share.all > 100_000 && Double(share.same) >= least * Double(share.all), "\(name) \(share)")
        }
    }

    /// Returns the number of equal pixels, and the number that at least one picture shows.
    private static func compare(
        _ archive: GeoTIFFArchive, _ tile: TileID, _ expected: [UInt8]
    ) throws -> (same: Int, all: Int) {
        var pixels = [UInt8](repeating: 0, count: 256 * 256 * 4)
        if case .bitmap(.raster(let raster))? = try archive.tile(tile) { pixels = raster.pixels }
        func value(_ at: Int, _ band: Int) -> UInt16 {
            let at = (band * 256 * 256 + at) * 2
            return UInt16(expected[at]) | UInt16(expected[at + 1]) << 8
        }
        let bands = expected.count / (256 * 256 * 2), stretch = try archive.stretchOfTests()
        var same = 0, all = 0
        for at in 0..<256 * 256 {
            let values = (0..<bands).map { value(at, $0) }, isShown = pixels[at * 4 + 3] == 255
            let hasData = values.contains { $0 > 0 }
            guard isShown || hasData else { continue }
            all += 1
            let colours: [UInt8]
            if let stretch, bands == 1 {
                let share = min(max(stretch.share(Double(values[0]), 0), 0), 1)
                let colour = TIFFStretch.colour(Double(share))
                colours = [colour.red, colour.green, colour.blue]
            } else {
                colours = values.map { UInt8($0) }
            }
            if isShown == hasData, (0..<3).allSatisfy({ pixels[at * 4 + $0] == colours[$0] }) { same += 1 }
        }
        return (same, all)
    }
}

extension GeoTIFFArchive {
    /// The stretch of its values; nil for colours.
    fileprivate func stretchOfTests() throws -> TIFFStretch? {
        guard let text = facts.first(where: { $0.key == "stretch" })?.text else { return nil }
        let ends = text.split(separator: " ").compactMap { Double($0) }
        guard ends.count == 2 else { return nil }
        // Of two values, both are the ends.
        return TIFFStretch([[ends[0], ends[1]]])
    }
}
