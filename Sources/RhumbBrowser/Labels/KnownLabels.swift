internal import RhumbCore
internal import RhumbEngine

/// The known labels of the base map's tiles, and their layout.
struct KnownLabels: Sendable {
    /// The query of the labels in `tiles`; its own tiles don't matter.
    var shown: LabelQuestion?
    /// The labels of each tile; none for those that have none.
    var tiles: [TileID: [MapLabel]] = [:]
    /// All of them, the most important first.
    private(set) var sorted: [MapLabel] = []
    /// The last query, and all tiles requested since the zoom, the layer and the language are the same.
    var asked: LabelQuestion?
    var askedTiles: Set<TileID> = []
    /// The view of the first request; nil once the surroundings were requested.
    var begunAt: Camera?
    /// The requested tiles that are not available yet.
    var missing: Set<TileID> = []
    /// The view of the last query.
    var camera: Camera?
    /// The time at which missing tiles in view are requested again; nil for none.
    var retryAt: Duration?
    /// The number of retries.
    var retries = 0
    /// As it is drawn.
    var layout: LabelLayout?
    /// The layout for any view, so that it does not depend on the path to a view.
    var base: LabelLayout?
    /// True if the layout has all available labels: labels in view keep their places from now on.
    var isSettled = false
    /// The last requested layout; nil for none.
    var task: Task?
    /// True while the layout is being made.
    var isLayingOut = false
    /// Labels were learned that it doesn't know.
    var isStale = false

    /// A layout: its number, and where its labels stand.
    struct Task: Sendable {
        let number: Int
        let grid: LabelGrid
        let box: CellBox
        let view: CellBox
        /// The covered cells of the screen.
        let covered: [CellBox]
        /// The marks on the map.
        let marks: [WorldPoint]
        /// True if the view was at rest.
        let isAtRest: Bool
        /// True if the surroundings of the view were known.
        let hasSurroundings: Bool
    }

    /// True if the surroundings of the view are known too.
    var hasSurroundings: Bool {
        begunAt == nil && askedTiles.allSatisfy { tiles[$0] != nil || missing.contains($0) }
    }

    /// Lets go of the labels of a map that is no longer shown.
    mutating func forget() {
        guard asked != nil || !tiles.isEmpty else { return }
        let before = self
        self = KnownLabels()
        layout = before.layout
        base = before.base
        task = before.task
        isLayingOut = before.isLayingOut
        isStale = true
    }

    /// Allows missing tiles to be requested again.
    mutating func forgive(_ tiles: Set<TileID>) {
        askedTiles.subtract(missing.intersection(tiles))
        missing.subtract(tiles)
    }

    /// Stores the labels of the requested tiles, unless the map was changed since.
    mutating func receive(_ answer: [TileLabels], to question: LabelQuestion) {
        guard asked?.isLike(question) == true else { return }
        if shown?.isLike(question) != true {
            tiles = [:]
            isSettled = false
        }
        shown = question
        for tile in answer { tiles[tile.tile] = tile.labels }
        missing.formUnion(Set(question.tiles).subtracting(answer.map(\.tile)))
        let all = tiles.values.flatMap(\.self)
        sorted = all.indices.sorted { all[$0].rank < all[$1].rank }.map { all[$0] }
        isStale = true
    }
}
