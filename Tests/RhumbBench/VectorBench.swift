internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbStore
internal import RhumbTestSupport

/// Measures the path of vector tiles from bytes to rasters, with Florence from the folder in RHUMB_TEST_DATA,
/// or else a synthetic city.
enum VectorBench {
    static func rows() -> [BenchRow] {
        let folder = TemporaryFolder()
        let city =
            TestData.folder.map { ("Florence", $0 + "/firenze-vector.pmtiles") }
            ?? ("a synthetic city", SyntheticCity.write(into: folder))
        guard let bytes = TestFiles.bytes("Assets/styles/night.json"),
            let archive = try? PMTilesArchive(city.1)
        else {
            print("  skipped: \(city.1) can't be read")
            return []
        }
        return decoding(archive) + formats(bytes) + drawing(archive, bytes) + NameBench.rows(archive, bytes)
            + CityBench.rows(city.0, city.1)
    }

    private static let place = Mercator.world(SyntheticCity.place)

    private static func decoding(_ archive: PMTilesArchive) -> [BenchRow] {
        let tile = TileID(zoom: 14, containing: place)
        guard case .bitmap(.encoded(let bytes)) = try? archive.tile(tile) else { return [] }
        let timing = Timing(runs: 50) { _ = points(in: bytes) }
        return [
            BenchRow(
                name: "decode a tile of \(bytes.count / 1000) kB whole",
                value: Double(bytes.count) / 1e3 / timing.best,
                unit: "MB/s", anchor: "goal 150 MB/s")
        ]
    }

    /// Decoding and drawing of the same four tiles in both formats. MapLibre Tiles must not be slower.
    private static func formats(_ style: [UInt8]) -> [BenchRow] {
        let ids =
            [TileID(zoom: 10, x: 531, y: 684), TileID(zoom: 11, x: 1062, y: 1368)]
            + [TileID(zoom: 12, x: 2134, y: 2734), TileID(zoom: 13, x: 4267, y: 5468)]
        func tiles(_ folder: String, _ ending: String) -> [(id: TileID, bytes: [UInt8])] {
            ids.compactMap(\.self).compactMap { id in
                TestData.bytes(of: "mlt/\(folder)/omt/\(id.zoom)_\(id.x)_\(id.y).\(ending)").map { (id, $0) }
            }
        }
        let messages = tiles("fixtures", "mvt"), columns = tiles("expected/tag0x01", "mlt")
        guard messages.count == ids.count, columns.count == ids.count, let style = try? Style(style) else {
            return []
        }
        func row(_ name: String, _ body: (TileID, [UInt8]) -> Void) -> BenchRow {
            let times = [messages, columns].map { tiles in
                Timing(runs: 50) { for tile in tiles { body(tile.id, tile.bytes) } }.best
            }
            let anchor = "as Mapbox Vector Tiles: \((times[0] * 100).rounded() / 100) ms"
            return BenchRow(name: name, value: times[1], unit: "ms", anchor: anchor)
        }
        let painter = VectorPainter(style, source: TileSchema.openMapTiles.rawValue)
        return [
            row("decode four MapLibre Tiles whole") { _ = points(in: $1) },
            row("decode and draw them") { id, bytes in
                let drawing = VectorDrawing(
                    TileSourceInfo(name: "bench", zooms: 0...14), painters: [.openMapTiles: painter])
                _ = try? drawing.tile(id, from: bytes).picture(of: id, side: 512)
            },
        ]
    }

    /// Decodes everything: layers, attributes and shapes.
    private static func points(in bytes: [UInt8]) -> Int {
        guard let tile = try? VectorTile(bytes) else { return 0 }
        var reader = GeometryReader()
        var tags: [UInt32] = []
        var count = 0
        for name in tile.layerNames {
            guard let layer = try? tile.layer(named: name) else { continue }
            for feature in layer.features where layer.readTags(of: feature, into: &tags) {
                if reader.read(feature, of: layer) { count += reader.geometry.points.count }
            }
        }
        return count
    }

    private static func drawing(_ archive: PMTilesArchive, _ bytes: [UInt8]) -> [BenchRow] {
        guard let style = try? Style(bytes) else { return [] }
        let painter = VectorPainter(style, source: TileSchema.protomaps.rawValue)
        let parsing = Timing(runs: 20) { _ = try? Style(bytes) }
        let rows = [13, 14, 15, 16].map { zoom in
            let tile = TileID(zoom: zoom, containing: place)
            let data = TileID(zoom: min(zoom, 14), containing: place)
            let timing = Timing(runs: 20) {
                guard case .bitmap(.encoded(let bytes)) = try? archive.tile(data) else { return }
                let drawing = VectorDrawing(archive.info, painters: [.protomaps: painter])
                _ = try? drawing.tile(data, from: bytes).picture(of: tile, side: 512)
            }
            return BenchRow(
                name: "read, decode and draw a tile of zoom \(zoom)", value: timing.best, unit: "ms",
                anchor: "")
        }
        return [
            BenchRow(
                name: "read a style of \(style.layers.count) layers", value: parsing.best, unit: "ms",
                anchor: "")
        ] + rows
    }
}
