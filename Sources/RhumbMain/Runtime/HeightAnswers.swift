internal import Dispatch
internal import Rhumb
internal import RhumbBrowser

/// Tells the heights along a track from layers of heights that are open, away from the loop.
struct HeightAnswers: Sendable {
    private let inbox: Inbox
    private let fetcher: any TileFetcher
    private let queue = DispatchQueue(label: "rhumb.heights", qos: .userInitiated)

    /// - Parameter fetcher: knows what is kept of tiles.
    init(_ inbox: Inbox, _ fetcher: any TileFetcher) { (self.inbox, self.fetcher) = (inbox, fetcher) }

    func answer(_ question: HeightQuestion, _ layers: [TileLayer]) {
        queue.async { [inbox, fetcher] in
            let ground = GroundHeights.of(layers, fetcher)
            let heights = question.paths.map { ground?.heights(at: $0.points) ?? [] }
            inbox.put(.heights(heights, from: ground?.name, for: question))
        }
    }
}
