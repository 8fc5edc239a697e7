import Rhumb
import RhumbOpening
import RhumbStore
import RhumbTestSupport

/// Targets for images, vector tiles and archives.
extension FuzzTarget {
    static let tileTargets = [
        FuzzTarget("images", pictures) { bytes in
            let header = try? ImageHeader(ofWhole: bytes, limits: .tile)
            let raster = try? SniffingDecoder().decode(bytes, limits: .tile)
            guard let raster else { return }
            precondition(header.map { $0.width == raster.width && $0.height == raster.height } ?? true)
        },
        FuzzTarget("mvt", vectorTiles) { draw($0) },
        FuzzTarget("mlt", mapLibreTiles) { draw($0) },
        FuzzTarget("inspection", vectorTiles + mapLibreTiles, hasDigits: false) { bytes in
            guard let tile = try? VectorTile(bytes), let other = try? VectorTile(vectorTiles[1]) else {
                return
            }
            for index in tile.layerNames.indices { _ = try? LayerCheck(tile, layer: index) }
            precondition((try? JSON.parse(TileGeoJSON(tile, at: .world).text)) != nil)
            _ = try? VectorTile.differences(tile, other)
            precondition((try? VectorTile.differences(tile, tile))?.isEmpty ?? true)
            if let union = try? VectorTile.union([bytes, vectorTiles[1]]) { _ = try? VectorTile(union) }
        },
        FuzzTarget("pmtiles", archives) { bytes in
            guard let archive = try? PMTilesArchive(Bytes(bytes), name: "fuzz.pmtiles", probe: imageProbe)
            else { return }
            readAll(archive)
        },
        FuzzTarget("versatiles", containers) { bytes in
            guard
                let archive = try? VersaTilesArchive(Bytes(bytes), name: "fuzz.versatiles", probe: imageProbe)
            else { return }
            readAll(archive)
        },
        FuzzTarget("geotiff", pictureFiles, hasDigits: false) { bytes in
            let name = bytes.count.isMultiple(of: 2) ? "fuzz.tif" : "dem.tif"
            guard let archive = try? GeoTIFFArchive(folder.write(bytes, to: name), name: name) else { return }
            _ = archive.facts
            try? archive.checkStructure(isThorough: true) { _ in }
            // A tile has 65,536 pixels.
            if drawsAll || bytes.count % 16 < 2 { _ = try? archive.tile(GeoTIFFFixture.tile) }
        },
        FuzzTarget("zip", [ZipFixture([("doc.kml", "<kml/>"), ("b/c.kml", "<kml></kml>")]).bytes]) { bytes in
            guard let zip = try? Zip(bytes) else { return }
            for entry in zip.entries.prefix(50) { _ = try? zip.unpacked(entry, limit: 1 << 20) }
        },
        FuzzTarget("mbtiles", [database]) { bytes in
            let path = folder.write(bytes, to: "fuzz.mbtiles")
            guard let archive = try? MBTilesArchive(path, probe: imageProbe) else { return }
            readAll(archive)
        },
    ]

    private static let folder = TemporaryFolder()

    private static let pictures = [
        PNGFixture(.trueColourAlpha, depth: 8, width: 9, height: 9).bytes, fakePicture(.world, side: 64),
        Gradient.jpeg,
        Gradient.progressiveJPEG, Gradient.greyJPEG, Gradient.cmykJPEG, Gradient.lossyWebP,
        Gradient.losslessWebP,
        Fade.lossyWebP, Animation.webp,
    ]

    static let vectorTiles: [[UInt8]] = {
        let ring = [(0, 0), (4096, 0), (4096, 3000), (20, 4000)]
        let features: [VectorTileFixture.Feature] = [
            .init(
                .line, through: (0..<200).map { ($0 * 20, $0 * $0 % 4096) },
                [("kind", .string("path")), ("lanes", .number(2))]),
            .init(.polygon, through: ring, [("area", .number(50)), ("salt", .bool(true))]),
            .init(.point, through: [(7, 8)], [("name", .string("Ponte Vecchio"))]),
        ]
        return [
            VectorTileFixture([("roads", features), ("water", features)]).bytes,
            VectorTileFixture([("l", features)]).bytes,
        ]
    }()

    /// MapLibre Tiles with all encodings, and with a page of FastPFOR that has exceptions.
    private static let mapLibreTiles: [[UInt8]] = {
        let values = (0..<300).map { UInt32($0 % 50 == 7 ? $0 << 12 : $0 % 13) }
        let count = MapLibreTileFixture.stream(0x10, 1, 300, MapLibreTileFixture.fastPFOR(values, width: 4))
        let column = ([18] + MapLibreTileFixture.text("kind"), count)
        return [
            MapLibreTileFixture.everything,
            MapLibreTileFixture.layer("roads", [MapLibreTileFixture.points(300), column]),
        ]
    }()

    private static let painter: VectorPainter? = {
        guard let style = try? Style(Array(styleText.utf8)) else { return nil }
        return VectorPainter(style, source: "v")
    }()

    static func draw(_ bytes: [UInt8], by given: VectorPainter? = nil) {
        guard let tile = try? VectorTile(bytes), let painter = given ?? painter else { return }
        let layers = Dictionary(tile.layerNames.map { ($0, try? tile.layer(named: $0)) }) { first, _ in first
        }
        var reader = GeometryReader()
        for layer in layers.values.compactMap({ $0 ?? nil }) {
            for feature in layer.features {
                _ = layer.attributes(of: feature)
                _ = reader.read(feature, of: layer)
                _ = reader.geometry.polygons
            }
        }
        _ = TileFeatures(tile, at: .world, isLeftOut: [false, false, false, false])
        let part = TilePart(.world, deepest: 14)
        _ = painter.draw(part, side: 64, names: tile.layerNames) {
            tile.layer(named: $0, by: painter.use(ofLayer: $0))
        }
    }

    private static let pictureFiles: [[UInt8]] = [(3, 8, 1, 3857), (1, 16, 2, 4326), (1, 32, 3, 32632)].map {
        var fixture = GeoTIFFFixture()
        fixture.side = 64
        fixture.block = 16
        (fixture.samples, fixture.bits, fixture.format, fixture.code) = $0
        fixture.photometric = fixture.samples == 3 ? 2 : 1
        fixture.noData = fixture.samples == 3 ? nil : "-9999"
        fixture.isTiled = fixture.format != 2
        fixture.isBig = fixture.format == 3
        fixture.overviews = 1
        return fixture.bytes
    }

    private static let containers: [[UInt8]] = [VersaTilesFixture(zooms: 0...2).bytes]

    private static let archives: [[UInt8]] = [nil, 4].flatMap { leafSize in
        [true, false].map { isPacked in
            var fixture = PMTilesFixture(TileID.pyramid(0...2).map { ($0, fakePicture($0)) })
            fixture.leafSize = leafSize
            fixture.leafDepth = 2
            fixture.isPacked = isPacked
            return fixture.bytes
        }
    }

    private static let database: [UInt8] = {
        var fixture = MBTilesFixture(TileID.pyramid(0...1).map { ($0, fakePicture($0)) })
        fixture.metadata = [
            ("name", "x"), ("format", "png"), ("minzoom", "0"), ("maxzoom", "1"),
            ("bounds", "-180,-85,180,85"),
        ]
        _ = try? fixture.write(in: folder, name: "sound.mbtiles")
        return folder.bytes("sound.mbtiles")
    }()

    static func readAll(_ archive: any TileArchive) {
        for tile in TileID.pyramid(0...2) { _ = try? archive.tile(tile) }
        _ = try? archive.inspect(checksContents: true).lines
        _ = try? archive.schema(of: "x", sample: 100)
        var options = ArchiveStatistics.Options()
        options.measuresLayers = true
        options.sample = 100
        _ = try? archive.statistics(of: "x", options)
        var count = 0
        try? archive.eachTile { _ in
            count += 1
            if count > 100_000 { throw TileFailure(.refused, "enough") }
        }
    }
}

/// Bytes in memory.
private struct Bytes: ByteSource {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var size: UInt64 { UInt64(bytes.count) }

    func read(offset: UInt64, count: Int) throws(TileFailure) -> [UInt8] {
        guard offset <= size, count >= 0, UInt64(count) <= size - offset else {
            throw TileFailure(.badContent, "cut short")
        }
        return Array(bytes[Int(offset)..<Int(offset) + count])
    }
}
