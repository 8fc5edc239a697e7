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
        return decoding(archive) + formats + drawing(archive, bytes) + NameBench.rows(archive, bytes)
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

    /// Decoding of the same four tiles in both formats. MapLibre Tiles must not be slower.
    private static var formats: [BenchRow] {
        let names = ["10_531_684", "11_1062_1368", "12_2134_2734", "13_4267_5468"]
        func timing(_ path: (String) -> String) -> Double {
            let tiles = names.compactMap { TestData.bytes(of: path($0)) }
            return tiles.isEmpty ? 0 : Timing(runs: 50) { for tile in tiles { _ = points(in: tile) } }.best
        }
        let messages = timing { "mlt/fixtures/omt/\($0).mvt" }
        let columns = timing { "mlt/expected/tag0x01/omt/\($0).mlt" }
        guard messages > 0, columns > 0 else { return [] }
        let anchor = "as Mapbox Vector Tiles: \((messages * 100).rounded() / 100) ms"
        return [
            BenchRow(name: "decode four MapLibre Tiles whole", value: columns, unit: "ms", anchor: anchor)
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
