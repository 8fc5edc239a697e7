public import RhumbCore
internal import RhumbEngine

/// The labels on the map. They come from the map's own tiles, or from the gazetteer where the tiles have
/// none.
extension Browser {
    /// The pause before missing tiles are requested again; it doubles each time.
    private static let retryPause = Duration.milliseconds(400)
    private static let mostRetries = 6
    /// Zoom limits of the label density. Up to `wholeWorld`, a map shows much of the world. From
    /// `streetNames`, it names streets and has as many labels as fit.
    private static let (wholeWorld, streetNames) = (1.75, 12.5)
    /// The maximum number of tiles whose labels are stored.
    private static let labelTileLimit = 96

    /// Requests missing labels and, if necessary, another layout. Called after each event.
    mutating func followLabels() -> [Effect] {
        guard showsLabels, !isTooSmall else {
            forgetLabels()
            return []
        }
        return askLabels() + askHeights() + layLabelsOut()
    }

    /// Discards all labels and ignores responses in flight.
    mutating func forgetLabels() {
        let task = labels.task
        labels = LabelState(places: labels.places)
        labels.task = task
        labels.isStale = task != nil
    }

    mutating func receiveLabels(_ response: AnyResponse) -> [Effect] {
        if let response = response[LabelQuestion.self] { return receive(response.value, to: response.query) }
        if let response = response[ContourLabelQuestion.self] {
            return receiveHeights(response.value, to: response.query.labels)
        }
        if let response = response[LabelLayoutTask.self] { receive(response.value, of: response.query) }
        if let places = response[PlaceLabelQuery.self]?.value {
            let isUnicode = map.settings.isUnicode
            labels.places.receive(isUnicode ? places : places.map(\.inASCII).filter { !$0.name.isEmpty })
            labels.isStale = true
        }
        return []
    }

    private mutating func receive(_ answer: [TileLabels], to question: LabelQuestion) -> [Effect] {
        labels.receive(answer, to: question)
        guard let layer = labelledLayer, labels.retryAt == nil, labels.retries < Browser.mostRetries,
            labelTiles(of: layer, in: map.viewport).contains(where: labels.missing.contains)
        else { return [] }
        let pause = Browser.retryPause * (1 << labels.retries)
        labels.retryAt = map.now + pause
        return [.wake(after: pause)]
    }

    /// The layer that labels come from: the street map if it is the base map and has labels, otherwise the
    /// lowest other visible layer with labels; nil if no names are written.
    private var labelledLayer: TileLayer? {
        guard showsNames else { return nil }
        if let base, base.refinesBase, base.writesLabels { return base }
        return map.layers.first { $0.isVisible && $0.writesLabels && !$0.refinesBase && !$0.isContours }
    }

    /// The zoom that labels are selected for, regardless of the zoom of the drawn tiles.
    var labelZoom: Int { max(Int(map.viewport.camera.zoom.rounded()), 0) }

    /// Returns the zoom of the tiles that labels are read from: the label zoom, but at most the source's
    /// last. If tiles of the last zoom are drawn one zoom early, their labels are used as well, because only
    /// they have small streets.
    func labelTileZoom(of layer: TileLayer) -> Int {
        let last = layer.dataZooms.upperBound
        let isEarly =
            layer.prefersLastZoom && labelZoom == last - 1
            && layer.tileZoom(at: map.viewport.camera.zoom) == last
        return isEarly ? last : min(labelZoom, last)
    }

    // MARK: Asking

    /// True if labels around the view may be requested. The labels in view come first.
    private var mayAskAround: Bool {
        labels.begunAt == nil || isAtRest || labels.begunAt != map.viewport.camera
    }

    /// Requests the labels of the tiles in view, and those of the surrounding tiles after the first ones are
    /// placed.
    private mutating func askLabels() -> [Effect] {
        guard let layer = labelledLayer else {
            labels.forget()
            return []
        }
        guard movement.flight == nil else { return [] }
        let question = LabelQuestion(
            layer: layer.id, tiles: [], zoom: labelZoom, tileZoom: labelTileZoom(of: layer),
            language: map.settings.nameLanguage,
            isUnicode: map.settings.isUnicode)
        if labels.asked?.isLike(question) != true { begin(question) }
        askAgain(layer)
        forgetFarTiles(of: layer)
        let wide = map.viewport.resized(columns: map.viewport.columns * 2, rows: map.viewport.rows * 2)
        for view in [map.viewport, wide] {
            let tiles = labelTiles(of: layer, in: view).filter { labels.askedTiles.insert($0).inserted }
            guard tiles.isEmpty else { return [.ask(question.about(tiles))] }
            if lacksLabels || !labels.isSettled || !mayAskAround { return [] }
            labels.begunAt = nil
        }
        return []
    }

    private mutating func begin(_ question: LabelQuestion) {
        if labels.asked?.layer != question.layer { labels.forget() }
        labels.asked = question
        labels.begunAt = map.viewport.camera
        labels.askedTiles = []
        labels.missing = []
        labels.retryAt = nil
        labels.retries = 0
    }

    /// Allows new requests for missing tiles: for all of them after a move, for those in view after a pause.
    private mutating func askAgain(_ layer: TileLayer) {
        if labels.camera != map.viewport.camera {
            labels.camera = map.viewport.camera
            labels.retries = 0
            labels.forgive(labels.missing)
        } else if let due = labels.retryAt, map.now >= due {
            labels.retryAt = nil
            labels.retries += 1
            labels.forgive(Set(labelTiles(of: layer, in: map.viewport)))
        }
    }

    func labelTiles(of layer: TileLayer, in view: Viewport) -> [TileID] {
        let zooms = layer.dataZooms
        guard labelZoom >= zooms.lowerBound else { return [] }
        let cover = TileCover.tiles(
            in: view, zoom: labelTileZoom(of: layer), bounds: layer.boundingBox,
            limit: Browser.labelTileLimit / 2)
        var seen: Set<TileID> = []
        return cover.map(\.tile).filter { seen.insert($0).inserted }
    }

    /// Evicts the labels of tiles far from the view.
    private mutating func forgetFarTiles(of layer: TileLayer) {
        guard labels.tiles.count > Browser.labelTileLimit else { return }
        let wide = map.viewport.resized(columns: map.viewport.columns * 3, rows: map.viewport.rows * 3)
        let near = Set(labelTiles(of: layer, in: wide))
        labels.tiles = labels.tiles.filter { near.contains($0.key) }
        labels.askedTiles.formIntersection(near)
    }

    // MARK: Layout

    /// Requests a new layout if necessary. Labels in view keep their positions while the grid is the same and
    /// no label was missing. The last layout is drawn until the next one arrives.
    private mutating func layLabelsOut() -> [Effect] {
        var grid = LabelGrid(map.viewport), base: LabelLayout?
        if let task = labels.task, task.grid.isSame(as: grid) {
            let view = task.grid.box(of: map.viewport)
            let wide = view.grown(columns: view.columns.count / 4, rows: view.rows.count / 4)
            if !labels.isStale, task.box.contains(wide) {
                if fits(task, view) { return [] }
                base = labels.isSettled && (!labels.isLayingOut || task.keepsBase) ? labels.base : nil
            }
            grid = task.grid
        }
        return [.ask(task(on: grid, base))]
    }

    /// Returns true if the labels avoid panels and marks and, while the view is at rest, the view's edges.
    private func fits(_ task: LabelState.Task, _ view: CellBox) -> Bool {
        task.covered == map.screenUse.covered && task.marks == markedPoints
            && task.markedName == shownFound.shownName(map.settings)
            && (!isAtRest || task.isAtRest && task.view == view)
    }

    /// The points with a mark: clicked and found places, those of a route, the point that the open panel
    /// describes and the cursor of a profile. Labels are placed beside them.
    private var markedPoints: [WorldPoint] {
        let described =
            panels.top?.marksPoint == true ? map.viewport.world(column: point.column, row: point.row) : nil
        let found = (shownFound.marked.map(\.coordinate) + route.markedPlaces).map(Mercator.world)
        return pointing.marks + found + [described, trackCursor].compactMap(\.self)
    }

    /// Returns the marked columns by row, in the layout's grid.
    private func markedCells(in view: CellBox) -> [Int: Set<Int>] {
        let placement = CellPlacement(map.viewport)
        var marked: [Int: Set<Int>] = [:]
        func mark(row: Int, column: Int) {
            marked[view.rows.lowerBound + row, default: []].insert(view.columns.lowerBound + column)
        }
        for at in markedPoints.flatMap(placement.cells) {
            mark(row: at / map.viewport.columns, column: at % map.viewport.columns)
        }
        for found in shownFound.marks(in: map.viewport, map.settings) {
            for column in found.columns { mark(row: found.row, column: column) }
        }
        return marked
    }

    /// - Parameter known: The layout that is independent of the view; nil if it is unknown or no longer
    ///   valid.
    private mutating func task(on grid: LabelGrid, _ base: LabelLayout?) -> LabelLayoutTask {
        let view = grid.box(of: map.viewport), zoom = map.viewport.camera.zoom
        let covered = map.screenUse.covered.map {
            $0.moved(columns: view.columns.lowerBound, rows: view.rows.lowerBound)
        }
        let room = LabelObstacles(
            view: view, covered: covered, marks: markedCells(in: view),
            markedName: shownFound.shownName(map.settings),
            density: zoom < Browser.wholeWorld
                ? LabelObstacles.worldDensity : zoom < Browser.streetNames ? LabelObstacles.mapDensity : nil)
        let shown = labels.isSettled ? labels.base : nil
        let box = base?.box ?? view.grown(columns: view.columns.count, rows: view.rows.count)
        // If the last layout did not know the view's surroundings, labels outside its view may have to make
        // room for others.
        let held = labels.task.map { $0.hasSurroundings ? view : $0.view } ?? view
        let task = LabelLayoutTask(
            number: (labels.task?.number ?? 0) + 1, labels: labels.sorted,
            places: labels.places.named(at: zoom, on: grid), heights: labels.heights.all,
            isUnlabelled: unlabelled, grid: grid,
            box: box, room: room, base: base, units: map.settings.units,
            language: map.settings.nameLanguage,
            isUnicode: map.settings.isUnicode, zoom: labels.places.isKnown ? zoom : nil,
            fixed: shown?.grid.isSame(as: grid) == true
                ? shown?.placed.filter { $0.isWithin(held) && $0.ink != .height } ?? [] : [],
            shown: !isAtRest && shown?.grid.isSame(as: grid) == true ? labels.layout?.placed ?? [] : [],
            isComplete: !lacksLabels)
        labels.task = LabelState.Task(
            number: task.number, grid: grid, box: task.box, view: view, covered: map.screenUse.covered,
            marks: markedPoints, markedName: shownFound.shownName(map.settings),
            isAtRest: isAtRest, hasSurroundings: labels.hasSurroundings, keepsBase: base != nil)
        labels.isLayingOut = true
        labels.isStale = false
        return task
    }

    private mutating func receive(_ outcome: LabelLayoutOutcome, of task: LabelLayoutTask) {
        guard task.number == labels.task?.number else { return }
        labels.layout = outcome.layout
        labels.base = outcome.base
        labels.isSettled = outcome.isComplete
        labels.isLayingOut = false
    }

    /// True if labels in view or their layout are pending.
    public var isAwaitingLabels: Bool { lacksLabels || labels.isLayingOut || lacksHeights }

    /// True if the view's layout is pending and no earlier one fits the view.
    public var isAwaitingLayout: Bool {
        labels.isLayingOut && labels.layout?.grid.isSame(as: LabelGrid(map.viewport)) != true
    }

    private var lacksLabels: Bool {
        guard showsNames, !isTooSmall else { return false }
        guard labels.places.awaited == 0 else { return true }
        guard let layer = labelledLayer else { return false }
        return labelTiles(of: layer, in: map.viewport).contains {
            labels.tiles[$0] == nil && !labels.missing.contains($0)
        }
    }

    /// A closure that returns true if the map has no label of its own around a place.
    private var unlabelled: @Sendable (Coordinate) -> Bool {
        let open = map.screenUse.open
        guard namesEverywhere else { return { open?.contains($0) == true } }
        guard let layer = labelledLayer else { return { _ in true } }
        let zooms = layer.dataZooms, bounds = layer.boundingBox
        let zoom = labels.shown?.tileZoom ?? labelTileZoom(of: layer)
        guard zoom >= zooms.lowerBound else { return { _ in true } }
        return { [tiles = labels.tiles] place in
            let tile = TileID(zoom: zoom, containing: Mercator.world(place))
            return bounds?.intersects(tile) == false || tiles[tile]?.isEmpty == true
                || open?.contains(place) == true
        }
    }

    /// Returns the map's cells with the known labels, the overlays and the position drawn on them.
    /// - Parameter map: `viewport.rows` × `viewport.columns` cells.
    public func labelled(_ map: CellGrid) -> CellGrid {
        var grid = map
        tintPositionCircle(on: &grid)
        let ground = grid
        drawLabels(on: &grid)
        drawOverlays(on: &grid)
        drawPosition(on: &grid)
        let written = grid.indices(changedFrom: ground)
        drawCoordinateGrid(avoiding: written, on: &grid)
        drawPositionCircle(avoiding: written, on: &grid)
        return grid
    }

    /// The labels in view, and the part of their layout's grid that the view shows. Labels cut by the edge
    /// are omitted, and those under marks of features or of the position, which move too often for a layout.
    var shownLabels: (labels: [LabelLayout.Placed], view: CellBox)? {
        guard showsLabels, let layout = labels.layout, layout.grid.isSame(as: LabelGrid(map.viewport)) else {
            return nil
        }
        let view = layout.grid.box(of: map.viewport)
        let marked = overlayMarks
        let shown = layout.placed.filter { label in
            label.isWithin(view)
                && (marked.isEmpty
                    || !label.parts.contains { part in
                        part.columns.contains {
                            marked.contains(
                                (part.row - view.rows.lowerBound) * map.viewport.columns + $0
                                    - view.columns.lowerBound)
                        }
                    })
        }
        return (shown, view)
    }

    /// - Parameter inPixels: True if the map is drawn in pixels. Each label then has one background colour.
    func drawLabels(inPixels: Bool = false, on screen: inout CellGrid) {
        guard let (labels, view) = shownLabels else { return }
        LabelPainter(
            view: view, theme: theme, depth: map.settings.depth, isUnicode: map.settings.isUnicode,
            inks: self.labels.inks, inPixels: inPixels
        ).draw(labels, on: &screen)
    }

    /// Returns the text of the label at a cell of the map; nil if there is none.
    func label(at column: Int, _ row: Int) -> String? {
        guard let (labels, view) = shownLabels else { return nil }
        let column = column + view.columns.lowerBound, row = row + view.rows.lowerBound
        return labels.first { label in
            !label.text.isEmpty && label.parts.contains { $0.row == row && $0.columns.contains(column) }
        }?.text
    }
}
