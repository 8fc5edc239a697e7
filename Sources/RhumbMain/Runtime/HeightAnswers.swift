internal import Rhumb
internal import RhumbBrowser

/// Tells the heights along a track from what is at hand, away from the loop.
struct HeightAnswers: Sendable {
    private let inbox: Inbox
    private let terrain: Terrain

    init(_ inbox: Inbox, _ terrain: Terrain) { (self.inbox, self.terrain) = (inbox, terrain) }

    func answer(_ question: HeightQuestion, _ layers: [TileLayer]) {
        Task.detached(executorPreference: BlockingExecutor.shared) { [inbox, terrain] in
            var ground: GroundHeights?
            do throws(Notice.Problem) {
                ground = try await terrain.ground(under: layers)
            } catch {
                inbox.put(.trouble(error.description))
            }
            // A layer of heights on the map was chosen by the user, so its server may be asked.
            let isShown = layers.contains { $0.info.name == ground?.name && $0.isVisible }
            if isShown { for path in question.paths { await ground?.load(for: path.points) } }
            let heights = question.paths.map { ground?.heights(at: $0.points) ?? [] }
            inbox.put(.heights(heights, from: ground?.name, for: question))
        }
    }
}
