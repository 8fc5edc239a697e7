internal import RhumbBrowser
internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbStore

/// Names over Florence: read from tiles, laid out, written.
enum NameBench {
    static func rows(_ archive: PMTilesArchive, _ bytes: [UInt8]) -> [BenchRow] {
        guard let style = try? Style(bytes) else { return [] }
        let painter = VectorPainter(style, source: TileSchema.protomaps.rawValue)
        let source = VectorTileSource(archive, info: archive.info, painter: painter, schema: .protomaps)
        return [14, 16, 17].flatMap { rows(source, zoom: $0) }
    }

    private static func rows(_ source: VectorTileSource, zoom: Int) -> [BenchRow] {
        var layer = TileLayer(id: "names", source: source, info: source.info)
        layer.detail = 1
        layer.info.hasLettering = false
        let place = Coordinate(latitude: 43.7696, longitude: 11.2558)
        var browser = Browser(
            columns: 200, rows: 60, layers: [layer], camera: Camera(center: place, zoom: Double(zoom)))
        let questions = browser.update(.tick, at: .zero).compactMap { effect in
            if case .askNames(let question) = effect { question } else { nil }
        }
        guard let question = questions.first else { return [] }
        var labels: [TileID: [VectorLabel]] = [:]
        let reading = Timing(runs: 10) {
            for tile in question.tiles { labels[tile] = (try? source.names(of: tile, at: zoom, in: .local)) ?? [] }
        }
        let answer = NameAnswer(question, labels: labels)
        let layout = Timing(runs: 30) { _ = browser.update(.names(answer), at: .zero) }
        let grid = CellGrid(columns: 200, rows: 58)
        let writing = Timing(runs: 30) { _ = browser.lettered(grid) }
        func row(_ what: String, _ timing: Timing) -> BenchRow {
            BenchRow(name: "names at zoom \(zoom), 200x60: \(what)", value: timing.p95, unit: "ms", anchor: "")
        }
        return [row("read from \(question.tiles.count) tiles", reading), row("lay out", layout), row("write", writing)]
    }
}
