internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// The maximum number of incident kinds in the legend.
    private static let mostCategories = 6

    /// Draws the legend of traffic colours and glyphs, at the lower left of the map.
    func drawLegend(on screen: inout CellGrid) {
        guard let title = legendTitle, let box = legendBox else { return }
        let rows = legendRows, width = box.columns.count, top = box.rows.lowerBound
        write(title, row: top, width: width, style: .bold, on: &screen)
        for (at, entry) in rows.enumerated() {
            let row = top + 1 + at
            write("    \(entry.words)", row: row, width: width, on: &screen)
            for column in 1...2 where column < screen.columns { screen[row, column] = entry.sign }
        }
    }

    /// The cells of the legend; nil if it is hidden.
    var legendBox: CellBox? {
        guard let title = legendTitle, tileLegendBox == nil, panels.isEmpty || map.columns >= 100 else {
            return nil
        }
        let rows = legendRows
        guard map.viewport.rows > rows.count + 4 else { return nil }
        let longest = max(rows.map(\.words.width).max() ?? 0, title.width - 3)
        return CellBox(
            columns: 0..<min(longest + 6, map.viewport.columns),
            rows: (map.viewport.rows - rows.count - 1)..<map.viewport.rows)
    }

    /// The title of the legend, for the levels of flow or else the marks of incidents; nil without either.
    private var legendTitle: String? {
        traffic.status.flatMap { $0.legend?.title ?? ($0.categories.isEmpty ? nil : "incidents") }
    }

    /// The shown levels or kinds with their cells, best first.
    private var legendRows: [(sign: Cell, words: String)] {
        var rows = (traffic.status?.legend?.entries ?? []).map { (sign: sign(of: $0.level), words: $0.text) }
        let categories = traffic.status?.categories ?? []
        if map.settings.depth.needsGlyphs && traffic.choice.incidents != nil {
            rows.append((sign: TrafficMarks.incident(map.settings.depth), words: "incident"))
        }
        let room = max(map.viewport.rows / 2 - rows.count - 1, 0)
        return rows
            + categories.prefix(min(room, Browser.mostCategories)).map {
                (sign: TrafficSign.cell($0, .moderate, map.settings.depth), words: $0.text)
            }
    }

    private func sign(of level: TrafficLevel) -> Cell {
        let ramp = map.settings.trafficColours.ramp
        return map.settings.depth.needsGlyphs
            ? ramp.mark(of: level, depth: map.settings.depth, unicode: map.settings.isUnicode)
            : ramp.swatch(of: level, depth: map.settings.depth)
    }

    private func write(
        _ text: String, row: Int, width: Int, style: Cell.Style = [], on screen: inout CellGrid
    ) {
        let shown = " \(text)".clipped(to: width).padded(to: width)
        screen.write(shown, row: row, column: 0, paper: .terminal, style: style)
    }
}
