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
        drawStatus(scene, on: &screen)
        drawNotice(on: &screen)
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
    private func drawNotice(on screen: inout CellGrid) {
        guard let notice = map.notices.current(at: map.now) else { return }
        let isAmongHints = noticeAmongHints != nil
        let room = max((hasDrawer && !panels.isEmpty ? wholePanelFrame.column : map.columns) - 4, 1)
        var lines = isAmongHints ? [notice.shortText] : wrapped(notice.shortText, to: room).map(\.text)
        let most = max(map.viewport.rows / 2, 1)
        if lines.count > most {
            lines[most - 1] = lines[(most - 1)...].joined(separator: " ").clipped(to: room)
            lines.removeSubrange(most...)
        }
        let width = (lines.map(\.width).max() ?? 0) + 4, start = isAmongHints ? offerWidth : 0
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

    /// The current notice if it is shown in place of the hints; nil otherwise.
    private var noticeAmongHints: Notice? {
        guard Browser.hasHintLine(map.rows, map.settings), input.prompt == nil,
            let notice = map.notices.current(at: map.now)
        else {
            return nil
        }
        return offerWidth + notice.shortText.width + 3 < hintRoom ? notice : nil
    }

    /// The hint that offers streets; nil if none are offered.
    private var offerHint: Hint? {
        guard offersStreets, let first = leadingHints.first else { return nil }
        return Hint(first.0, first.1, at: 1)
    }

    /// The number of columns that the offer of streets takes in the hint line; 0 without one.
    private var offerWidth: Int { offerHint.map { $0.columns.upperBound + 1 } ?? 0 }

    private func drawStatus(_ scene: Scene, on screen: inout CellGrid) {
        let hasHints = Browser.hasHintLine(map.rows, map.settings)
        if let prompt = input.prompt {
            screen.draw(prompt, row: map.rows - 1)
            if hasHints { fill(statusLine(scene, hasAttribution: true), row: map.rows - 2, on: &screen) }
            return
        }
        let row = hasHints ? map.rows - 2 : map.rows - 1
        fill(statusLine(scene, hasAttribution: !hasHints), row: row, on: &screen)
        if hasHints { drawHints(row: map.rows - 1, on: &screen) }
    }

    private func fill(_ text: String, row: Int, on screen: inout CellGrid) {
        let bar = face.bar, line = text.padded(to: map.columns)
        screen.write(line, row: row, column: 0, ink: bar.ink, paper: bar.paper, style: bar.style)
    }

    /// Draws the most useful keys, from the key table, and the attribution on the right.
    private func drawHints(row: Int, on screen: inout CellGrid) {
        let credit = hintCredit
        screen.write(credit, row: row, column: map.columns - credit.width - 1, style: .dim)
        for hint in hints {
            let column = hint.columns.lowerBound
            screen.write(hint.key, row: row, column: column, ink: face.accent, style: .bold)
            screen.write(hint.word, row: row, column: column + hint.key.width + 1, style: .dim)
        }
    }

    /// The attribution in the hint line: the longest wording beside which the first hints fit. An open panel
    /// leaves no hints there.
    private var hintCredit: String {
        let first = panels.isEmpty ? leadingHints : []
        let wanted = first.reduce(1) { $0 + Hint($1.0, $1.1, at: 0).columns.count + 2 }
        return attributionWordings.first { wanted + $0.width + 1 <= map.columns } ?? attributionWordings.last
            ?? ""
    }

    /// The number of columns in the hint line that the attribution leaves free.
    private var hintRoom: Int {
        let width = hintCredit.width
        return map.columns - (width == 0 ? 0 : width + 3)
    }

    /// The keys that a newcomer needs, in their order.
    private static let leading: [Command] = [
        .streets, .panel(.search), .panel(.download), .panel(.measure), .panel(.layers), .panel(.help), .quit,
    ]
    /// The keys while two archives are compared.
    private static let comparing: [Command] = [
        .panel(.search), .walk(1), .other, .swipe, .panel(.tiles), .panel(.help), .quit,
    ]
    /// The words for those keys that have no hint otherwise.
    private static let comparingWords: [Command: String] = [
        .walk(1): "next change", .other: "other archive", .swipe: "both", .panel(.tiles): "changes",
    ]
    /// The width of a screen whose hints name the source of streets.
    private static let longHints = 100
    /// Those that are on every screen.
    private static let essential: [Command] = [.streets, .panel(.search), .panel(.help), .quit]

    private var leadingHints: [(Keymap.Binding, String)] {
        (tiles.comparison == nil ? Browser.leading : Browser.comparing).compactMap { command in
            if command == .streets {
                let offer = offersStreets ? streets.offer : nil
                return offer.map {
                    let isShort = map.columns < Browser.longHints
                    return (Keymap.Binding.streets, isShort ? "streets" : StatusText.showStreets($0.name))
                }
            }
            guard hasUse(for: command),
                let binding = input.keymap.bindings.first(where: { $0.command == command && !$0.keys.isEmpty }
                )
            else { return nil }
            return (binding, binding.hint ?? Browser.comparingWords[command] ?? "")
        }
    }

    /// The hints on the screen, as many as fit: first the offer of streets, then those that a newcomer needs.
    /// Empty while their line is used for something else or a panel takes the keys, or only the offer beside
    /// a notice.
    var hints: [Hint] {
        guard Browser.hasHintLine(map.rows, map.settings), input.prompt == nil, panels.isEmpty else {
            return []
        }
        if noticeAmongHints != nil { return offerHint.map { [$0] } ?? [] }
        let leading = leadingHints
        let others = input.keymap.bindings.filter {
            $0.hint != nil && !$0.keys.isEmpty && !Browser.leading.contains($0.command)
        }
        var all = leading + others.map { ($0, $0.hint ?? "") }
        func width(_ index: Int) -> Int { Hint(all[index].0, all[index].1, at: 0).columns.count + 2 }
        let first = all.indices.filter { Browser.essential.contains(all[$0].0.command) }
        var chosen: Set<Int> = [], room = hintRoom + 1
        // Beside the offer of streets, a narrow line has only the most important keys, without words.
        let isNarrow = first.reduce(0) { $0 + width($1) } > room
        if isNarrow { for index in first where all[index].0.command != .streets { all[index].1 = "" } }
        for index in first + (isNarrow ? [] : Array(all.indices))
        where !chosen.contains(index) && width(index) <= room {
            chosen.insert(index)
            room -= width(index)
        }
        var hints: [Hint] = [], column = 1
        for index in chosen.sorted() {
            let hint = Hint(all[index].0, all[index].1, at: column)
            hints.append(hint)
            column = hint.columns.upperBound + 2
        }
        return hints
    }
}

/// A key and its effect in the hint line.
struct Hint {
    let key: String
    let word: String
    let columns: Range<Int>
    /// The key that a click presses.
    let pressed: Key

    fileprivate init(_ binding: Keymap.Binding, _ word: String, at column: Int) {
        key = String(binding.label.prefix { $0 != " " })
        self.word = word
        columns = column..<(column + key.width + (word.isEmpty ? 0 : 1 + word.width))
        pressed = binding.keys.first ?? .escape
    }
}

extension CellGrid {
    /// Returns the indices of the cells that differ from those of another grid of the same size.
    func indices(changedFrom other: CellGrid) -> Set<Int> {
        Set(cells.indices.filter { cells[$0] != other.cells[$0] })
    }
}
