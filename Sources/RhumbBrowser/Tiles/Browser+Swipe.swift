internal import RhumbCore
public import RhumbEngine

/// The swipe of a comparison: the first archive left of an edge, the second one right of it.
extension Browser {
    /// The number of columns that an arrow key moves the edge.
    private static let edgeStep = 2

    /// Starts or ends the swipe.
    mutating func swipe() -> [Effect] {
        guard let comparison = tiles.comparison else { return say(TilesText.noComparison) }
        tiles.comparison?.edge = comparison.edge == nil ? map.viewport.columns / 2 : nil
        tiles.comparison?.isEdgeHeld = false
        showCompared()
        return [.updateView]
            + say(comparison.edge == nil ? TilesText.swiping : tiles.comparison?.legend.title ?? "")
    }

    /// Moves the edge with the arrow keys.
    /// - Returns: Nil for other keys, and without an edge.
    mutating func moveEdge(_ key: Key, times: Int) -> [Effect]? {
        guard let edge = tiles.comparison?.edge else { return nil }
        switch key {
        case .arrow(.left, let isFast): return moveEdge(to: edge - Self.edgeStep * times * (isFast ? 4 : 1))
        case .arrow(.right, let isFast): return moveEdge(to: edge + Self.edgeStep * times * (isFast ? 4 : 1))
        default: return nil
        }
    }

    /// Moves the edge with the mouse.
    /// - Returns: Nil if the edge isn't held.
    mutating func moveEdge(_ event: MouseEvent) -> [Effect]? {
        guard let edge = tiles.comparison?.edge else { return nil }
        switch event.action {
        case .press where event.row < map.viewport.rows && abs(event.column - edge) <= 1:
            tiles.comparison?.isEdgeHeld = true
            return []
        case .drag where tiles.comparison?.isEdgeHeld == true: return moveEdge(to: event.column)
        case .release where tiles.comparison?.isEdgeHeld == true:
            tiles.comparison?.isEdgeHeld = false
            return []
        default: return nil
        }
    }

    private mutating func moveEdge(to column: Int) -> [Effect] {
        tiles.comparison?.edge = min(max(column, 0), map.viewport.columns - 1)
        return []
    }

    /// Returns the parts of a scene on both sides of the edge, and the first column of the second part; nil
    /// without an edge.
    public func sides(of scene: Scene) -> (first: Scene, second: Scene, edge: Int)? {
        guard let comparison = tiles.comparison, let edge = comparison.edge else { return nil }
        return (
            Scene(layers: scene.layers.filter { !comparison.second.contains($0.layer.id) }),
            Scene(layers: scene.layers.filter { !comparison.first.contains($0.layer.id) }),
            min(edge, map.viewport.columns - 1)
        )
    }

    /// Draws the edge, and the titles of the archives beside it.
    func drawEdge(on screen: inout CellGrid) {
        guard let comparison = tiles.comparison, let edge = comparison.edge else { return }
        let column = min(edge, map.viewport.columns - 1), isMono = map.settings.depth == .mono
        let ink: CellColor = isMono ? .terminal : .indexed(15),
            paper: CellColor = isMono ? .terminal : .indexed(0)
        for row in 0..<map.viewport.rows {
            screen.write(
                map.settings.isUnicode ? "┃" : "|", row: row, column: column, ink: ink, paper: paper,
                style: .bold
            )
        }
        let titles = comparison.titles.map { map.settings.isUnicode ? $0 : Transliteration.ascii($0) }
        let left = " " + titles[0] + " ", right = " " + titles[1] + " "
        let row = 0
        if left.width <= column {
            screen.write(left, row: row, column: column - left.width, ink: ink, paper: paper, style: .bold)
        }
        if right.width < map.viewport.columns - column {
            screen.write(right, row: row, column: column + 1, ink: ink, paper: paper, style: .bold)
        }
    }

    /// Begins to compare two archives.
    public mutating func begin(comparing comparison: MapComparison) {
        tiles.comparison = comparison
        tiles.view = .changes
        showCompared()
    }

    /// Shows the other archive of a comparison.
    mutating func showOther() -> [Effect] {
        guard tiles.comparison != nil else { return say(TilesText.noComparison) }
        if tiles.comparison?.edge.take() == nil { tiles.comparison?.showsSecond.toggle() }
        showCompared()
        let legend = tiles.comparison?.legend.title ?? ""
        return [.updateView] + say(legend)
    }

    /// Makes the layers of one archive visible, or of both while there is an edge between them.
    mutating func showCompared() {
        guard let comparison = tiles.comparison else { return }
        for at in map.layers.indices {
            let id = map.layers[at].id
            let hasBoth = comparison.edge != nil
            if comparison.first.contains(id) { map.layers[at].isVisible = hasBoth || !comparison.showsSecond }
            if comparison.second.contains(id) { map.layers[at].isVisible = hasBoth || comparison.showsSecond }
        }
    }
}
