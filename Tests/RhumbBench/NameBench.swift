internal import RhumbBrowser
internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbStore

/// Measures names over Florence: reading them from tiles, laying them out and writing them.
enum NameBench {
    static func rows(_ archive: PMTilesArchive, _ bytes: [UInt8]) -> [BenchRow] {
        guard let style = try? Style(bytes) else { return [] }
        let painter = VectorPainter(style, source: TileSchema.protomaps.rawValue)
        var layer = TileLayer(id: "names", source: archive, info: archive.info)
            .drawn(by: VectorDrawing(archive.info, painters: [.protomaps: painter]))
        layer.detail = 1
        layer.info.hasLabels = false
        guard let described = LayerFeatures(layer, NoFetcher()) else { return [] }
        return [14, 16, 17].flatMap { rows(layer, described, zoom: $0) }
    }

    private static func rows(_ layer: TileLayer, _ described: LayerFeatures, zoom: Int) -> [BenchRow] {
        let place = Coordinate(latitude: 43.7696, longitude: 11.2558)
        var browser = Browser(
            columns: 200, rows: 60, layers: [layer], camera: Camera(center: place, zoom: Double(zoom)))
        let questions = browser.update(.tick, at: .zero).compactMap { effect in
            if case .query(let query) = effect { query.query as? LabelQuestion } else { nil }
        }
        guard let question = questions.first else { return [] }
        var names: [TileLabels] = []
        let reading = Timing(runs: 10) {
            names = question.tiles.map { tile in
                TileLabels((try? described.labels(of: tile, at: zoom, in: .local)) ?? [], on: tile)
            }
        }
        let tasks = browser.update(.response(names, to: question), at: .zero).compactMap { effect in
            if case .query(let query) = effect { query.query as? LabelLayoutTask } else { nil }
        }
        guard let task = tasks.last else { return [] }
        let layout = Timing(runs: 30) { _ = task.outcome() }
        _ = browser.update(.response(task.outcome(), to: task), at: .zero)
        let grid = CellGrid(columns: 200, rows: 58)
        let writing = Timing(runs: 30) { _ = browser.labelled(grid) }
        func row(_ what: String, _ timing: Timing) -> BenchRow {
            BenchRow(
                name: "names at zoom \(zoom), 200x60: \(what)", value: timing.p95, unit: "ms", anchor: "")
        }
        return [
            row("read from \(question.tiles.count) tiles", reading), row("lay out", layout),
            row("write", writing),
        ]
    }
}

/// Fetches and stores nothing.
private struct NoFetcher: TileFetcher {
    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        throw TileFailure(.offline, "nothing is fetched here")
    }
}
