internal import RhumbCore
internal import RhumbEngine

/// Traffic as glyphs over the map's cells, for terminals with too few colours.
struct TrafficMarks {
    private let viewport: Viewport
    private let settings: Settings
    private let placement: CellPlacement
    private let levels = FlowColours(TrafficRamp.standard)

    init(_ viewport: Viewport, _ settings: Settings) {
        self.viewport = viewport
        self.settings = settings
        placement = CellPlacement(viewport)
    }

    /// Returns the cell that marks an incident.
    static func incident(_ depth: ColorDepth) -> Cell {
        depth == .mono
            ? Cell("!", style: [.bold, .reverse])
            : Cell("!", ink: .indexed(15), paper: .indexed(5), style: .bold)
    }

    /// Marks the cells of a traffic layer. If several pictures share a cell, the worst level counts.
    func draw(_ scene: LayerScene, on grid: inout CellGrid) {
        var worst: [Int: TrafficLevel] = [:]
        for picture in scene.pictures {
            visit(picture) { at, columns, rows in
                if scene.layer.feature == .trafficIncidents {
                    guard picture.raster.isCovered(columns, rows) else { return }
                    grid.cells[at] = faded(Self.incident(settings.depth), scene)
                } else if let level = levels.worstLevel(in: picture.raster, columns: columns, rows: rows) {
                    worst[at] = max(worst[at] ?? level, level)
                }
            }
        }
        for (at, level) in worst { grid.cells[at] = faded(mark(level), scene) }
    }

    /// Marks incidents by their letters. If several share a cell, the worst one is shown.
    func drawSigns(_ scene: LayerScene, on grid: inout CellGrid) {
        let signs = scene.signs.sorted { $0.magnitude.rawValue < $1.magnitude.rawValue }
        for sign in signs {
            let cell = faded(sign.cell(settings.depth), scene)
            for at in placement.cells(at: sign.place) { grid.cells[at] = cell }
        }
    }

    /// Visits the cells that a picture touches, with the pixels that each shows.
    private func visit(_ picture: LayerScene.Picture, _ body: (Int, Range<Int>, Range<Int>) -> Void) {
        guard let (box, part) = placement.boxes(of: picture) else { return }
        let cells = placement.cells(of: picture.area)
        for row in cells.rows {
            let rows = pixels(row, box.y0..<box.y1, part.y0..<part.y1)
            for column in cells.columns {
                let columns = pixels(column, box.x0..<box.x1, part.x0..<part.x1)
                body(row * viewport.columns + column, columns, rows)
            }
        }
    }

    private func mark(_ level: TrafficLevel) -> Cell {
        settings.trafficColours.ramp.mark(of: level, depth: settings.depth, unicode: settings.isUnicode)
    }

    /// Returns the cell, dimmed and not bold if the traffic is stale.
    private func faded(_ cell: Cell, _ scene: LayerScene) -> Cell {
        guard scene.layer.opacity < 1 else { return cell }
        var cell = cell
        cell.style.remove(.bold)
        cell.style.insert(.dim)
        return cell
    }

    /// Returns the pixels of a picture that a cell shows.
    /// - Parameters:
    ///   - cell: The column or row of the cell.
    ///   - box: The position of the picture, in 65536ths of a cell.
    ///   - part: The drawn part of the picture, in 65536ths of a pixel.
    private func pixels(_ cell: Int, _ box: Range<Int>, _ part: Range<Int>) -> Range<Int> {
        let one = Double(FixedPointRect.one)
        let scale = Double(part.count) / Double(max(box.count, 1))
        let start = Double(cell * FixedPointRect.one - box.lowerBound) * scale + Double(part.lowerBound)
        let low = max(start, Double(part.lowerBound)) / one
        let high = min(start + one * scale, Double(part.upperBound)) / one
        let first = Int(low)
        return first..<max(first + 1, Int(high.rounded(.up)))
    }
}

extension Raster {
    /// Returns true if a third or more of an area's pixels are more than half opaque.
    fileprivate func isCovered(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
        let columns = columns.clamped(to: 0..<width), rows = rows.clamped(to: 0..<height)
        var count = 0
        for row in rows {
            for column in columns where pixels[4 * (row * width + column) + 3] > 127 { count += 1 }
        }
        return count > 0 && count * 3 >= columns.count * rows.count
    }
}
