public import RhumbCore
internal import RhumbEngine

/// Names on the map: those of the base map's own tiles, and of the gazetteer where it has none.
extension Browser {
    /// What could not be had is asked for again after so long.
    private static let namePause = Duration.seconds(2)
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
        let isComplete = answer.question.tiles.allSatisfy { answer.names[$0] != nil }
        names.retryAt = isComplete ? nil : now + Browser.namePause
        return isComplete ? [] : [.wake(after: Browser.namePause)]
    }

    /// The zoom of the pictures that a map's names are for, however fine the tiles drawn are.
    var nameZoom: Int { max(Int(viewport.camera.zoom.rounded()), 0) }

    // MARK: Asking

    /// The tiles of the base map in view first, then those around it.
    private mutating func askNames() -> [Effect] {
        guard let base, let source = base.described, flight == nil else { return [] }
        let question = NameQuestion(
            layer: base.id, tiles: [], zoom: nameZoom, language: settings.nameLanguage)
        if names.asked?.isLike(question) != true {
            names.asked = question
            names.askedTiles = []
            names.retryAt = nil
        }
        guard names.retryAt.map({ now >= $0 }) ?? true else { return [] }
        forgetFarTiles()
        let wide = viewport.resized(columns: viewport.columns * 2, rows: viewport.rows * 2)
        return [viewport, wide].compactMap { view in
            let tiles = nameTiles(of: base, source, in: view).filter { names.askedTiles.insert($0).inserted }
            guard !tiles.isEmpty else { return nil }
            return .askNames(
                NameQuestion(layer: question.layer, tiles: tiles, zoom: question.zoom, language: question.language))
        }
    }

    private func nameTiles(of base: TileLayer, _ source: any DescribedTileSource, in view: Viewport) -> [TileID] {
        let zooms = source.describedZooms
        let zoom = nameZoom
        guard zoom >= zooms.lowerBound else { return [] }
        let cover = TileCover.tiles(
            in: view, zoom: min(zoom, zooms.upperBound), bounds: base.boundingBox, limit: Browser.nameTileLimit / 2)
        var seen: Set<TileID> = []
        return cover.map(\.tile).filter { seen.insert($0).inserted }
    }

    /// Lets go of tiles that were left behind.
    private mutating func forgetFarTiles() {
        guard names.tiles.count > Browser.nameTileLimit, let base, let source = base.described else { return }
        let wide = viewport.resized(columns: viewport.columns * 3, rows: viewport.rows * 3)
        let near = Set(nameTiles(of: base, source, in: wide))
        names.tiles = names.tiles.filter { near.contains($0.key) }
        names.askedTiles.formIntersection(near)
    }

    // MARK: Layout

    /// Names in view keep their places as long as the grid is the same and nothing was missing.
    private mutating func layNamesOut() {
        let grid = NameGrid(viewport)
        if let layout = names.layout, layout.grid.isSame(as: grid) {
            let view = layout.grid.box(of: viewport)
            guard names.isStale || !layout.box.contains(view.grown(columns: view.columns.count / 4, rows: view.rows.count / 4))
            else { return }
            lay(on: layout.grid, keeping: names.isSettled ? layout.placed.filter { $0.isWithin(view) } : [])
        } else {
            names.isSettled = false
            lay(on: grid, keeping: [])
        }
        if !isAwaitingNames { names.isSettled = true }
    }

    /// Whether names in view are on their way.
    private var isAwaitingNames: Bool {
        guard labels.awaited == 0 else { return true }
        guard let base, let source = base.described, names.retryAt == nil else { return false }
        return nameTiles(of: base, source, in: viewport).contains { names.tiles[$0] == nil }
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

    /// Tells whether the base map has no name of its own around a place.
    private var unnamed: (Coordinate) -> Bool {
        guard let base, let source = base.described else { return { _ in true } }
        let zooms = source.describedZooms, bounds = base.boundingBox
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

extension TileLayer {
    /// The source, if it knows names.
    fileprivate var described: (any DescribedTileSource)? {
        (source as? any DescribedTileSource).flatMap { $0.hasNames ? $0 : nil }
    }
}
