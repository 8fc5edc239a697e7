internal import RhumbCore
internal import RhumbEngine

/// What of a route stands in cells: its places, and the step that is looked at. Its line is a layer of the map.
struct RoutePainter {
    private let viewport: Viewport
    private let place: CellPlacement
    private let settings: Settings

    init(_ viewport: Viewport, _ settings: Settings) {
        (self.viewport, self.settings) = (viewport, settings)
        place = CellPlacement(viewport)
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
}
