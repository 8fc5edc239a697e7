internal import RhumbCore
internal import RhumbEngine

/// What was found, as it is marked on the map.
struct FoundMarks: Sendable {
    private(set) var matches: [SearchMatch] = []
    /// Which of them is looked at; outside: none.
    private(set) var chosen = -1

    init() {}

    init(_ matches: [SearchMatch], chosen: Int) { (self.matches, self.chosen) = (matches, chosen) }

    /// Goes on by so many, round and round.
    /// - Returns: what is looked at then; nil where there is nothing.
    mutating func walk(by step: Int) -> SearchMatch? {
        guard !matches.isEmpty else { return nil }
        let start = matches.indices.contains(chosen) ? chosen + step : step > 0 ? 0 : matches.count - 1
        chosen = (start % matches.count + matches.count) % matches.count
        return matches[chosen]
    }

    /// Marks them, the one that is looked at last.
    func draw(_ viewport: Viewport, _ settings: Settings, on grid: inout CellGrid) {
        let place = CellPlacement(viewport)
        let order = matches.indices.filter { $0 != chosen } + (matches.indices.contains(chosen) ? [chosen] : [])
        for index in order {
            let sign = MapSign(matches[index]), text = settings.isUnicode ? sign.unicode : sign.ascii
            for at in place.cells(at: Mercator.world(matches[index].coordinate)) {
                grid.write(text, row: at / viewport.columns, column: at % viewport.columns, isChosen: index == chosen, settings.depth)
            }
        }
    }
}

extension CellGrid {
    fileprivate mutating func write(_ sign: String, row: Int, column: Int, isChosen: Bool, _ depth: ColorDepth) {
        if depth == .mono {
            write(sign, row: row, column: column, paper: .terminal, style: isChosen ? [.reverse, .bold, .underline] : .reverse)
        } else {
            write(sign, row: row, column: column, ink: .indexed(isChosen ? 15 : 0), paper: .indexed(isChosen ? 9 : 11), style: isChosen ? .bold : [])
        }
    }
}

extension Browser {
    /// Goes to the next of what was found; nil: nothing was.
    mutating func walkFound(by step: Int) -> [Effect]? { foundMarks.walk(by: step).map { go(to: $0) } }

    /// What the open search found, or what was found before.
    var shownFound: FoundMarks { panels[SearchPanel.self]?.marks ?? foundMarks }

    func drawFound(on screen: inout CellGrid) {
        shownFound.draw(viewport, settings, on: &screen)
    }

    /// "Farmacia Molteni, pharmacy, 320 m NE".
    func words(of feature: FoundFeature) -> String {
        let title = feature.title(in: settings.language), kind = feature.name.isEmpty ? "" : feature.kindWord(in: settings.language)
        let way = PlaceFormat.way(to: feature, units: settings.units) ?? ""
        let told = [title, kind, way, feature.details.joined(separator: " "), feature.whereabouts, feature.provider]
        return told.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
