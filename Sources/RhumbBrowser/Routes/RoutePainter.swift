internal import RhumbCore
internal import RhumbEngine

/// The route on the map's cells: its places, the step that is looked at, and where colours are few its line.
struct RoutePainter {
    private let viewport: Viewport
    private let place: CellPlacement
    private let settings: Settings

    init(_ viewport: Viewport, _ settings: Settings) {
        (self.viewport, self.settings) = (viewport, settings)
        place = CellPlacement(viewport)
    }

    /// Draws its line where colours are few; else it is a layer of the map.
    func drawLine(_ plan: RoutePlan, on grid: inout CellGrid) {
        guard settings.depth.needsGlyphs else { return }
        for (at, corners) in plan.corners.enumerated() { line(corners, isChosen: at == plan.corners.count - 1, on: &grid) }
    }

    /// Draws its ends, the places in between, and the step that is looked at.
    func drawMarks(_ plan: RoutePlan, on grid: inout CellGrid) {
        guard let route = plan.route else { return }
        if let first = plan.held == .from ? plan.from?.place : route.line.first { mark("A", at: first, .indexed(2), on: &grid) }
        for (number, stop) in plan.via.enumerated() { mark(number < 9 ? "\(number + 1)" : "+", at: stop.place, .indexed(4), on: &grid) }
        if let last = plan.held == .to ? plan.to?.place : route.line.last { mark("B", at: last, .indexed(1), on: &grid) }
        if let step = plan.step, let spot = plan.stepPlace, route.steps.indices.contains(step) {
            mark(route.steps[step].manoeuvre.sign(isUnicode: settings.isUnicode), at: spot, .indexed(5), on: &grid)
        }
    }

    private func mark(_ sign: String, at spot: Coordinate, _ paper: CellColor, on grid: inout CellGrid) {
        let isMono = settings.depth == .mono
        for at in place.cells(at: Mercator.world(spot)) where grid.columns == viewport.columns {
            grid.write(
                sign, row: at / viewport.columns, column: at % viewport.columns, ink: isMono ? .terminal : .indexed(15),
                paper: isMono ? .terminal : paper, style: isMono ? [.bold, .reverse] : .bold)
        }
    }

    // MARK: Lines of glyphs

    private typealias Spot = (column: Double, row: Double)

    private func line(_ corners: [WorldPoint], isChosen: Bool, on grid: inout CellGrid) {
        let box = viewport.box, width = box.maxX - box.minX, height = box.maxY - box.minY
        guard let first = corners.first else { return }
        let middle = corners[corners.count / 2].x
        let turns = (viewport.camera.center.x - middle).rounded()
        var at = first.x, last: Spot?
        for (number, corner) in corners.enumerated() {
            at += (corner.x - at) - (corner.x - at).rounded()
            let spot: Spot = (
                (at + turns - box.minX) / width * Double(viewport.columns), (corner.y - box.minY) / height * Double(viewport.rows))
            guard let before = last else {
                last = spot
                continue
            }
            // What is nearer than a cell makes no difference.
            guard max(abs(spot.column - before.column), abs(spot.row - before.row)) >= 1 || number == corners.count - 1 else { continue }
            leg(before, spot, isChosen, on: &grid)
            last = spot
        }
    }

    private func leg(_ a: Spot, _ b: Spot, _ isChosen: Bool, on grid: inout CellGrid) {
        let columns = Double(viewport.columns), rows = Double(viewport.rows)
        guard max(a.column, b.column) >= 0, min(a.column, b.column) < columns, max(a.row, b.row) >= 0, min(a.row, b.row) < rows else { return }
        let across = b.column - a.column, down = b.row - a.row
        let steps = max(abs(across), abs(down)), glyph = glyph(across, down)
        guard steps.isFinite, steps < 100_000 else { return }
        for step in 0...Int(steps.rounded(.up)) {
            let share = steps > 0 ? min(Double(step) / steps, 1) : 0
            put(glyph, Int((a.row + down * share).rounded(.down)), Int((a.column + across * share).rounded(.down)), isChosen, on: &grid)
        }
    }

    private func glyph(_ across: Double, _ down: Double) -> String {
        let slope = abs(down) * viewport.cellAspect
        if slope < abs(across) * 0.4 { return settings.isUnicode ? "━" : "=" }
        if slope > abs(across) * 2.5 { return settings.isUnicode ? "┃" : "|" }
        let falls = (down > 0) == (across > 0)
        return falls ? (settings.isUnicode ? "╲" : "\\") : (settings.isUnicode ? "╱" : "/")
    }

    private func put(_ glyph: String, _ row: Int, _ column: Int, _ isChosen: Bool, on grid: inout CellGrid) {
        guard (0..<viewport.rows).contains(row), (0..<viewport.columns).contains(column) else { return }
        let ink: CellColor = settings.depth == .mono ? .terminal : .indexed(isChosen ? 11 : 8)
        grid.write(glyph, row: row, column: column, ink: ink, style: isChosen ? .bold : .dim)
    }
}
