internal import Dispatch
internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// Answers queries about labels of the base map's tiles, off the loop's thread, one after another. Queries
/// about a map that is no longer shown are dropped.
final class LabelAnswers: Sendable {
    private let inbox: Inbox
    private let fetcher: any TileFetcher
    private let queue = DispatchQueue(label: "rhumb.labels", qos: .userInitiated)
    private let layouts = DispatchQueue(label: "rhumb.layout", qos: .userInitiated)
    private let latest = Mutex<LabelQuestion?>(nil)
    private let latestLayout = Mutex<Int>(0)

    /// - Parameter fetcher: Knows the stored tiles.
    init(_ inbox: Inbox, _ fetcher: any TileFetcher) { (self.inbox, self.fetcher) = (inbox, fetcher) }

    func ask(_ question: LabelQuestion, _ layers: [TileLayer]) {
        guard let source = LabelAnswers.source(question.layer, layers, fetcher) else { return }
        latest.withLock { $0 = question }
        queue.async { [self] in
            guard latest.withLock({ $0?.isLike(question) == true }) else { return }
            inbox.put(.labels(LabelAnswers.answer(question, source)))
        }
    }

    /// Lays labels out; only the last task is run.
    func layOut(_ task: LabelLayoutTask) {
        latestLayout.withLock { $0 = task.number }
        layouts.async { [self] in
            guard latestLayout.withLock({ $0 == task.number }) else { return }
            inbox.put(.labelsLaidOut(task.outcome()))
        }
    }

    static func source(
        _ id: TileLayer.ID, _ layers: [TileLayer], _ fetcher: any TileFetcher
    ) -> LayerFeatures? {
        layers.first { $0.id == id }.flatMap { LayerFeatures($0, fetcher) }
    }

    /// Returns the labels of each available tile, read on all cores.
    static func answer(_ question: LabelQuestion, _ source: LayerFeatures) -> LabelAnswer {
        let labels = Mutex<[TileLabels]>([])
        DispatchQueue.concurrentPerform(iterations: question.tiles.count) { index in
            let tile = question.tiles[index]
            guard let found = try? source.labels(of: tile, at: question.zoom, in: question.language) ?? []
            else { return }
            let ready = TileLabels(found, on: tile, isUnicode: question.isUnicode)
            labels.withLock { $0.append(ready) }
        }
        return LabelAnswer(question, labels: labels.withLock { $0 })
    }
}
