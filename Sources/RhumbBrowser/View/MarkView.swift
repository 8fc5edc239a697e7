internal import RhumbCore

/// The points that were clicked on the map.
extension Browser {
    /// The place that the status line tells of: the point clicked last, else the middle of the view.
    var toldPlace: Coordinate { Mercator.coordinate(marks.last ?? viewport.camera.center) }

    /// "3.4 km NE from mark to mark"; nil with fewer than two marks.
    var markedDistance: String? {
        guard marks.count == 2 else { return nil }
        let (from, to) = (Mercator.coordinate(marks[0]), Mercator.coordinate(marks[1]))
        let ends = settings.isUnicode ? "1→2" : "1-2"
        let metres = from.metres(to: to)
        return "\(ends) \(PlaceFormat.distance(metres, settings.units)) \(PlaceBearing.compass(from.bearing(to: to)))"
    }

    func drawMarks(on screen: inout CellGrid) {
        for (number, mark) in marks.enumerated() {
            let sign = marks.count == 1 ? "+" : "\(number + 1)"
            put(sign, at: mark, ink: .indexed(15), paper: .indexed(9), on: &screen)
        }
    }

    /// The shortest way over the ground, as dots.
    func drawWay(on screen: inout CellGrid) {
        guard marks.count == 2 else { return }
        let (from, to) = (Mercator.coordinate(marks[0]), Mercator.coordinate(marks[1]))
        let steps = 3 * (viewport.columns + viewport.rows)
        for point in from.way(to: to, steps: steps) { put(settings.isUnicode ? "•" : ".", at: Mercator.world(point), on: &screen) }
    }

    private func put(_ sign: String, at point: WorldPoint, ink: CellColor? = nil, paper: CellColor? = nil, on screen: inout CellGrid) {
        let cell = viewport.cell(of: point)
        let row = Int(cell.row.rounded(.down)), column = Int(cell.column.rounded(.down))
        guard (0..<viewport.rows).contains(row), (0..<viewport.columns).contains(column) else { return }
        if settings.depth == .mono {
            screen.write(sign, row: row, column: column, paper: .terminal, style: paper == nil ? .bold : .reverse)
        } else {
            screen.write(sign, row: row, column: column, ink: ink ?? .indexed(9), paper: paper ?? screen[row, column].paper, style: .bold)
        }
    }
}
