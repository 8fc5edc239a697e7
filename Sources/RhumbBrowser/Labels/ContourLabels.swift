internal import RhumbCore
internal import RhumbEngine

/// A query for the heights of contour lines.
public struct ContourLabelQuestion: Query {
    /// The tiles of the contours.
    public let labels: LabelQuestion

    public static var scheduling: QueryScheduling { .inOrder("contour labels") }
    public static var isDrawnAtOnce: Bool { false }

    public func isOvertaken(by newest: ContourLabelQuestion) -> Bool { labels.isOvertaken(by: newest.labels) }

    public typealias Response = [TileLabels]
}

extension Browser {
    private static let retryLimit = 8
    private static let retryPause = Duration.milliseconds(500)

    /// The layer of the contour lines on the map; nil if there are none.
    var shownContours: TileLayer? {
        map.layers.last(where: \.isContours).flatMap { $0.isShown(at: map.viewport.camera.zoom) ? $0 : nil }
    }

    /// Requests the heights of the contour lines in view, and then those around it.
    mutating func askHeights() -> [Effect] {
        guard movement.flight == nil else { return [] }
        guard let layer = shownContours else {
            if labels.heights.asked != nil {
                labels.heights = ContourLabels()
                labels.isStale = true
            }
            return []
        }
        let question = LabelQuestion(
            layer: layer.id, tiles: [], zoom: labelZoom, tileZoom: labelTileZoom(of: layer),
            language: map.settings.nameLanguage, isUnicode: map.settings.isUnicode)
        if labels.heights.asked?.isLike(question) != true {
            if !labels.heights.tiles.isEmpty { labels.isStale = true }
            labels.heights = ContourLabels(asked: question)
        }
        if let due = labels.heights.retryAt, map.now >= due {
            labels.heights.retryAt = nil
            labels.heights.askedTiles.subtract(labels.heights.missing)
            labels.heights.missing = []
        }
        let inView = labelTiles(of: layer, in: map.viewport)
        var near = Set(inView), tiles = inView.filter { !labels.heights.askedTiles.contains($0) }
        if layer.hillGround?.isFromWeb == false {
            near.formUnion(labelTiles(of: layer, in: surroundings))
            // The tiles around the view have their heights before they come into view, but while it moves,
            // they would delay those in view.
            if tiles.isEmpty, isAtRest, inView.allSatisfy({ labels.heights.tiles[$0] != nil }) {
                tiles = near.subtracting(labels.heights.askedTiles).sorted()
            }
        }
        guard !tiles.isEmpty else { return [] }
        // Only the tiles near the view stay, so that panning does not collect labels.
        labels.heights.tiles = labels.heights.tiles.filter { near.contains($0.key) }
        labels.heights.askedTiles = labels.heights.askedTiles.intersection(near).union(tiles)
        return [.ask(ContourLabelQuestion(labels: question.about(tiles)))]
    }

    /// True if local heights of contour lines in view are pending. Those of a server may take long.
    var lacksHeights: Bool {
        guard showsLabels, let layer = shownContours, layer.hillGround?.isFromWeb == false else {
            return false
        }
        return labelTiles(of: layer, in: map.viewport).contains {
            labels.heights.askedTiles.contains($0) && labels.heights.tiles[$0] == nil
                && !labels.heights.missing.contains($0)
        }
    }

    /// The view with the area that the next pans reach.
    private var surroundings: Viewport {
        map.viewport.resized(columns: map.viewport.columns * 3 / 2, rows: map.viewport.rows * 3 / 2)
    }

    /// Requests missing tiles again after a pause, a few times.
    private mutating func wait() -> [Effect] {
        guard !labels.heights.missing.isEmpty, labels.heights.retryAt == nil,
            labels.heights.retries < Self.retryLimit
        else { return [] }
        labels.heights.retryAt = map.now + Self.retryPause
        return [.wake(after: Self.retryPause)]
    }

    mutating func receiveHeights(_ answer: [TileLabels], to question: LabelQuestion) -> [Effect] {
        guard labels.heights.asked?.isLike(question) == true else { return [] }
        for tile in answer where labels.heights.askedTiles.contains(tile.tile) {
            labels.heights.tiles[tile.tile] = tile.labels.map(\.asHeight)
        }
        if answer.contains(where: { !$0.labels.isEmpty }) { labels.isStale = true }
        labels.heights.missing.formUnion(Set(question.tiles).subtracting(answer.map(\.tile)))
        labels.heights.retries = answer.isEmpty ? labels.heights.retries + 1 : 0
        return wait()
    }
}
