public import RhumbCore
internal import RhumbEngine

/// Labels on the map: those of its own tiles, and of the gazetteer where they have none.
extension Browser {
    /// What could not be had is asked for again after so long, and after twice as long each time.
    private static let retryPause = Duration.milliseconds(400)
    private static let mostRetries = 6
    /// Tiles whose labels are kept at most.
    private static let labelTileLimit = 96

    /// After an event: asks for labels that are missing, and lays out anew where that is needed.
    /// - Parameter hasMoved: whether a picture of another place is waited for.
    mutating func followLabels(hasMoved: Bool) -> [Effect] {
        guard showsLabels, !isTooSmall else {
            labels = KnownLabels()
            return []
        }
        return askLabels() + layLabelsOut(hasMoved: hasMoved)
    }

    mutating func learn(_ answer: LabelAnswer) -> [Effect] {
        labels.learn(answer)
        guard let layer = labelledLayer, labels.retryAt == nil, labels.retries < Browser.mostRetries,
            labelTiles(of: layer, in: viewport).contains(where: labels.missing.contains)
        else { return [] }
        let pause = Browser.retryPause * (1 << labels.retries)
        labels.retryAt = now + pause
        return [.wake(after: pause)]
    }

    /// The lowest layer whose tiles have labels.
    private var labelledLayer: TileLayer? { layers.first { $0.isVisible && $0.hasNames } }

    /// The zoom of the pictures that a map's labels are for, however fine the tiles drawn are.
    var labelZoom: Int { max(Int(viewport.camera.zoom.rounded()), 0) }

    // MARK: Asking

    /// The tiles in view; those around them once these are known.
    private mutating func askLabels() -> [Effect] {
        guard let layer = labelledLayer else {
            labels.forget()
            return []
        }
        guard flight == nil else { return [] }
        let question = LabelQuestion(layer: layer.id, tiles: [], zoom: labelZoom, language: settings.nameLanguage)
        if labels.asked?.isLike(question) != true { begin(question) }
        askAgain(layer)
        forgetFarTiles(of: layer)
        let wide = viewport.resized(columns: viewport.columns * 2, rows: viewport.rows * 2)
        for view in [viewport, wide] {
            let tiles = labelTiles(of: layer, in: view).filter { labels.askedTiles.insert($0).inserted }
            guard tiles.isEmpty else { return [.askLabels(question.about(tiles))] }
            if isAwaitingLabels { return [] }
        }
        return []
    }

    private mutating func begin(_ question: LabelQuestion) {
        if labels.asked?.layer != question.layer { labels.forget() }
        labels.asked = question
        labels.askedTiles = []
        labels.missing = []
        labels.retryAt = nil
        labels.retries = 0
    }

    /// What is missing may be asked for again when the view moved, and in view after a pause.
    private mutating func askAgain(_ layer: TileLayer) {
        if labels.camera != viewport.camera {
            labels.camera = viewport.camera
            labels.retries = 0
            labels.forgive(labels.missing)
        } else if let due = labels.retryAt, now >= due {
            labels.retryAt = nil
            labels.retries += 1
            labels.forgive(Set(labelTiles(of: layer, in: viewport)))
        }
    }

    private func labelTiles(of layer: TileLayer, in view: Viewport) -> [TileID] {
        let zooms = layer.dataZooms
        guard labelZoom >= zooms.lowerBound else { return [] }
        let cover = TileCover.tiles(
            in: view, zoom: min(labelZoom, zooms.upperBound), bounds: layer.boundingBox, limit: Browser.labelTileLimit / 2)
        var seen: Set<TileID> = []
        return cover.map(\.tile).filter { seen.insert($0).inserted }
    }

    /// Lets go of tiles that were left behind.
    private mutating func forgetFarTiles(of layer: TileLayer) {
        guard labels.tiles.count > Browser.labelTileLimit else { return }
        let wide = viewport.resized(columns: viewport.columns * 3, rows: viewport.rows * 3)
        let near = Set(labelTiles(of: layer, in: wide))
        labels.tiles = labels.tiles.filter { near.contains($0.key) }
        labels.askedTiles.formIntersection(near)
    }

    // MARK: Layout

    /// Labels in view keep their places as long as the grid is the same and nothing was missing.
    private mutating func layLabelsOut(hasMoved: Bool) -> [Effect] {
        let grid = LabelGrid(viewport)
        if let layout = labels.layout, layout.grid.isSame(as: grid) {
            let view = layout.grid.box(of: viewport)
            let wide = view.grown(columns: view.columns.count / 4, rows: view.rows.count / 4)
            guard labels.isStale || !layout.box.contains(wide) else { return [] }
            // A picture is not kept waiting for labels that are not in view.
            if hasMoved, layout.box.contains(view) { return [.wake(after: .zero)] }
            lay(on: layout.grid, keeping: labels.isSettled ? layout.placed.filter { $0.isWithin(view) } : [])
        } else {
            labels.isSettled = false
            lay(on: grid, keeping: [])
        }
        if !isAwaitingLabels { labels.isSettled = true }
        return []
    }

    /// Whether labels in view are on their way.
    public var isAwaitingLabels: Bool {
        guard showsLabels, !isTooSmall else { return false }
        guard placeLabels.awaited == 0 else { return true }
        guard let layer = labelledLayer else { return false }
        return labelTiles(of: layer, in: viewport).contains { labels.tiles[$0] == nil && !labels.missing.contains($0) }
    }

    private mutating func lay(on grid: LabelGrid, keeping kept: [LabelLayout.Placed]) {
        let view = grid.box(of: viewport)
        let box = view.grown(columns: view.columns.count, rows: view.rows.count)
        labels.layout = LabelLayout(candidates, on: grid, in: box, keeping: kept)
        labels.isStale = false
    }

    /// All labels there are, the most important first.
    private var candidates: [MapLabel] {
        let zoom = viewport.camera.zoom
        let isUnlabelled = unlabelled
        let others = placeLabels.places.enumerated().filter { $0.element.isNamed(at: zoom) && isUnlabelled($0.element.coordinate) }
        return labels.sorted + others.map { MapLabel($0.element, order: $0.offset) }
    }

    /// Tells whether the map has no label of its own around a place.
    private var unlabelled: (Coordinate) -> Bool {
        guard let layer = labelledLayer else { return { _ in true } }
        let zooms = layer.dataZooms, bounds = layer.boundingBox
        let zoom = labels.shown?.zoom ?? labelZoom
        guard zoom >= zooms.lowerBound else { return { _ in true } }
        return { [tiles = labels.tiles] place in
            let tile = TileID(zoom: min(zoom, zooms.upperBound), containing: Mercator.world(place))
            return bounds?.intersects(tile) == false || tiles[tile]?.isEmpty == true
        }
    }

    /// A map's cells with the labels that are known.
    /// - Parameter map: `viewport.rows` × `viewport.columns` cells.
    public func labelled(_ map: CellGrid) -> CellGrid {
        var grid = map
        drawLabels(on: &grid)
        return grid
    }

    func drawLabels(on screen: inout CellGrid) {
        guard showsLabels, let layout = labels.layout else { return }
        let view = layout.grid.box(of: viewport)
        // A label that the edge cuts would be read wrong.
        LabelPainter(view: view, theme: theme, depth: settings.depth, isUnicode: settings.isUnicode)
            .draw(layout.placed.filter { $0.isWithin(view) }, on: &screen)
    }
}
