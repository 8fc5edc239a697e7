public import RhumbCore
internal import RhumbEngine

/// Live traffic: chosen, told about, explained.
extension Browser {
    /// Shows other traffic, or none.
    mutating func show(_ choice: TrafficChoice) -> [Effect] {
        traffic = choice
        if choice == .off { trafficStatus = nil }
        return [.showTraffic(choice), .look] + say(choice.description)
    }

    /// The program begins with this traffic.
    public mutating func begin(with choice: TrafficChoice) { traffic = choice }

    mutating func learn(_ status: TrafficStatus?) -> [Effect] {
        let before = trafficStatus?.problem
        trafficStatus = traffic == .off ? nil : status
        guard let status = trafficStatus else { return [] }
        let wake = status.nextChange.map { [Effect.wake(after: $0)] } ?? []
        if let problem = status.problem, problem != before { return complain(problem.description) + wake }
        return wake
    }

    /// What the colours mean, at the lower left of the map.
    func drawLegend(on screen: inout CellGrid) {
        guard let legend = trafficStatus?.legend, panel == nil || columns >= 100, viewport.rows > legend.entries.count + 4 else { return }
        let longest = max(legend.entries.map(\.words.width).max() ?? 0, legend.title.width - 3)
        let width = min(longest + 6, viewport.columns)
        let top = viewport.rows - legend.entries.count - 1
        write(legend.title, row: top, width: width, style: .bold, on: &screen)
        for (at, entry) in legend.entries.enumerated() {
            let row = top + 1 + at
            let sign = String(entry.level.glyph(unicode: settings.isUnicode))
            write("    \(entry.words)", row: row, width: width, on: &screen)
            if settings.depth == .truecolor || settings.depth == .indexed256 {
                screen.write("  ", row: row, column: 1, paper: .rgb(TrafficRamp.standard.colour(of: entry.level)))
            } else {
                screen.write(sign + sign, row: row, column: 1, paper: .terminal, style: .bold)
            }
        }
    }

    private func write(
        _ text: String, row: Int, width: Int, style: Cell.Style = [], on screen: inout CellGrid
    ) {
        let shown = " \(text)".clipped(to: width)
        let gap = String(repeating: " ", count: max(width - shown.width, 0))
        screen.write(shown + gap, row: row, column: 0, paper: .terminal, style: style)
    }
}
