import Rhumb
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests GeoTIFF files as maps. Files of other programs were compared by hand with GDAL and tifffile.
struct GeoTIFFTests {
    private let folder = TemporaryFolder()

    private func archive(_ fixture: GeoTIFFFixture, name: String = "ortho") throws -> GeoTIFFArchive {
        try GeoTIFFArchive(folder.write(fixture.bytes, to: "a.tif"), name: name)
    }

    private func raster(_ archive: GeoTIFFArchive, _ tile: TileID = GeoTIFFFixture.tile) throws -> Raster {
        guard case .bitmap(.raster(let raster))? = try archive.tile(tile) else { return .clear }
        return raster
    }

    private func raster(_ body: [UInt8]) throws -> Raster {
        try SniffingDecoder().decode(body, limits: .tile)
    }

    private func colour(_ raster: Raster, _ x: Int, _ y: Int) -> [Int] {
        raster.width == 256 ? (0..<4).map { Int(raster.pixels[(y * 256 + x) * 4 + $0]) } : []
    }

    private static let layouts: [(tiled: Bool, big: Bool, little: Bool, block: Int)] = [
        (true, false, true, 64), (false, false, true, 7), (true, true, false, 128), (false, true, false, 256),
    ]

    @Test(arguments: layouts)
    func `a tile aligned to the pixels shows them unchanged in every layout`(
        tiled: Bool, big: Bool, little: Bool, block: Int
    ) throws {
        var fixture = GeoTIFFFixture()
        fixture.isTiled = tiled
        fixture.isBig = big
        fixture.isLittleEndian = little
        fixture.block = block
        let raster = try raster(archive(fixture))
        for (x, y) in [(0, 0), (1, 0), (255, 3), (63, 64), (200, 255)] {
            #expect(colour(raster, x, y) == (0..<3).map { Int(fixture.sample(x, y, $0)) } + [255])
        }
    }

    @Test func `the map ends where the picture ends, and its zooms follow from its pixels`() throws {
        let archive = try archive(GeoTIFFFixture()), tile = GeoTIFFFixture.tile
        #expect(archive.info.zooms == 0...4)
        #expect(try archive.tile(TileID(zoom: 4, x: tile.x + 1, y: tile.y)!) == .absent)
        #expect(try archive.tile(TileID(zoom: 3, x: tile.x / 2, y: tile.y / 2)!) != .absent)
        var tiles: [TileID] = []
        try archive.eachTile { tiles.append($0) }
        #expect(tiles.first == .world && tiles.contains(tile))
    }

    @Test func `a GeoTIFF opens under the name of a source, with its attribution`() async throws {
        let bytes = GeoTIFFFixture().bytes
        let http = try HTTPFixture(clock: .machine) {
            .part(of: bytes, $0, etag: "\"1\"", control: "max-age=60")
        }
        let loader = DocumentLoader(http.client, store: MemoryStore())
        for url in [http.server.url("/ortho.tif"), "file://" + folder.write(bytes, to: "ortho.tif")] {
            let list: JSON = [
                "sources": [
                    ["id": "drone", "name": "Drone flight", "url": .string(url), "attribution": "© Us"]
                ]
            ]
            let layer = try await MapOpener(loader, SourceCatalog(own: list)).openLayer("drone")
            #expect(layer.info.name == "Drone flight" && layer.info.attribution == "© Us")
            #expect(layer.openedBy == "drone")
        }
    }

    @Test(arguments: [1, 2, 3, 5], [256, 300])
    func `a tile of reduced size is the same whatever the height of the strips`(
        strip: Int, side: Int
    ) throws {
        var fixture = GeoTIFFFixture()
        fixture.side = side
        let tiles = (1...4).compactMap { GeoTIFFFixture.tile.ancestor(levels: $0) }
        let tiled = try archive(fixture)
        let expected = try tiles.map { try raster(tiled, $0) }
        fixture.isTiled = false
        fixture.block = strip
        let strips = try archive(fixture)
        for (tile, expected) in zip(tiles, expected) {
            #expect(!expected.isClear)
            #expect(try raster(strips, tile).pixels == expected.pixels, "zoom \(tile.zoom)")
        }
    }

    @Test(arguments: ["b.pmtiles", "b.mbtiles"])
    func `a picture in strips is converted to the same tiles as one in blocks`(name: String) throws {
        var fixture = GeoTIFFFixture()
        fixture.side = 560
        let tiled = folder.write(fixture.bytes, to: "tiled.tif")
        fixture.isTiled = false
        fixture.block = 1
        let strips = folder.write(fixture.bytes, to: "strips.tif"), output = "\(folder.path)/\(name)"
        let input = ArchiveInput(strips, try GeoTIFFArchive(strips, name: "a"))
        #expect(try ArchiveCopy(of: input, to: output).convert().tiles > 12)
        let expected = ArchiveInput(tiled, try GeoTIFFArchive(tiled, name: "a"))
        let diff = try ArchiveDiff(expected, ArchiveInput(output, Archive.open(output)))
        #expect(diff.zooms.allSatisfy { $0.added + $0.removed + $0.changed == 0 }, "\(diff.zooms)")
        #expect(FolderNames.list(folder.path)?.sorted() == [name, "strips.tif", "tiled.tif"])
    }

    @Test func `no-data, alpha and palettes decide which pixels are shown`() throws {
        var hidden = GeoTIFFFixture()
        hidden.noData = "0"
        hidden.sample = { x, _, _ in x < 10 ? 0 : 9 }
        #expect(try colour(raster(archive(hidden)), 9, 0)[3] == 0)
        #expect(try colour(raster(archive(hidden)), 10, 0) == [9, 9, 9, 255])
        var alpha = GeoTIFFFixture()
        alpha.samples = 4
        alpha.extra = 2
        alpha.sample = { x, _, band in band == 3 ? Double(x) : 40 }
        #expect(try colour(raster(archive(alpha)), 77, 5) == [40, 40, 40, 77])
        var palette = GeoTIFFFixture()
        palette.samples = 1
        palette.photometric = 3
        palette.palette = (0..<768).map { $0 / 256 * 257 + $0 % 256 * 257 }
        palette.sample = { x, _, _ in Double(x % 250) }
        #expect(try colour(raster(archive(palette)), 5, 5) == [5, 6, 7, 255])
    }

    @Test(arguments: [1, 2])
    func `16-bit values are stretched between low and high`(predictor: Int) throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 1
        fixture.bits = 16
        fixture.photometric = 1
        fixture.noData = "65535"
        fixture.sample = { x, _, _ in x == 0 ? 65_535 : Double(x * 100) }
        if predictor == 2 {
            fixture.predictor = 2
            let plain = fixture.sample
            // The difference from the pixel before, within a block of 64.
            fixture.sample = { x, y, band in
                let before = x % 64 == 0 ? 0 : plain(x - 1, y, band)
                return (plain(x, y, band) - before).truncatingRemainder(dividingBy: 65_536)
            }
        }
        let raster = try raster(archive(fixture)), ramp = TIFFStretch.ramp
        #expect(colour(raster, 0, 0)[3] == 0)
        #expect(colour(raster, 255, 9) == [ramp[4].red, ramp[4].green, ramp[4].blue, 255].map { Int($0) })
        #expect(colour(raster, 1, 9) == [ramp[0].red, ramp[0].green, ramp[0].blue, 255].map { Int($0) })
        #expect(try archive(fixture).layer(id: "a").legend?.entries.count == 5)
    }

    /// The formats are unsigned and signed.
    @Test(arguments: [(1, 65_535.0), (2, 32_767)])
    func `16-bit alpha is transparency, which the properties name`(format: Int, opaque: Double) throws {
        var fixture = GeoTIFFFixture()
        fixture.samples = 4
        fixture.bits = 16
        fixture.format = format
        fixture.extra = 2
        fixture.sample = { x, y, band in
            band == 3 ? (Double(x / 2 * 2) / 255 * opaque).rounded(.up) : Double(x * 100 + y)
        }
        let archive = try archive(fixture), raster = try raster(archive)
        #expect([0, 100, 254].map { colour(raster, $0, 9)[3] } == [0, 100, 254])
        #expect(
            archive.facts.first { $0.key == "meaning" }?.text
                == "values with transparency, stretched to colours")
    }

    @Test(arguments: [(16, 1), (32, 2), (32, 3), (64, 3)])
    func `values beyond the range and missing ones end in a colour or none`(bits: Int, format: Int) throws {
        var fixture = GeoTIFFFixture()
        // A pixel covers 4 × 4 of the tile.
        fixture.side = 64
        fixture.bits = bits
        fixture.format = format
        fixture.noData = "0"
        let most = format == 3 ? 3e38 : format == 2 ? 2_147_483_647 : 65_535.0
        // No data in all bands, in one, NaN, and the largest values.
        fixture.sample = { x, _, band in
            switch x {
            case 0: 0
            case 1: band == 1 ? 0 : 5
            case 2: format == 3 ? .nan : 0
            case 3: format == 3 ? -.infinity : most
            default: x.isMultiple(of: 2) ? most : 1
            }
        }
        let raster = try raster(archive(fixture))
        #expect((0..<5).map { colour(raster, $0 * 4 + 1, 0)[3] } == [0, 255, 0, 255, 255])
        #expect(colour(raster, 17, 0) == [255, 255, 255, 255] && colour(raster, 21, 0) == [0, 0, 0, 255])
        // A single value, too large for a Float to have a neighbour at a distance of 1.
        fixture.sample = { _, _, _ in most }
        #expect(try colour(self.raster(archive(fixture)), 9, 9)[3] == 255)
    }

    @Test func `coordinate systems that the file defines itself are recognised`() throws {
        func projection(_ change: (inout GeoTIFFFixture) -> Void) throws -> FileProjection? {
            var fixture = GeoTIFFFixture()
            fixture.code = 32_767
            fixture.keys = [3076: 9001, 2048: 4326]
            change(&fixture)
            let path = folder.write(fixture.bytes, to: "own.tif")
            return try? GeoTIFFArchive(path, name: "own").image.reference.projection
        }
        let name = "WGS_1984_Web_Mercator_Auxiliary_Sphere"
        #expect(
            try projection {
                $0.keys[3075] = 7
                $0.texts[1026] = name
                $0.numbers = [3080: 0, 3092: 1]
            } == .mercator)
        #expect(
            try projection {
                $0.keys[3075] = 7
                $0.numbers = [2057: 6_378_137, 2058: 6_378_137]
            } == .mercator)
        // Mercator on the ellipsoid, with another meridian, and in feet.
        #expect(try projection { $0.keys[3075] = 7 } == nil)
        #expect(
            try projection {
                $0.keys[3075] = 7
                $0.texts[1026] = name
                $0.numbers = [3080: 150]
            } == nil)
        #expect(
            try projection {
                $0.keys = [3075: 7, 3076: 9003]
                $0.texts[1026] = name
            } == nil)
        #expect(try projection { $0.keys[3074] = 16_118 } == .utm(zone: 18, isNorthern: false))
        #expect(
            try projection {
                $0.keys = [2048: 32_767, 2056: 7030, 3075: 1]
                $0.numbers = [3080: 15, 3081: 0, 3082: 500_000, 3083: 0, 3092: 0.9996]
            } == .utm(zone: 33, isNorthern: true))
        // UTM on NAD 27.
        #expect(try projection { $0.keys = [2048: 4267, 3074: 16_018] } == nil)
    }

    @Test func `LZW and PackBits are decompressed`() {
        // Clear, A, B, the entry AB, the entry for ABA that is defined by itself, end.
        let codes = [256, 65, 66, 258, 260, 257]
        let bits =
            codes.map { code in
                let text = String(code, radix: 2)
                return String(repeating: "0", count: 9 - text.count) + text
            }.joined() + "000"
        let packed = stride(from: 0, to: bits.count / 8 * 8, by: 8).compactMap { at in
            UInt8(bits.dropFirst(at).prefix(8), radix: 2)
        }
        #expect(TIFFCompression.lzw.unpacked(packed, count: 7) == Array("ABABABA".utf8))
        #expect(TIFFCompression.packBits.unpacked([2, 1, 2, 3, 0xFE, 9], count: 6) == [1, 2, 3, 9, 9, 9])
    }

    @Test func `a file that can't be shown is refused by name, with the command that converts it`() throws {
        func refusal(_ change: (inout GeoTIFFFixture) -> Void) throws -> String {
            var fixture = GeoTIFFFixture()
            change(&fixture)
            let path = folder.write(fixture.bytes, to: "b.tif")
            do throws(ArchiveFailure) {
                _ = try GeoTIFFArchive(path, name: "b")
                return ""
            } catch {
                return error.description
            }
        }
        #expect(try refusal { $0.compression = 34_925 }.contains("LZMA"))
        #expect(
            try refusal {
                $0.samples = 12
                $0.photometric = 1
            }.contains("12 bands; choose three with gdal_translate -of COG -b RED"))
        #expect(try refusal { $0.code = 3035 }.contains("EPSG:3035; convert it with gdalwarp -of COG"))
        #expect(try refusal { $0.rotation = 3 }.contains("rotated"))
        // A rounding error is no rotation.
        #expect(try refusal { $0.rotation = 1e-6 }.isEmpty)
        // Projected coordinates of a system without keys are no degrees.
        #expect(
            try refusal {
                $0.code = 4326
                $0.keys = [1024: 32_767]
                $0.texts[1026] = "Mollweide"
            }.contains("without an EPSG code (Mollweide); convert it with gdalwarp"))
        #expect(try refusal { $0.compression = 34_887 }.contains("LERC"))
        #expect(try refusal { $0.photometric = 8 }.contains("Lab"))
        #expect(try refusal { $0.format = 5 }.contains("complex"))
        #expect(try refusal { _ in }.isEmpty)
        let half = folder.write(Array(GeoTIFFFixture().bytes.prefix(100)), to: "c.tif")
        #expect(throws: ArchiveFailure.self) { try GeoTIFFArchive(half, name: "c") }
    }

    @Test func `a mask beside the file hides pixels, whatever its blocks`() throws {
        var mask = GeoTIFFFixture()
        mask.samples = 1
        mask.photometric = 1
        mask.isTiled = false
        mask.block = 7
        mask.sample = { x, y, _ in x + y < 100 ? 0 : 255 }
        _ = folder.write(mask.bytes, to: "a.tif.msk")
        let archive = try archive(GeoTIFFFixture()), raster = try raster(archive)
        #expect(colour(raster, 0, 99)[3] == 0 && colour(raster, 100, 0)[3] == 255)
        #expect(colour(raster, 0, 98)[3] == 0 && archive.facts.contains { $0.key == "mask" })
        mask.side = 128
        _ = folder.write(mask.bytes, to: "a.tif.msk")
        #expect(throws: ArchiveFailure.self) { try self.archive(GeoTIFFFixture()) }
    }

    @Test func `damaged files end in an answer or a failure`() throws {
        var random = SplitMix(seed: 46)
        for fixture in [
            GeoTIFFFixture(),
            {
                var big = GeoTIFFFixture(); big.isBig = true; big.overviews = 2; return big
            }(),
        ] {
            let sound = fixture.bytes
            for _ in 0..<60 {
                var bytes = sound
                if Int.random(in: 0..<4, using: &random) == 0 {
                    bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
                }
                for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                    let at = Int.random(in: 0..<min(bytes.count, 900), using: &random)
                    bytes[at] =
                        [0, 1, 127, 255, UInt8.random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
                }
                let path = folder.write(bytes, to: "fuzz.tif")
                guard let archive = try? GeoTIFFArchive(path, name: "fuzz") else { continue }
                _ = try? archive.tile(GeoTIFFFixture.tile)
                _ = try? archive.tile(.world)
            }
        }
    }

    @Test func `a file on a server takes at most four requests for the first picture`() async throws {
        var fixture = GeoTIFFFixture()
        fixture.side = 2048
        fixture.block = 64
        fixture.overviews = 4
        fixture.isBig = true
        let bytes = fixture.bytes
        let http = try HTTPFixture(clock: .machine) { request in
            .part(of: bytes, request, etag: "\"1\"", control: "max-age=60")
        }
        let resource = WebResource(document: HTTPAddress(http.server.url("/ortho.tif")))
        let file = RemoteFile(resource: resource, loader: DocumentLoader(http.client, store: MemoryStore()))
        let source = try await RemoteArchive.open(
            file, probe: nil, prefersStored: false, isReload: false, definition: nil, onChange: nil)
        let tiles = [TileID(zoom: 5, x: 16, y: 10)!, TileID(zoom: 5, x: 17, y: 10)!, GeoTIFFFixture.tile]
        let answers = await withTaskGroup { group in
            for tile in tiles {
                group.addTask { try? await source.body(of: tile) }
            }
            return await group.reduce(into: [[UInt8]?]()) { $0.append($1) }
        }
        for answer in answers { #expect(try raster(#require(answer)).isOpaque) }
        #expect(http.server.requestCount <= 4)
        let loaded = http.server.requestCount
        #expect(try await source.body(of: GeoTIFFFixture.tile) != nil && http.server.requestCount == loaded)
    }

    @Test func `a file that is replaced on its server is opened again`() async throws {
        var fixture = GeoTIFFFixture()
        fixture.side = 512
        fixture.overviews = 2
        fixture.sample = { _, _, _ in 10 }
        let old = fixture.bytes
        fixture.overviews = 1
        fixture.sample = { _, _, _ in 200 }
        let new = fixture.bytes, isReplaced = Mutex(false), changes = Mutex(0)
        let http = try HTTPFixture(clock: .machine) { request in
            let isNew = isReplaced.withLock { $0 }
            return .part(
                of: isNew ? new : old, request, etag: isNew ? "\"2\"" : "\"1\"", control: "max-age=60")
        }
        let resource = WebResource(document: HTTPAddress(http.server.url("/ortho.tif")))
        let file = RemoteFile(resource: resource, loader: DocumentLoader(http.client, store: MemoryStore()))
        let source = try await RemoteArchive.open(
            file, probe: nil, prefersStored: false, isReload: false, definition: nil
        ) { changes.withLock { $0 += 1 } }
        func red(_ x: Int, _ y: Int) async throws -> Int? {
            let body = try await source.body(of: TileID(zoom: 5, x: 16 + x, y: 10 + y)!)
            return try body.map { try colour(raster($0), 9, 9)[0] }
        }
        #expect(try await red(0, 0) == 10)
        isReplaced.withLock { $0 = true }
        #expect(try await red(1, 1) == 200)
        #expect(try await red(0, 0) == 200 && changes.withLock { $0 } == 1)
        #expect(http.server.requestCount < 20)
    }
}
