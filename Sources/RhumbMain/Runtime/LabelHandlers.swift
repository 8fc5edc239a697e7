internal import Dispatch
internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

extension QueryDispatcher {
    /// Registers the handlers that read labels from tiles and lay them out.
    /// - Parameter fetcher: Provides the cached tiles.
    func registerLabels(_ fetcher: any TileFetcher) {
        handle(LabelQuestion.self) { question, context, reply in
            if let source = LayerFeatures(question.layer, context.layers, fetcher) {
                reply(question.answer(from: source))
            }
        }
        handle(ContourLabelQuestion.self) { question, context, reply in
            if let source = LayerFeatures(question.labels.layer, context.layers, fetcher) {
                reply(question.labels.answer(from: source))
            }
        }
        handle(LabelLayoutTask.self) { task, _, reply in reply(task.outcome()) }
    }
}

extension LayerFeatures {
    /// Creates the features of the layer with an id; nil if its tiles contain none.
    init?(_ id: TileLayer.ID, _ layers: [TileLayer], _ fetcher: any TileFetcher) {
        guard let layer = layers.first(where: { $0.id == id }) else { return nil }
        self.init(layer, fetcher)
    }
}

extension LabelQuestion {
    /// Returns the labels of each available tile. Reads them on all cores.
    func answer(from source: LayerFeatures) -> [TileLabels] {
        let labels = Mutex<[TileLabels]>([])
        DispatchQueue.concurrentPerform(iterations: tiles.count) { index in
            let tile = tiles[index]
            guard let found = try? source.labels(of: tile, at: zoom, in: language) ?? [] else { return }
            let ready = TileLabels(found, on: tile, isUnicode: isUnicode)
            labels.withLock { $0.append(ready) }
        }
        return labels.withLock { $0 }
    }
}
