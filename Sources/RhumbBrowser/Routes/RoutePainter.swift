internal import RhumbCore
internal import RhumbEngine

/// Draws the marks of a route in cells: its ends, the places in between and the selected step. Its line is a
/// layer of the map.
struct RoutePainter {
    private let browser: Browser
    private let placement: CellPlacement
    private var viewport: Viewport { browser.map.viewport }
    private var settings: Settings { browser.map.settings }

    init(_ browser: Browser) {
        self.browser = browser
        placement = CellPlacement(browser.map.viewport)
    }

    /// Draws the marks. The map's style determines the colours of the ends.
    func drawMarks(on grid: inout CellGrid) {
        let plan = browser.route
        guard let route = plan.route, grid.columns == viewport.columns else { return }
        if let first = plan.held == .from ? plan.from?.place : route.line.first {
            mark("A", at: first, .indexed(2), browser.markStyle(.routeStart), on: &grid)
        }
        for (number, stop) in plan.via.enumerated() {
            mark(number < 9 ? "\(number + 1)" : "+", at: stop.place, .indexed(4), on: &grid)
        }
        if let last = plan.held == .to ? plan.to?.place : route.line.last {
            mark("B", at: last, .indexed(1), browser.markStyle(.routeEnd), on: &grid)
        }
        if let step = plan.step, let spot = plan.stepPlace, route.steps.indices.contains(step) {
            mark(
                route.steps[step].manoeuvre.sign(isUnicode: settings.isUnicode), at: spot, .indexed(5),
                on: &grid)
        }
    }

    private func mark(
        _ sign: String, at spot: Coordinate, _ paper: CellColor, _ style: MarkStyle? = nil,
        on grid: inout CellGrid
    ) {
        let isMono = settings.depth == .mono
        for at in placement.cells(at: Mercator.world(spot)) {
            let row = at / viewport.columns, column = at % viewport.columns
            if let style {
                MarkPen(settings: settings, theme: browser.theme).write(
                    style, row: row, column: column, on: &grid)
            } else {
                grid.write(
                    sign, row: row, column: column, ink: isMono ? .terminal : .indexed(15),
                    paper: isMono ? .terminal : paper,
                    style: isMono ? [.bold, .reverse] : .bold)
            }
        }
    }
}
