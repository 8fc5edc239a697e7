internal import RhumbCore
internal import RhumbEngine

/// The search results on the map, and the service that is asked.
struct SearchState: Sendable {
    /// The online search service to query, by name, or by kind and address; empty for the default.
    var service = ""
    /// The search results that are marked on the map.
    var marks = SearchMarkers()
    /// The last search result that the map moved to; nil for none.
    var found: (name: String, place: Coordinate)?
}

/// The search results that are marked on the map.
struct SearchMarkers: Sendable {
    private(set) var matches: [SearchMatch] = []
    /// The index of the selected result; out of range if none is selected.
    private(set) var chosen = -1
    /// If true, only the selected result is marked, with its name.
    private(set) var isChosenAlone = false

    /// The segments of the selected street, each with its two ends.
    private var lines: [[WorldPoint]] = []

    init() {}

    /// Stores the segments of a street, if it is still selected.
    mutating func receive(_ lines: [[WorldPoint]], of street: FeatureMatch) {
        if matches.indices.contains(chosen), matches[chosen] == .feature(street) { self.lines = lines }
    }

    /// A copy that marks only the selected result.
    var chosenAlone: SearchMarkers {
        var marks = self
        marks.isChosenAlone = true
        return marks
    }

    /// The marked results.
    var marked: [SearchMatch] {
        isChosenAlone ? matches.indices.contains(chosen) ? [matches[chosen]] : [] : matches
    }

    init(_ matches: [SearchMatch], chosen: Int) { (self.matches, self.chosen) = (matches, chosen) }

    /// Moves the selection by a number of results, and wraps around at the ends.
    /// - Returns: The selected result; nil if there are none.
    mutating func walk(by step: Int) -> SearchMatch? {
        guard !matches.isEmpty else { return nil }
        let start = matches.indices.contains(chosen) ? chosen + step : step > 0 ? 0 : matches.count - 1
        lines = []
        chosen = (start % matches.count + matches.count) % matches.count
        return matches[chosen]
    }

    /// A mark on the screen.
    struct Mark {
        let text: String
        let row: Int
        let columns: Range<Int>
        let isChosen: Bool
    }

    /// Returns the marks in a view, the selected one last.
    func marks(in viewport: Viewport, _ settings: Settings) -> [Mark] {
        let placement = CellPlacement(viewport)
        let others = isChosenAlone ? [] : matches.indices.filter { $0 != chosen }
        return (others + (matches.indices.contains(chosen) ? [chosen] : [])).flatMap { index in
            let sign = MapSign(matches[index]),
                text = [settings.isUnicode ? sign.unicode : sign.ascii, shownName(settings)]
                    .compactMap(\.self).joined(separator: " ")
            return placement.cells(at: Mercator.world(matches[index].coordinate)).map { at in
                let column = max(min(at % viewport.columns, viewport.columns - text.width), 0)
                return Mark(
                    text: text, row: at / viewport.columns, columns: column..<(column + text.width),
                    isChosen: index == chosen)
            }
        }
    }

    /// Draws the marks.
    func draw(_ viewport: Viewport, _ settings: Settings, on grid: inout CellGrid) {
        if isChosenAlone { drawLines(CellPlacement(viewport), viewport, settings, on: &grid) }
        for mark in marks(in: viewport, settings) {
            grid.write(
                mark.text, row: mark.row, column: mark.columns.lowerBound, isChosen: mark.isChosen,
                settings.depth)
        }
    }

    /// Draws the street's lines as a path of cells.
    private func drawLines(
        _ placement: CellPlacement, _ viewport: Viewport, _ settings: Settings, on grid: inout CellGrid
    ) {
        let world =
            Double(viewport.columns) / max(viewport.box.maxX - viewport.box.minX, .leastNonzeroMagnitude)
        var cells: Set<Int> = []
        for line in lines where line.count == 2 {
            let from = line[0]
            let to = line[1]
            let steps = min(
                max(Int((max(abs(to.x - from.x), abs(to.y - from.y)) * world * 2).rounded(.up)), 1), 1000)
            for step in 0...steps {
                let share = Double(step) / Double(steps)
                cells.formUnion(
                    placement.cells(
                        at: WorldPoint(
                            x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)))
            }
        }
        for at in cells {
            let text = settings.isUnicode ? "·" : "."
            grid.write(
                text, row: at / viewport.columns, column: at % viewport.columns, isChosen: true,
                settings.depth)
        }
    }

    /// The clipped name at the mark; nil if marks have no names.
    func shownName(_ settings: Settings) -> String? {
        guard isChosenAlone, let match = marked.first else { return nil }
        if case .feature(let feature) = match, feature.name.isEmpty { return nil }
        let name = match.title(in: settings)
        let shown = settings.isUnicode ? name : Transliteration.ascii(name)
        return shown.isEmpty ? nil : shown.clipped(to: SearchMarkers.longest)
    }

    private static let longest = 30
}

extension SearchMatch {
    /// Returns the name as on the map, or the kind of an unnamed feature.
    func title(in settings: Settings) -> String {
        title(in: settings.language, names: settings.nameLanguage)
    }
}

extension CellGrid {
    fileprivate mutating func write(
        _ sign: String, row: Int, column: Int, isChosen: Bool, _ depth: ColorDepth
    ) {
        if depth == .mono {
            write(
                sign, row: row, column: column, paper: .terminal,
                style: isChosen ? [.reverse, .bold, .underline] : .reverse)
        } else {
            write(
                // Not bold: xterm and others show bold black as dark grey.
                sign, row: row, column: column, ink: .indexed(isChosen ? 0 : 15),
                paper: .indexed(isChosen ? 15 : 8))
        }
    }
}
