internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Shows the next property of tiles.
    mutating func cycleTileView() -> [Effect] {
        let isVector = base?.drawing != nil
        let views = TileView.allCases.filter { view in
            switch view {
            case .none, .borders, .bytes, .age: true
            case .changes: tiles.comparison != nil
            case .features, .vertices: isVector
            }
        }
        let at = views.firstIndex(of: tiles.view) ?? 0
        return show(views[(at + 1) % views.count])
    }

    mutating func receiveTiles(_ response: AnyResponse) -> [Effect] {
        if let response = response[TileValueQuery.self] {
            let isFirst = tiles.values.answered?.measure != response.query.measure
            guard tiles.values.receive(response.value, to: response.query), isFirst,
                response.value.values.isEmpty, let problem = response.value.problem
            else { return [] }
            return complain(problem)
        }
        guard let response = response[TileRankingQuery.self],
            tiles.ranking.receive(response.value, to: response.query)
        else { return [] }
        if let problem = response.value.problem { return complain(problem) }
        return tiles.pendingStep.take().flatMap { walkTiles(by: $0) } ?? []
    }

    private mutating func show(_ view: TileView) -> [Effect] {
        tiles.view = view
        tiles.walked = nil
        tiles.values.expire()
        return followTiles() + say(TilesText.shown(view))
    }

    /// Queries the values of the tiles in view if they are shown.
    mutating func followTiles() -> [Effect] {
        guard let measure = tiles.view.measure, let base, movement.flight == nil else { return [] }
        let zoom = base.tileZoom(at: map.viewport.camera.zoom)
        let query = TileValueQuery(layer: base.id, measure: measure, zoom: zoom, box: map.viewport.box)
        return tiles.values.ask(query, at: map.now) ? [.ask(query)] : []
    }

    /// Returns the actions that query the tiles with the largest values, if they are unknown.
    /// - Parameter step: The step to take once they are known; nil for none.
    func askingRanking(for step: Int? = nil) -> [Action] {
        var tiles = tiles
        tiles.pendingStep = step ?? tiles.pendingStep
        guard let measure = tiles.view.measure, let base else { return [.tiles(tiles)] }
        let query = TileRankingQuery(layer: base.id, measure: measure)
        return tiles.ranking.ask(query, at: map.now) ? [.tiles(tiles), .ask(query)] : [.tiles(tiles)]
    }

    /// The tiles to step through; nil while they are unknown.
    var listedTiles: [ListedTile]? {
        guard let measure = tiles.view.measure else { return tiles.comparison?.listed }
        guard tiles.ranking.asked?.measure == measure else { return nil }
        return tiles.ranking.current?.tiles
    }

    /// Goes to the next tile of the list.
    /// - Returns: Nil if no property of tiles is shown.
    mutating func walkTiles(by step: Int) -> [Effect]? {
        guard tiles.view == .changes || tiles.view.measure != nil else { return nil }
        guard let listed = listedTiles else {
            let asked = perform(askingRanking(for: step))
            return asked.isEmpty ? [] : asked + say(TilesText.measuring)
        }
        guard !listed.isEmpty else { return say(TilesText.nothingListed) }
        let next = tiles.walked.map { $0 + step } ?? (step > 0 ? 0 : -1)
        return perform(going(toListed: (next % listed.count + listed.count) % listed.count))
    }

    /// Returns the actions that go to a tile of the list, and show its number.
    func going(toListed at: Int) -> [Action] {
        guard let listed = listedTiles, listed.indices.contains(at) else { return [] }
        var tiles = tiles
        tiles.walked = at
        let tile = listed[at].tile, offset = base?.tileSize.zoomOffset ?? 0
        // The smallest zoom that shows tiles of this zoom, so that the edges are in view if possible.
        let zoom = Double(tile.zoom - offset) - 0.49
        return [
            .tiles(tiles), .markCenter, .fly(to: Camera(center: tile.center, zoom: zoom)),
            .say("\(at + 1) of \(listed.count): \(tile), \(listed[at].text)"),
        ]
    }

    // MARK: Drawing

    /// The shown shades of tiles, and their zoom; nil for none.
    var tileShades: (shade: (TileID) -> TileShade?, zoom: Int)? {
        guard let base else { return nil }
        if let measure = tiles.view.measure {
            guard let asked = tiles.values.answered, let values = tiles.values.answer,
                asked.measure == measure, asked.layer == base.id
            else { return nil }
            return ({ values.values[$0].map(measure.shade) }, asked.zoom)
        }
        guard tiles.view == .changes, let comparison = tiles.comparison else { return nil }
        return (comparison.shade, base.tileZoom(at: map.viewport.camera.zoom))
    }

    /// Draws the shades of tiles over the map.
    /// - Parameter inPixels: True if the map contains the shades of tiles that are large enough.
    func drawTileShades(inPixels: Bool, on screen: inout CellGrid) {
        guard let (shade, zoom) = tileShades, !inPixels || !hasPixelTints(zoom) else { return }
        var cached: [TileID: TileShade?] = [:]
        TileShading(viewport: map.viewport, zoom: zoom).eachCell(columns: screen.columns) { cell, tile in
            let found = cached[tile] ?? shade(tile)
            cached[tile] = found
            guard let found else { return }
            // A sign in every third cell leaves the map visible.
            let isSparse = map.settings.depth.needsGlyphs || found.isHatched
            if !isSparse || (cell + cell / screen.columns).isMultiple(of: 3) {
                screen.cells[cell] = found.tinted(screen.cells[cell], map.settings)
            }
        }
    }

    /// The title and the rows of the legend of tiles; nil if none is shown.
    private var tileLegend: (title: String, rows: [(shade: TileShade, words: String)])? {
        let legend =
            tiles.view.measure.map { (title: TilesText.title($0), rows: $0.legend) }
            ?? (tiles.view == .changes ? tiles.comparison?.legend : nil)
        guard let legend, panels.isEmpty || map.columns >= 100, map.viewport.rows > legend.rows.count + 4
        else {
            return nil
        }
        return legend
    }

    /// The cells of the legend of tiles, at the lower left of the map; nil if none is shown.
    var tileLegendBox: CellBox? {
        tileLegend.map { legend in
            let longest = max(legend.rows.map(\.words.width).max() ?? 0, legend.title.width - 3)
            let width = min(longest + 5, map.viewport.columns / 2)
            return CellBox(
                columns: 0..<width, rows: map.viewport.rows - legend.rows.count - 1..<map.viewport.rows)
        }
    }

    /// Draws the legend of tiles.
    func drawTileLegend(on screen: inout CellGrid) {
        guard let legend = tileLegend, let box = tileLegendBox else { return }
        func write(_ text: String, _ row: Int, _ style: Cell.Style) {
            let shown = map.settings.isUnicode ? text : Transliteration.ascii(text.replacing("≤", with: "<="))
            let line = shown.clipped(to: box.columns.count).padded(to: box.columns.count)
            screen.write(line, row: box.rows.lowerBound + row, column: 0, paper: .terminal, style: style)
        }
        write(" " + legend.title, 0, .bold)
        for (at, entry) in legend.rows.enumerated() {
            write("    " + entry.words, at + 1, [])
            for column in 1...2 {
                screen[box.rows.lowerBound + at + 1, column] = entry.shade.cell(map.settings)
            }
        }
    }
}
