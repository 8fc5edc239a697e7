public import RhumbCore
public import RhumbEngine

extension Browser {
    /// Returns the whole screen: map, marks, panel, notice, status line, hint line.
    /// - Parameters:
    ///   - scene: The drawable contents of the view, from the engine's board.
    ///   - map: The cells of the map, `viewport.rows` × `viewport.columns`, from `MapPainter`.
    public func view(_ scene: Scene, map: CellGrid) -> CellGrid { view(scene, map: map, inPixels: false) }

    /// - Parameter inPixels: True if the map is drawn in pixels and contains the shapes of `pixelShapes`.
    func view(_ scene: Scene, map: CellGrid, inPixels: Bool) -> CellGrid {
        var screen = CellGrid(columns: self.map.columns, rows: self.map.rows)
        guard !isTooSmall else { return tooSmall(screen) }
        screen.place(map)
        drawHeat(inPixels: inPixels, on: &screen)
        drawTileShades(inPixels: inPixels, on: &screen)
        if !inPixels { tintPositionCircle(on: &screen) }
        let ground = screen
        drawLabels(inPixels: inPixels, on: &screen)
        drawOverlays(on: &screen)
        drawPosition(on: &screen)
        RoutePainter(self).drawMarks(on: &screen)
        drawLegend(on: &screen)
        drawOverlayLegend(on: &screen)
        drawTileLegend(on: &screen)
        drawEdge(on: &screen)
        drawLines(scene, over: ground, inPixels: inPixels, on: &screen)
        drawMarks(on: &screen)
        drawCenterMark(on: &screen, over: ground)
        drawTrackCursor(on: &screen)
        drawFound(on: &screen)
        if let panel = panelLayout(scene) {
            screen.draw(panel, face: face, isUnicode: self.map.settings.isUnicode)
        }
        let hints = HintLine(self)
        drawStatus(scene, hints, on: &screen)
        drawNotice(beside: hints, on: &screen)
        drawTypingAid(on: &screen)
        return screen
    }

    /// Draws lines on the map: the coordinate grid, the circle of the position's accuracy, the line between
    /// marks, the outlines of the panel and the borders of tiles. They do not cover names, marks or legends.
    /// - Parameters:
    ///   - ground: The screen before anything was written over the map.
    ///   - inPixels: True to write only names, because the map contains the lines.
    private func drawLines(
        _ scene: Scene, over ground: CellGrid, inPixels: Bool, on screen: inout CellGrid
    ) {
        let outlines = [way].filter { !$0.isEmpty } + (panels.top?.rings(self) ?? [])
        guard !outlines.isEmpty || tiles.view == .borders || positionRadius != nil || map.settings.grid != nil
        else { return }
        let written = screen.indices(changedFrom: ground)
        drawCoordinateGrid(avoiding: written, hasLines: !inPixels, on: &screen)
        if !inPixels {
            drawPositionCircle(avoiding: written, on: &screen)
            OutlinePainter(map.viewport, map.settings, theme, avoiding: written).draw(outlines, on: &screen)
        }
        if tiles.view == .borders, let layer = bordered(scene) {
            TileBorders(
                viewport: map.viewport, isUnicode: map.settings.isUnicode, hasLines: !inPixels,
                avoided: written
            ).draw(layer, on: &screen)
        }
    }

    /// Returns the layer whose tiles have borders.
    func bordered(_ scene: Scene) -> LayerScene? {
        scene.layers.first(where: { $0.layer.id == base?.id }) ?? scene.layers.first
    }

    /// The cache state of tiles if the open panel shows it; nil otherwise.
    var shownHeat: (heat: HeatMap, onlyPinned: Bool)? {
        guard let overlay = panels.top?.heat(self), let heat = stored.cache.heat.answer,
            heat.layer == base?.id
        else { return nil }
        return (heat, overlay.onlyPinned)
    }

    private func drawHeat(inPixels: Bool, on screen: inout CellGrid) {
        guard let (heat, onlyPinned) = shownHeat, !inPixels || !hasPixelTints(heat.zoom) else { return }
        HeatPainter(viewport: map.viewport, depth: map.settings.depth).draw(
            heat, onlyPinned: onlyPinned, on: &screen)
    }

    /// Draws the message that the screen is too small, in the longest wording that fits.
    private func tooSmall(_ screen: CellGrid) -> CellGrid {
        func size(_ columns: Int, _ rows: Int) -> String {
            "\(columns)\(map.settings.isUnicode ? "×" : "x")\(rows)"
        }
        var screen = screen
        let least = size(Browser.smallest.columns, Browser.smallest.rows)
        let wordings = StatusText.tooSmall(size(map.columns, map.rows), least)
        let fitting = wordings.first { words in
            words.split(separator: " ").allSatisfy { String($0).width <= map.columns }
                && wrapped(words, to: map.columns).count <= map.rows
        }
        for (row, line) in wrapped(fitting ?? "", to: map.columns).enumerated() {
            screen.write(line.text, row: row, column: 0)
        }
        return screen
    }

    /// Draws the centre mark while keys pan the map or the open panel describes a point. While keys pan, it
    /// does not cover names.
    /// - Parameter ground: The screen before anything was written over the map.
    private func drawCenterMark(on screen: inout CellGrid, over ground: CellGrid) {
        let isAsked = panels.top?.marksPoint == true
        guard isAsked || (map.now < movement.centerMarkUntil && pointing.pointer == nil) else { return }
        let row = min(Int(point.row), map.viewport.rows - 1)
        let column = min(Int(point.column), map.viewport.columns - 1)
        guard row >= 0, column >= 0, isAsked || screen[row, column] == ground[row, column] else { return }
        if map.settings.depth == .mono {
            screen.write("+", row: row, column: column, paper: .terminal, style: .reverse)
        } else {
            screen.write(
                "+", row: row, column: column, ink: .indexed(15), paper: .indexed(9), style: .bold)
        }
    }

    /// Draws the notice in place of the hints, after the offer of streets, if it fits beside the attribution,
    /// otherwise in lines at the top, beside a panel.
    private func drawNotice(beside hints: HintLine, on screen: inout CellGrid) {
        guard let notice = map.notices.current(at: map.now) else { return }
        let isAmongHints = hints.notice != nil
        let room = max((hasDrawer && !panels.isEmpty ? wholePanelFrame.column : map.columns) - 4, 1)
        var lines = isAmongHints ? [notice.shortText] : wrapped(notice.shortText, to: room).map(\.text)
        let most = max(map.viewport.rows / 2, 1)
        if lines.count > most {
            lines[most - 1] = lines[(most - 1)...].joined(separator: " ").clipped(to: room)
            lines.removeSubrange(most...)
        }
        let width = (lines.map(\.width).max() ?? 0) + 4, start = isAmongHints ? hints.offerWidth : 0
        for (at, line) in lines.enumerated() {
            let row = isAmongHints ? map.rows - 1 : at
            screen.write(
                String(repeating: " ", count: min(width, map.columns)), row: row, column: start,
                paper: .terminal)
            screen.write(line, row: row, column: start + 3, style: notice.isProblem ? .bold : [])
        }
        let sign = map.settings.isUnicode ? (notice.isProblem ? "▲" : "●") : (notice.isProblem ? "!" : "*")
        let row = isAmongHints ? map.rows - 1 : 0
        screen.write(
            sign, row: row, column: start + 1, ink: notice.isProblem ? face.alarm : face.accent, style: .bold)
    }

    private func drawStatus(_ scene: Scene, _ hints: HintLine, on screen: inout CellGrid) {
        let hasHints = Browser.hasHintLine(map.rows, map.settings)
        if let prompt = input.prompt {
            screen.draw(prompt, row: map.rows - 1)
            if hasHints { fill(statusLine(scene, hasAttribution: true), row: map.rows - 2, on: &screen) }
            return
        }
        let row = hasHints ? map.rows - 2 : map.rows - 1
        fill(statusLine(scene, hasAttribution: !hasHints), row: row, on: &screen)
        if hasHints { hints.draw(face, row: map.rows - 1, on: &screen) }
    }

    private func fill(_ text: String, row: Int, on screen: inout CellGrid) {
        let bar = face.bar, line = text.padded(to: map.columns)
        screen.write(line, row: row, column: 0, ink: bar.ink, paper: bar.paper, style: bar.style)
    }
}

extension CellGrid {
    /// Returns the indices of the cells that differ from those of another grid of the same size.
    func indices(changedFrom other: CellGrid) -> Set<Int> {
        Set(cells.indices.filter { cells[$0] != other.cells[$0] })
    }
}
