internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// What the colours of the topmost overlay mean that is coloured by a value, at the lower left of the map.
    func drawOverlayLegend(on screen: inout CellGrid) {
        guard trafficStatus == nil, panels.isEmpty || columns >= 100,
            let live = layers.last(where: { $0.isVisible && $0.live?.legend != nil })?.live, let legend = live.legend,
            viewport.rows > legend.entries.count + 4
        else { return }
        let longest = max(legend.entries.map(\.words.width).max() ?? 0, legend.title.width)
        let width = min(longest + 5, viewport.columns), top = viewport.rows - legend.entries.count - 1
        func line(_ text: String, _ row: Int, _ style: Cell.Style) {
            let shown = settings.isUnicode ? text : Transliteration.ascii(text)
            let gap = String(repeating: " ", count: max(width - shown.width, 0))
            screen.write((shown + gap).clipped(to: width), row: row, column: 0, paper: .terminal, style: style)
        }
        line(" " + legend.title, top, .bold)
        for (at, entry) in legend.entries.enumerated() {
            line("   " + entry.words, top + 1 + at, [])
            guard settings.depth != .mono else { continue }
            let ink: CellColor = settings.depth == .indexed16 ? .indexed(Palette16.nearest(entry.ink)) : .rgb(entry.ink)
            screen.write(settings.isUnicode ? "●" : "*", row: top + 1 + at, column: 1, ink: ink, paper: .terminal, style: .bold)
        }
    }
}
