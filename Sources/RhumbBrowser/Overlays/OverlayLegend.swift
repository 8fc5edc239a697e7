internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// The legend of the topmost layer that is coloured by a value; nil if none is shown.
    private var overlayLegend: OverlayLegend? {
        guard traffic.status == nil, tileLegendBox == nil, panels.isEmpty || map.columns >= 100,
            let legend = map.layers.filter(\.isVisible).compactMap({ $0.live?.legend ?? $0.legend }).last,
            map.viewport.rows > legend.entries.count + 4
        else { return nil }
        return legend
    }

    /// The cells that the legend of the overlay covers, at the lower left of the map; nil if none is shown.
    var overlayLegendBox: CellBox? {
        overlayLegend.map { legend in
            let longest = max(legend.entries.map(\.words.width).max() ?? 0, legend.title.width)
            let top = map.viewport.rows - legend.entries.count - 1
            return CellBox(columns: 0..<min(longest + 5, map.viewport.columns), rows: top..<map.viewport.rows)
        }
    }

    /// Draws the legend of the overlay.
    func drawOverlayLegend(on screen: inout CellGrid) {
        guard let legend = overlayLegend, let box = overlayLegendBox else { return }
        let width = box.columns.count, top = box.rows.lowerBound
        func line(_ text: String, _ row: Int, _ style: Cell.Style) {
            let shown = map.settings.isUnicode ? text : Transliteration.ascii(text.replacing("≥", with: ">="))
            let gap = String(repeating: " ", count: max(width - shown.width, 0))
            screen.write(
                (shown + gap).clipped(to: width), row: row, column: 0, paper: .terminal, style: style)
        }
        line(" " + legend.title, top, .bold)
        for (at, entry) in legend.entries.enumerated() {
            line("   " + entry.words, top + 1 + at, [])
            guard map.settings.depth != .mono else { continue }
            let ink: CellColor =
                map.settings.depth == .indexed16 ? .indexed(Palette16.nearest(entry.ink)) : .rgb(entry.ink)
            screen.write(
                map.settings.isUnicode ? "●" : "*", row: top + 1 + at, column: 1, ink: ink, paper: .terminal,
                style: .bold)
        }
    }
}
