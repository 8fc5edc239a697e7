internal import RhumbCore
internal import RhumbEngine

/// What is known of the labels on the base map's own tiles, and where they stand.
struct KnownLabels: Sendable {
    /// What the labels in `tiles` were asked for by; its tiles don't matter.
    var shown: LabelQuestion?
    /// The labels of each tile; none for those that have none.
    var tiles: [TileID: [MapLabel]] = [:]
    /// All of them, the most important first.
    private(set) var sorted: [MapLabel] = []
    /// What was asked last, with all tiles that were asked for since the zoom, the layer and the
    /// language are the same.
    var asked: LabelQuestion?
    var askedTiles: Set<TileID> = []
    /// Where the view was when the first of them were asked for; nil: what lies around it was asked for
    /// since.
    var begunAt: Camera?
    /// Of those what could not be had yet.
    var missing: Set<TileID> = []
    /// Where the view was at the last question.
    var camera: Camera?
    /// Tiles in view that are missing are asked for again then.
    var retryAt: Duration?
    /// How often that was done.
    var retries = 0
    /// As it is drawn.
    var layout: LabelLayout?
    /// Where labels stand whatever the view, so that the way to a view doesn't matter.
    var base: LabelLayout?
    /// The layout was made of all that can be had: labels in view keep their places from now on.
    var isSettled = false
    /// The layout that was asked for last.
    var task: Task?
    /// Whether it is on its way.
    var isLayingOut = false
    /// Labels were learned that it doesn't know.
    var isStale = false

    /// A layout: its number, and where its labels stand.
    struct Task: Sendable {
        let number: Int
        let grid: LabelGrid
        let box: CellBox
        let view: CellBox
        /// What lay over the map, in cells of the screen.
        let covered: [CellBox]
        /// What was marked on the map.
        let marks: [WorldPoint]
        /// Whether the view rested.
        let isAtRest: Bool
        /// Whether what lies around the view was known.
        let hasSurroundings: Bool
    }

    /// Whether what lies around the view is known, too.
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

    /// Lets tiles that are missing be asked for again.
    mutating func forgive(_ tiles: Set<TileID>) {
        askedTiles.subtract(missing.intersection(tiles))
        missing.subtract(tiles)
    }

    /// Takes in an answer; those to older questions are dropped.
    mutating func learn(_ answer: LabelAnswer) {
        guard asked?.isLike(answer.question) == true else { return }
        if shown?.isLike(answer.question) != true {
            tiles = [:]
            isSettled = false
        }
        shown = answer.question
        tiles.merge(answer.labels) { $1 }
        missing.formUnion(answer.question.tiles.filter { answer.labels[$0] == nil })
        let all = tiles.values.flatMap(\.self)
        sorted = all.indices.sorted { all[$0].rank < all[$1].rank }.map { all[$0] }
        isStale = true
    }
}
