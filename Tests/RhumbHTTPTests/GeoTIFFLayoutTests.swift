import RhumbCore
import RhumbDrawing
import RhumbEngine
@testable import RhumbOpening
import RhumbTestSupport
import Testing

/// Compares GeoTIFF files whose levels, masks and blocks are stored in different ways with GDAL, through the
/// package rasterio of the Python registry.
struct GeoTIFFLayoutTests {
    private let folder = TemporaryFolder()

    /// The beginning of all scripts: files of 512 × 512 pixels, which are four tiles of zoom 5, so that their
    /// first overview is one tile of zoom 4.
    private static let head = """
        import sys, itertools, os, warnings, numpy as np, rasterio
        from rasterio.transform import from_origin
        warnings.filterwarnings('ignore')
        folder, edge, side = sys.argv[1], 20037508.342789244, 512
        width = 2 * edge / 16
        place = from_origin(8 * width - edge, edge - 5 * width, width / side, width / side)
        def write(path, data, **options):
            mask, env = options.pop('mask', None), options.pop('env', {})
            with rasterio.Env(**env), rasterio.open(path, 'w', driver='GTiff', width=data.shape[2], height=data.shape[1],
                    count=len(data), dtype=data.dtype, crs='EPSG:3857', transform=place, **options) as file:
                file.write(data)
                if mask is not None: file.write_mask(mask)

        """

    private func run(_ script: String) async throws -> [[Substring]]? {
        guard await PythonOracle.has("rasterio", "numpy") else {
            print("notice: rasterio is not installed; layouts of GeoTIFF are not compared with GDAL")
            return nil
        }
        let run = await PythonOracle.run(Self.head + script, folder.path)
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(!lines.isEmpty, "\(run.errors.suffix(300))")
        return lines
    }

    private func pixels(_ path: String, _ tile: TileID = GeoTIFFFixture.tile) throws -> [UInt8] {
        guard case .bitmap(.raster(let raster))? = try GeoTIFFArchive(path, name: "layout").tile(tile) else {
            return [UInt8](repeating: 0, count: 256 * 256 * 4)
        }
        return raster.pixels
    }

    private static let narrow = """
        for name, shape in [('high', (1, 4000, 1)), ('wide', (1, 1, 4000)), ('three', (1, 4000, 3))]:
            write(f'{folder}/{name}.tif', np.full(shape, 7, 'uint8'))
            with rasterio.open(f'{folder}/{name}.tif', 'r+') as file: file.build_overviews([2, 4, 8])
            print(f'{folder}/{name}.tif', name)
        """

    @Test func `overviews of a picture of one column or one row are levels`() async throws {
        for line in try await run(Self.narrow) ?? [] {
            let archive = try GeoTIFFArchive(String(line[0]), name: "layout")
            #expect(archive.image.levels.count == 4, "\(line[1])")
        }
    }

    private static let packed = """
        for bits, none in itertools.product(range(1, 9), ['no', 'zero', 'most', 'half']):
            most = 2 ** bits - 1
            value = {'no': None, 'zero': 0, 'most': most, 'half': most // 2}[none]
            data = (np.arange(256 * 256, dtype='uint64').reshape(1, 256, 256) * 2654435761 // 7 % (most + 1)).astype('uint8')
            for kind in ['MINISBLACK', 'MINISWHITE']:
                path = f'{folder}/{bits}-{none}-{kind}.tif'
                place = from_origin(8 * width - edge, edge - 5 * width, width / 256, width / 256)
                write(path, data, nbits=bits, nodata=value, photometric=kind)
                with rasterio.open(path) as file: file.read_masks(1).tofile(path + '.pixels')
                print(path)
        """

    @Test func `no-data is a number of the file in samples of every count of bits`() async throws {
        let lines = try await run(Self.packed) ?? []
        for line in lines {
            let path = String(line[0]), mask = try #require(Files.read(path + ".pixels"))
            let found = try pixels(path), wrong = mask.indices.filter { found[$0 * 4 + 3] != mask[$0] }
            #expect(wrong.isEmpty, "\(path): \(wrong.count) pixels, first \(wrong.first ?? 0)")
        }
    }

    private static let sparse = """
        place = from_origin(8 * width - edge, edge - 5 * width, width / 256, width / 256)
        tiles = dict(SPARSE_OK=True, tiled=True, blockxsize=128, blockysize=128)
        bands = np.full((3, 256, 256), 100, 'uint8')
        for none in [0, 255]:
            bands[0, :128, :128] = none
            write(f'{folder}/bands-{none}.tif', bands, nodata=none, interleave='band', photometric='RGB', **tiles)
            print(f'{folder}/bands-{none}.tif', none)
        heights = np.full((1, 256, 256), 50, 'int16')
        heights[0, :128, :128] = 0
        write(f'{folder}/heights_dem.tif', heights, **tiles)
        print(f'{folder}/heights_dem.tif', 'dem')
        write(f'{folder}/values.tif', heights.astype('uint16'), **tiles)
        print(f'{folder}/values.tif', 'values')
        write(f'{folder}/picture.tif', heights.astype('uint8'), **tiles)
        print(f'{folder}/picture.tif', 'picture')
        """

    @Test func `an omitted block has no data, or is 0 for heights and values without no-data`() async throws {
        for line in try await run(Self.sparse) ?? [] {
            let path = String(line[0]), archive = try GeoTIFFArchive(path, name: path)
            #expect(try archive.image.sections(of: .init(level: 0, column: 0, row: 0)).contains(nil))
            switch line[1] {
            case "0", "255":
                #expect(Array(try pixels(path).prefix(4)) == [UInt8(line[1]) ?? 1, 100, 100, 255], "\(path)")
            case "values": #expect(try pixels(path)[3] == 255)
            case "picture": #expect(try pixels(path)[3] == 0)
            default:
                guard case .bitmap(.encoded(let bytes))? = try archive.tile(GeoTIFFFixture.tile),
                    let drawing = archive.layer(id: "a").drawing as? HillshadeDrawing
                else {
                    Issue.record("no heights")
                    continue
                }
                let grid = try drawing.heights(GeoTIFFFixture.tile, from: bytes)
                #expect(grid.metres[0] == 0 && grid.metres[200] == 50)
            }
        }
    }

    /// The text of no-data, the value of the pixels, and the bits of the samples.
    @Test(
        arguments: [
            ("-3.40282e+38", -3.4028234663852886e38, 32, true),
            ("-3.402823e+38", -3.4028234663852886e38, 32, true),
            ("-3.4028235e+38", -3.4028234663852886e38, 64, true), ("0.1", 0.10000000149011612, 64, true),
            ("-99999.99", -99999.9921875, 64, true), ("1e20", 100000002004087734272, 64, true),
            ("-1.79769e+308", -1.7976931348623157e308, 64, true), ("-9999", -9998.9, 64, false),
            ("100", 100.001, 32, false), ("inf", 1e30, 32, false),
        ])
    func `no-data with few digits hides the pixels that GDAL hides`(
        text: String, value: Double, bits: Int, isHidden: Bool
    ) throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = bits
        fixture.format = 3
        fixture.photometric = 1
        fixture.noData = text
        fixture.sample = { x, _, _ in x == 0 ? value : Double(x) }
        let found = try pixels(folder.write(fixture.bytes, to: "none.tif"))
        #expect(found[3] == (isHidden ? 0 : 255) && found[7] == 255)
    }

    @Test func `no-data, scale and offset of the file with the ending .aux.xml are applied`() throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = 16
        fixture.format = 2
        fixture.photometric = 1
        fixture.metadata =
            #"<GDALMetadata><Item name="SCALE" sample="0" role="scale">3</Item></GDALMetadata>"#
        fixture.sample = { x, _, _ in x == 0 ? -9999 : 138 }
        let path = folder.write(fixture.bytes, to: "a_dem.tif")
        func metres() throws -> [Float] {
            let archive = try GeoTIFFArchive(path, name: "a_dem")
            guard case .bitmap(.encoded(let bytes))? = try archive.tile(GeoTIFFFixture.tile),
                let drawing = archive.layer(id: "a").drawing as? HillshadeDrawing
            else { return [] }
            return Array(try drawing.heights(GeoTIFFFixture.tile, from: bytes).metres.prefix(2))
        }
        #expect(try metres() == [-29_997, 414])
        let statements = """
            <PAMDataset><Metadata><MDI key="Scale">9</MDI></Metadata><PAMRasterBand band="1">
            <NoDataValue>-9.99900000000000E+03</NoDataValue><Offset>5</Offset><Scale>0.5</Scale>
            <ColorInterp>Gray</ColorInterp></PAMRasterBand></PAMDataset>
            """
        _ = folder.write(Array(statements.utf8), to: "a_dem.tif.aux.xml")
        let found = try metres()
        #expect(found.count == 2 && found[0].isNaN && found[1] == 74)
        _ = folder.write(Array(statements.utf8.dropLast(20)), to: "a_dem.tif.aux.xml")
        #expect { try metres() } throws: { "\($0)".contains("a_dem.tif.aux.xml") }
    }

    /// The bits, the scale, the sample, and its height; nil for none.
    @Test(
        arguments: [
            (32, 0.01, -32_768, -327.68), (32, 0.01, -32_767, -327.67), (32, 1, -32_768, nil),
            (16, 1, -32_767, nil), (16, 0.1, -32_768, nil),
        ] as [(Int, Double, Double, Double?)])
    func `the lowest numbers of 16 bits are no heights, except in fine steps of more bits`(
        bits: Int, scale: Double, sample: Double, metres: Double?
    ) throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = bits
        fixture.format = 2
        fixture.photometric = 1
        fixture.metadata =
            #"<GDALMetadata><Item name="SCALE" sample="0" role="scale">\#(scale)</Item></GDALMetadata>"#
        fixture.sample = { x, _, _ in x == 0 ? sample : 138 }
        let archive = try GeoTIFFArchive(folder.write(fixture.bytes, to: "b.tif"), name: "b_dem")
        guard case .bitmap(.encoded(let bytes))? = try archive.tile(GeoTIFFFixture.tile),
            let drawing = archive.layer(id: "a").drawing as? HillshadeDrawing
        else {
            Issue.record("no heights")
            return
        }
        let found = Double(try drawing.heights(GeoTIFFFixture.tile, from: bytes).metres[0])
        #expect(metres.map { abs($0 - found) < 0.005 } ?? found.isNaN, "\(found)")
    }
}
