import RhumbCore
import RhumbEngine
@testable import RhumbOpening
import RhumbTestSupport
import Testing

/// Compares the transparency of GeoTIFF files of every sample type with the masks of GDAL, through the
/// package rasterio of the Python registry.
struct GeoTIFFMatrixTests {
    /// Writes a file of 32 × 32 pixels, which are the upper left ones of a tile, for each combination of
    /// type, bands, content and no-data, and beside it a byte per pixel: 255 where GDAL has data.
    private static let script = """
        import sys, itertools, numpy as np, rasterio
        from rasterio.transform import from_origin
        folder, edge, side = sys.argv[1], 20037508.342789244, 32
        width = 2 * edge / 16
        place = from_origin(8 * width - edge, edge - 5 * width, width / 256, width / 256)
        kinds = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'uint64', 'int64', 'float32', 'float64']
        contents = ['ramp', 'constant', 'extreme', 'nan', 'inf']
        for kind, bands, content, none in itertools.product(kinds, [1, 2, 3, 4], contents, [None, 0, 'low', 'nan']):
            real, alpha, shown = kind[0] == 'f', bands in (2, 4), bands - (bands in (2, 4))
            if not real and (content in ('nan', 'inf') or none == 'nan'): continue
            ends = np.finfo(kind) if real else np.iinfo(kind)
            ramp = np.arange(side * side, dtype='float64').reshape(side, side) % 120 + 1
            data = np.stack([ramp + band for band in range(bands)]).astype(kind)
            if content == 'constant': data[:] = 1e30 if real else ends.max // 2
            if content == 'extreme': data[:, ::2], data[:, 1::2] = ends.min, ends.max
            if content == 'nan': data[:, :4], data[0, 4:8] = np.nan, np.nan
            if content == 'inf': data[:, :4], data[0, 4:8] = np.inf, -np.inf
            if alpha: data[-1], data[-1, :, 16:] = 0, ends.max
            value = {None: None, 0: 0, 'low': float(ends.min) if real else max(int(ends.min), -2**31), 'nan': np.nan}[none]
            # A corner without data in all bands, and pixels without data in one.
            if value is not None: data[:shown, :4, :4], data[0, 8:12, :4] = value, value
            path = f'{folder}/{kind}-{bands}-{content}-{none}.tif'
            options = dict(photometric='RGB' if bands > 2 else 'MINISBLACK')
            if alpha: options['alpha'] = 'non-premultiplied'
            with rasterio.open(path, 'w', driver='GTiff', width=side, height=side, count=bands, dtype=kind, nodata=value,
                               crs='EPSG:3857', transform=place, **options) as file: file.write(data)
            with rasterio.open(path) as file:
                mask = file.read(bands) > 0 if alpha else (file.read_masks() > 0).any(axis=0)
            missing = [(band == value) | (np.isnan(band) if real else False) for band in data[:shown]]
            mask &= ~np.all(missing, axis=0)
            (mask * 255).astype('uint8').tofile(path + '.mask')
            print(path)
        """

    @Test func `pixels of every sample type are transparent where GDAL has no data`() async throws {
        guard await PythonOracle.has("rasterio", "numpy") else {
            print("notice: rasterio is not installed; GeoTIFF masks are not compared with GDAL")
            return
        }
        let folder = TemporaryFolder(), run = await PythonOracle.run(Self.script, folder.path)
        let paths = run.output.split(separator: "\n").map { String($0) }
        #expect(paths.count > 400, "\(run.errors.suffix(300))")
        for path in paths {
            let archive = try GeoTIFFArchive(path, name: "matrix")
            let mask = try #require(Files.read(path + ".mask", limit: 1024))
            var pixels = [UInt8](repeating: 0, count: 256 * 256 * 4)
            if case .bitmap(.raster(let raster))? = try archive.tile(GeoTIFFFixture.tile) {
                pixels = raster.pixels
            }
            let wrong = (0..<1024).filter { at in
                (pixels[(at / 32 * 256 + at % 32) * 4 + 3] > 0) != (mask[at] > 0)
            }
            #expect(wrong.isEmpty, "\(path): \(wrong.count) pixels, first \(wrong.first ?? 0)")
        }
    }

    /// Writes a pair of files with the same numbers for each number of bits: in that many bits, and in the
    /// number type of the next size.
    private static let packedScript = """
        import sys, numpy as np, rasterio
        from rasterio.transform import from_origin
        folder, edge, side = sys.argv[1], 20037508.342789244, 32
        width = 2 * edge / 16
        place = from_origin(8 * width - edge, edge - 5 * width, width / 256, width / 256)
        for bits in [*range(1, 8), *range(9, 16), *range(17, 32)]:
            kind = 'uint8' if bits < 8 else 'uint16' if bits < 16 else 'uint32'
            data = (np.arange(side * side, dtype='uint64').reshape(1, side, side) * 2654435761 % 2**bits).astype(kind)
            for name, options in [('little', {}), ('big', dict(endianness='BIG')), ('lzw', dict(compress='LZW')),
                                  ('tiled', dict(tiled=True, blockxsize=16, blockysize=16, compress='DEFLATE'))]:
                for label, more in [('packed', dict(nbits=bits)), ('plain', {})]:
                    with rasterio.open(f'{folder}/{bits}-{name}-{label}.tif', 'w', driver='GTiff', width=side, height=side,
                                       count=1, dtype=kind, crs='EPSG:3857', transform=place, **options, **more) as file:
                        file.write(data)
                print(bits, f'{folder}/{bits}-{name}')
        """

    @Test func `numbers of every count of bits are those of the next number type`() async throws {
        guard await PythonOracle.has("rasterio", "numpy") else {
            print("notice: rasterio is not installed; packed samples of GeoTIFF are not compared with GDAL's")
            return
        }
        let folder = TemporaryFolder(), run = await PythonOracle.run(Self.packedScript, folder.path)
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.count == 116, "\(run.errors.suffix(300))")
        func pixels(_ path: String) throws -> [UInt8] {
            let archive = try GeoTIFFArchive(path, name: "packed")
            guard case .bitmap(.raster(let raster))? = try archive.tile(GeoTIFFFixture.tile) else {
                return []
            }
            return raster.pixels
        }
        for line in lines {
            let bits = try #require(Int(line[0])), most = (1 << bits) - 1
            var expected = try pixels("\(line[1])-plain.tif")
            if bits < 8 {
                // A grey picture of few bits is spread over all shades.
                for at in stride(from: 0, to: expected.count, by: 4) where expected[at + 3] > 0 {
                    for channel in at..<at + 3 {
                        expected[channel] = UInt8(Int(expected[channel]) * 255 / most)
                    }
                }
            }
            #expect(try pixels("\(line[1])-packed.tif") == expected, "\(line[1])")
        }
    }
}
