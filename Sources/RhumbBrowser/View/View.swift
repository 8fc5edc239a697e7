public import RhumbCore
public import RhumbEngine

extension Browser {
    /// The whole screen: map, marks, panel, notice, status line, hint line.
    /// - Parameters:
    ///   - scene: what can be drawn of the view, from the engine's board.
    ///   - map: the map's cells, `viewport.rows` × `viewport.columns`, as `MapPainter` paints them.
    public func view(_ scene: Scene, map: CellGrid) -> CellGrid {
        var screen = CellGrid(columns: columns, rows: rows)
        guard !isTooSmall else { return tooSmall(screen) }
        screen.place(map)
        drawWay(on: &screen)
        drawLabels(on: &screen)
        drawOverlays(on: &screen)
        drawPosition(on: &screen)
        RoutePainter(viewport, settings).drawMarks(route, on: &screen)
        drawLegend(on: &screen)
        drawOverlayLegend(on: &screen)
        drawWhatIsKept(on: &screen)
        for ring in panels.top?.rings(self) ?? [] {
            OutlinePainter(viewport: viewport, isUnicode: settings.isUnicode).draw(ring, on: &screen)
        }
        if settings.showsBorders, let base = scene.layers.first {
            TileBorders(viewport: viewport, isUnicode: settings.isUnicode).draw(base, on: &screen)
        }
        drawMarks(on: &screen)
        drawCenterMark(on: &screen)
        drawTrackCursor(on: &screen)
        drawFound(on: &screen)
        if let panel = panels.top {
            let text = panel.text(self, scene)
            screen.draw(text, keys: keyLines(under: text), in: wholePanelFrame, face: face, isUnicode: settings.isUnicode)
        }
        drawStatus(scene, on: &screen)
        drawNotice(on: &screen)
        drawTypingAid(on: &screen)
        return screen
    }

    /// The map of what is kept, as the open panel has it drawn.
    private func drawWhatIsKept(on screen: inout CellGrid) {
        guard let overlay = panels.top?.heat(self), let heat = cache.heat.answer, heat.layer == base?.id else { return }
        HeatPainter(viewport: viewport, depth: settings.depth).draw(heat, onlyPinned: overlay.onlyPinned, on: &screen)
    }

    private func tooSmall(_ screen: CellGrid) -> CellGrid {
        var screen = screen
        let words = "too small: \(columns)x\(rows), needs \(Browser.smallest.columns)x\(Browser.smallest.rows)"
        screen.write(words, row: 0, column: 0)
        return screen
    }

    /// The mark in the middle, while keys pan or `i` is open.
    private func drawCenterMark(on screen: inout CellGrid) {
        let isAsked = panels.top?.marksPoint == true
        guard isAsked || (now < centerMarkUntil && pointer == nil) else { return }
        let row = min(Int(point.row), viewport.rows - 1)
        let column = min(Int(point.column), viewport.columns - 1)
        guard row >= 0, column >= 0 else { return }
        if settings.depth == .mono {
            screen.write("+", row: row, column: column, paper: .terminal, style: .reverse)
        } else {
            screen.write(
                "+", row: row, column: column, ink: .indexed(15), paper: .indexed(9), style: .bold)
        }
    }

    /// In the line of keys, where it covers nothing of the map; without one over the map's first row.
    private func drawNotice(on screen: inout CellGrid) {
        guard let notice = notices.current(at: now) else { return }
        let row = Browser.hasHintLine(rows, settings) && prompt == nil ? rows - 1 : 0
        let sign = settings.isUnicode ? (notice.isProblem ? "▲" : "●") : (notice.isProblem ? "!" : "*")
        screen.write(String(repeating: " ", count: columns), row: row, column: 0, paper: .terminal)
        screen.write(sign, row: row, column: 1, ink: notice.isProblem ? face.alarm : face.accent, style: .bold)
        let text = notice.text.clipped(to: max(columns - 4, 1))
        screen.write(text, row: row, column: 3, style: notice.isProblem ? .bold : [])
    }

    private func drawStatus(_ scene: Scene, on screen: inout CellGrid) {
        let hasHints = Browser.hasHintLine(rows, settings)
        if let prompt {
            screen.draw(prompt, row: rows - 1)
            if hasHints { fill(statusLine(scene, hasAttribution: true), row: rows - 2, on: &screen) }
            return
        }
        let row = hasHints ? rows - 2 : rows - 1
        fill(statusLine(scene, hasAttribution: !hasHints), row: row, on: &screen)
        if hasHints { drawHints(row: rows - 1, on: &screen) }
    }

    private func fill(_ text: String, row: Int, on screen: inout CellGrid) {
        let gap = String(repeating: " ", count: max(columns - text.width, 0))
        let bar = face.bar
        screen.write(text + gap, row: row, column: 0, ink: bar.ink, paper: bar.paper, style: bar.style)
    }

    /// The most useful keys, from the key table, and the attribution at the right.
    private func drawHints(row: Int, on screen: inout CellGrid) {
        let credit = attributionWordings.first { $0.width <= columns * 2 / 3 }
            ?? attributionWordings.last ?? ""
        screen.write(credit, row: row, column: columns - credit.width - 1, style: .dim)
        var column = 1
        let room = columns - (credit.isEmpty ? 0 : credit.width + 3)
        for (key, word) in hints {
            guard column + key.width + 1 + word.width < room else { break }
            column += screen.write(key, row: row, column: column, ink: face.accent, style: .bold) + 1
            column += screen.write(word, row: row, column: column, style: .dim) + 2
        }
    }

    /// The hints of the key table, help first.
    private var hints: [(key: String, word: String)] {
        let marked = keymap.bindings.compactMap { binding in
            binding.hint.map { (key: String(binding.label.prefix { $0 != " " }), word: $0, command: binding.command) }
        }
        let ordered = marked.filter { $0.command == .panel(.help) } + marked.filter { $0.command != .panel(.help) }
        return ordered.map { ($0.key, $0.word) }
    }
}
