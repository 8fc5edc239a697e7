public import RhumbCore
internal import RhumbEngine

/// Names on the map: those of its own tiles, and of the gazetteer where they have none.
extension Browser {
    /// What could not be had is asked for again after so long, and after twice as long each time.
    private static let namePause = Duration.milliseconds(400)
    private static let mostRetries = 6
    /// Tiles whose names are kept at most.
    private static let nameTileLimit = 96

    /// After an event: asks for names that are missing, and lays out anew where that is needed.
    mutating func followNames() -> [Effect] {
        guard showsLabels, !isTooSmall else {
            names = NamesKnown()
            return []
        }
        let effects = askNames()
        layNamesOut()
        return effects
    }

    mutating func learn(_ answer: NameAnswer) -> [Effect] {
        names.learn(answer)
        guard let layer = lettered, names.retryAt == nil, names.retries < Browser.mostRetries,
            nameTiles(of: layer, in: viewport).contains(where: names.missing.contains)
        else { return [] }
        let pause = Browser.namePause * (1 << names.retries)
        names.retryAt = now + pause
        return [.wake(after: pause)]
    }

    /// The lowest layer whose tiles have names.
    private var lettered: TileLayer? { layers.first { $0.isVisible && $0.hasNames } }

    /// The zoom of the pictures that a map's names are for, however fine the tiles drawn are.
    var nameZoom: Int { max(Int(viewport.camera.zoom.rounded()), 0) }

    // MARK: Asking

    /// The tiles in view; those around them once these are known.
    private mutating func askNames() -> [Effect] {
        guard let layer = lettered else {
            names.forget()
            return []
        }
        guard flight == nil else { return [] }
        let question = NameQuestion(layer: layer.id, tiles: [], zoom: nameZoom, language: settings.nameLanguage)
        if names.asked?.isLike(question) != true { begin(question) }
        askAgain(layer)
        forgetFarTiles(of: layer)
        let wide = viewport.resized(columns: viewport.columns * 2, rows: viewport.rows * 2)
        for view in [viewport, wide] {
            let tiles = nameTiles(of: layer, in: view).filter { names.askedTiles.insert($0).inserted }
            guard tiles.isEmpty else { return [.askNames(question.about(tiles))] }
            if isAwaitingNames { return [] }
        }
        return []
    }

    private mutating func begin(_ question: NameQuestion) {
        if names.asked?.layer != question.layer { names.forget() }
        names.asked = question
        names.askedTiles = []
        names.missing = []
        names.retryAt = nil
        names.retries = 0
    }

    /// What is missing may be asked for again when the view moved, and in view after a pause.
    private mutating func askAgain(_ layer: TileLayer) {
        if names.camera != viewport.camera {
            names.camera = viewport.camera
            names.retries = 0
            names.forgive(names.missing)
        } else if let due = names.retryAt, now >= due {
            names.retryAt = nil
            names.retries += 1
            names.forgive(Set(nameTiles(of: layer, in: viewport)))
        }
    }

    private func nameTiles(of layer: TileLayer, in view: Viewport) -> [TileID] {
        let zooms = layer.dataZooms
        guard nameZoom >= zooms.lowerBound else { return [] }
        let cover = TileCover.tiles(
            in: view, zoom: min(nameZoom, zooms.upperBound), bounds: layer.boundingBox, limit: Browser.nameTileLimit / 2)
        var seen: Set<TileID> = []
        return cover.map(\.tile).filter { seen.insert($0).inserted }
    }

    /// Lets go of tiles that were left behind.
    private mutating func forgetFarTiles(of layer: TileLayer) {
        guard names.tiles.count > Browser.nameTileLimit else { return }
        let wide = viewport.resized(columns: viewport.columns * 3, rows: viewport.rows * 3)
        let near = Set(nameTiles(of: layer, in: wide))
        names.tiles = names.tiles.filter { near.contains($0.key) }
        names.askedTiles.formIntersection(near)
    }

    // MARK: Layout

    /// Names in view keep their places as long as the grid is the same and nothing was missing.
    private mutating func layNamesOut() {
        let grid = NameGrid(viewport)
        if let layout = names.layout, layout.grid.isSame(as: grid) {
            let view = layout.grid.box(of: viewport)
            let wide = view.grown(columns: view.columns.count / 4, rows: view.rows.count / 4)
            guard names.isStale || !layout.box.contains(wide) else { return }
            lay(on: layout.grid, keeping: names.isSettled ? layout.placed.filter { $0.isWithin(view) } : [])
        } else {
            names.isSettled = false
            lay(on: grid, keeping: [])
        }
        if !isAwaitingNames { names.isSettled = true }
    }

    /// Whether names in view are on their way.
    public var isAwaitingNames: Bool {
        guard showsLabels, !isTooSmall else { return false }
        guard labels.awaited == 0 else { return true }
        guard let layer = lettered else { return false }
        return nameTiles(of: layer, in: viewport).contains { names.tiles[$0] == nil && !names.missing.contains($0) }
    }

    private mutating func lay(on grid: NameGrid, keeping kept: [NameLayout.Placed]) {
        let view = grid.box(of: viewport)
        let box = view.grown(columns: view.columns.count, rows: view.rows.count)
        names.layout = NameLayout(candidates, on: grid, in: box, keeping: kept)
        names.isStale = false
    }

    /// All names there are, the most important first.
    private var candidates: [MapName] {
        let zoom = viewport.camera.zoom
        let isUnnamed = unnamed
        let others = labels.places.enumerated().filter { $0.element.isNamed(at: zoom) && isUnnamed($0.element.coordinate) }
        return names.sorted + others.map { MapName($0.element, order: $0.offset) }
    }

    /// Tells whether the map has no name of its own around a place.
    private var unnamed: (Coordinate) -> Bool {
        guard let layer = lettered else { return { _ in true } }
        let zooms = layer.dataZooms, bounds = layer.boundingBox
        let zoom = names.shown?.zoom ?? nameZoom
        guard zoom >= zooms.lowerBound else { return { _ in true } }
        return { [tiles = names.tiles] place in
            let tile = TileID(zoom: min(zoom, zooms.upperBound), containing: Mercator.world(place))
            return bounds?.intersects(tile) == false || tiles[tile]?.isEmpty == true
        }
    }

    /// A map's cells with the names that are known.
    /// - Parameter map: `viewport.rows` × `viewport.columns` cells.
    public func lettered(_ map: CellGrid) -> CellGrid {
        var grid = map
        drawLabels(on: &grid)
        return grid
    }

    func drawLabels(on screen: inout CellGrid) {
        guard showsLabels, let layout = names.layout else { return }
        let view = layout.grid.box(of: viewport)
        // A name that the edge cuts would be read wrong.
        LabelPainter(view: view, theme: theme, depth: settings.depth, isUnicode: settings.isUnicode)
            .draw(layout.placed.filter { $0.isWithin(view) }, on: &screen)
    }
}
