internal import RhumbCore
internal import RhumbEngine

/// The actions of the mouse on the map and in panels.
extension Browser {
    /// The number of lines that a step of the wheel scrolls in a panel.
    private static let wheelLines = 3

    mutating func mouse(_ reported: MouseEvent) -> [Effect] {
        // Some terminals report positions outside their window.
        var event = reported
        event.column = min(max(event.column, 0), max(map.columns - 1, 0))
        event.row = min(max(event.row, 0), max(map.rows - 1, 0))
        if event.row < map.viewport.rows, isOverPanel(column: event.column, row: event.row),
            input.drag == nil,
            route.held == nil
        {
            return mouseInPanel(event)
        }
        if let effects = moveEdge(event) { return effects }
        let isOnMap = event.row < map.viewport.rows
        switch event.action {
        case .wheelUp where isOnMap: return wheel(0.5, event)
        case .wheelDown where isOnMap: return wheel(-0.5, event)
        case .press where event.row == map.rows - 1:
            return hints.first { $0.columns.contains(event.column) }.flatMap { handle($0.pressed) } ?? []
        case .press where isOnMap && holdStop(column: event.column, row: event.row): return []
        case .press where isOnMap:
            input.drag = MouseDrag(start: (event.column, event.row))
            return []
        case .drag: return dragStop(column: event.column, row: event.row) ?? follow(event)
        case .release: return releaseStop() ?? release(event)
        case .press, .wheelUp, .wheelDown, .move: return []
        }
    }

    private mutating func wheel(_ steps: Double, _ event: MouseEvent) -> [Effect] {
        rememberBeforeMoving()
        pointing.pointer = (event.column, event.row)
        return move(
            to: map.viewport.zoomed(
                to: stepped(by: steps), column: Double(event.column) + 0.5,
                row: Double(event.row) + 0.5))
    }

    /// Moves the map, or draws a frame on it for a panel.
    private mutating func follow(_ event: MouseEvent) -> [Effect] {
        guard let from = input.drag else { return [] }
        suspendFollowing()
        input.drag?.last = (event.column, event.row)
        input.drag?.hasMoved = true
        if let effects = frame(from.start, (event.column, event.row)) { return effects }
        rememberBeforeMoving()
        pointing.pointer = (event.column, event.row)
        return move(
            to: map.viewport.panned(columns: from.last.column - event.column, rows: from.last.row - event.row)
        )
    }

    private mutating func frame(_ start: (column: Int, row: Int), _ end: (column: Int, row: Int)) -> [Effect]?
    {
        let row = min(max(end.row, 0), map.viewport.rows - 1)
        let corners = [
            (min(start.column, end.column), min(start.row, row)),
            (max(start.column, end.column) + 1, max(start.row, row) + 1),
        ]
        let coordinates = corners.map {
            Mercator.coordinate(map.viewport.world(column: Double($0.0), row: Double($0.1)))
        }
        guard
            let box = Bounds(
                west: coordinates[0].longitude, south: coordinates[1].latitude,
                east: coordinates[1].longitude,
                north: coordinates[0].latitude)
        else { return nil }
        return offerToPanel { $0.take(box, $1) }
    }

    private mutating func release(_ event: MouseEvent) -> [Effect] {
        defer { input.drag = nil }
        guard let drag = input.drag, !drag.hasMoved else { return [] }
        pointing.pointer = drag.start
        if let effects = offerToPanel({ $0.click($1) }) { return effects }
        let column = Double(drag.start.column) + 0.5, row = Double(drag.start.row) + 0.5
        if let last = input.lastClick.take(), map.now - last.time <= Browser.doubleClick,
            last.cell == drag.start
        {
            pointing.marks = last.marks
            rememberBeforeMoving()
            return move(to: map.viewport.zoomed(to: stepped(by: 1), column: column, row: row))
        }
        input.lastClick = MouseClick(time: map.now, cell: drag.start, marks: pointing.marks)
        return mark(map.viewport.world(column: column, row: row), at: drag.start.column, drag.start.row)
    }

    /// The maximum time between the two clicks of a double click.
    private static let doubleClick = Duration.milliseconds(400)

    // MARK: Panels

    /// Handles the mouse in a panel. The wheel scrolls; a click selects a line, opens the selected line, or
    /// presses the key below the pointer.
    private mutating func mouseInPanel(_ event: MouseEvent) -> [Effect] {
        switch event.action {
        case .wheelUp, .wheelDown:
            let isUp = event.action == .wheelUp
            if panels.top?.arrowsMoveMap == true {
                scrollPanel { _ in isUp ? -Browser.wheelLines : Browser.wheelLines }
                return []
            }
            let key = Key.arrow(isUp ? .up : .down, shift: false)
            return (0..<Browser.wheelLines).flatMap { _ in pressInPanel(key) ?? [] }
        case .press: return click(event)
        case .drag, .release, .move: return []
        }
    }

    private mutating func click(_ event: MouseEvent) -> [Effect] {
        guard let drawn = map.screenUse.panel ?? drawnPanel(Scene(layers: [])) else { return [] }
        let line = event.row - drawn.frame.row - 1, room = drawn.frame.rows - 1 - drawn.keys.count
        if line >= room, drawn.keys.indices.contains(line - room) {
            let key = drawn.keys[line - room].key(at: event.column - drawn.frame.column - 2)
            return key.flatMap { pressInPanel($0) } ?? []
        }
        return line >= 0 ? choose(line: drawn.top + line) : []
    }

    /// Selects a line of a list. On the selected line, it acts like Enter.
    private mutating func choose(line: Int) -> [Effect] {
        let lines = panelLines
        guard lines.indices.contains(line), let chosen = lines.firstIndex(where: \.isChosen) else {
            return []
        }
        if chosen == line { return pressInPanel(.enter) ?? [] }
        let key = Key.arrow(line > chosen ? .down : .up, shift: false)
        var effects: [Effect] = [], last = chosen
        // Stops at the target line, or if another row would be selected on the way.
        while (line > last) == (line > chosen), line != last {
            effects += pressInPanel(key) ?? []
            let now = panelLines
            guard let at = now.firstIndex(where: \.isChosen), now[at].text != lines[line].text, at != last
            else { break }
            last = at
        }
        return effects
    }

    private var panelLines: [PanelText.Line] { panelLayout(Scene(layers: []))?.lines ?? [] }
}

extension PanelText.Line {
    fileprivate var isChosen: Bool { style.contains(.reverse) }
}

extension [PanelKey] {
    /// Returns the key at a column of the line.
    fileprivate func key(at column: Int) -> Key? {
        var start = 0
        for key in self {
            let end = start + PanelKey.width(of: [key])
            if (start..<end).contains(column) { return key.pressed }
            start = end + PanelKey.gap
        }
        return nil
    }
}

extension PanelKey {
    /// The key of the label; nil if the label names several.
    fileprivate var pressed: Key? {
        switch key {
        case "Enter": .enter
        case "Esc": .escape
        case "Tab": .tab
        case "Space": .character(" ")
        default: key.count == 1 ? key.first.map(Key.character) : nil
        }
    }
}
