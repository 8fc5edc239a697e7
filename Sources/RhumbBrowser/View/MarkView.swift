internal import RhumbCore
internal import RhumbEngine

/// The points clicked on the map.
extension Browser {
    /// The place shown in the status line: the last clicked point, otherwise the centre of the view.
    var toldPlace: Coordinate { Mercator.coordinate(pointing.marks.last ?? map.viewport.camera.center) }

    /// The distance and direction between two marks, such as "1→2 3.4 km NE"; nil with fewer than two marks.
    var markedDistance: String? {
        guard pointing.marks.count == 2 else { return nil }
        let from = Mercator.coordinate(pointing.marks[0])
        let to = Mercator.coordinate(pointing.marks[1])
        let ends = map.settings.isUnicode ? "1→2" : "1-2"
        let way = from.way(to: to)
        return
            "\(ends) \(PlaceFormat.distance(way.metres, map.settings.units)) \(PlaceBearing.compass(way.bearing))"
    }

    /// Marks a point, and requests its name.
    mutating func mark(_ point: WorldPoint, at column: Int, _ row: Int) -> [Effect] {
        pointing.marks = panels.isEmpty && pointing.marks.count == 1 ? [pointing.marks[0], point] : [point]
        pointing.clicked = ClickedThing(label: label(at: column, row))
        guard pointing.clicked.label == nil, let question = featureQuestion(at: toldPlace) else {
            return viewMoved()
        }
        _ = pointing.clicked.features.ask(question, at: map.now)
        return viewMoved() + [request(question)]
    }

    /// The name of the clicked point, such as "Via Roma", or else the settlement near it.
    var placeWords: String {
        guard pointing.marks.count == 1, let name = pointing.clicked.name else { return whereaboutsText }
        return map.settings.isUnicode ? name : Transliteration.ascii(name)
    }

    func drawMarks(on screen: inout CellGrid) {
        for (number, mark) in pointing.marks.enumerated() {
            let sign = pointing.marks.count == 1 ? "+" : "\(number + 1)"
            put(sign, at: mark, ink: .indexed(15), paper: .indexed(9), on: &screen)
        }
    }

    /// The great circle between two marks as an outline; empty with fewer than two.
    var way: [Position] {
        guard pointing.marks.count == 2 else { return [] }
        var trail = MeasuredPath()
        trail.add(Mercator.coordinate(pointing.marks[0]))
        return trail.outline(to: Mercator.coordinate(pointing.marks[1]))
    }

    private func put(
        _ sign: String, at point: WorldPoint, ink: CellColor, paper: CellColor, on screen: inout CellGrid
    ) {
        let cell = map.viewport.cell(of: point)
        let row = Int(cell.row.rounded(.down)), column = Int(cell.column.rounded(.down))
        guard (0..<map.viewport.rows).contains(row), (0..<map.viewport.columns).contains(column) else {
            return
        }
        if map.settings.depth == .mono {
            screen.write(sign, row: row, column: column, paper: .terminal, style: .reverse)
        } else {
            screen.write(sign, row: row, column: column, ink: ink, paper: paper, style: .bold)
        }
    }
}
