internal import RhumbCore
internal import RhumbEngine

/// Draws the cache state of tiles over the map. Each cell shows the state of the tile at its centre, by a
/// colour or, where there are few colours, by a sign.
struct HeatPainter {
    let viewport: Viewport
    let depth: ColorDepth
    /// The share of the state's colour in a cell.
    static let weight = 0.45

    static func sign(_ state: HeatMap.State) -> String {
        switch state {
        case .fresh: "▇"
        case .stale: "▅"
        case .absent: "░"
        case .pinned: "◆"
        }
    }

    static func colour(_ state: HeatMap.State) -> RGB {
        switch state {
        case .fresh: RGB(0x2EAB30)
        case .stale: RGB(0xE8B030)
        case .absent: RGB(0x808890)
        case .pinned: RGB(0x3A86E0)
        }
    }

    func draw(_ heat: HeatMap, onlyPinned: Bool, on grid: inout CellGrid) {
        TileShading(viewport: viewport, zoom: heat.zoom).eachCell(columns: grid.columns) { cell, tile in
            guard let state = heat.states[tile], state == .pinned || !onlyPinned else { return }
            tint(&grid.cells[cell], state)
        }
    }

    private func tint(_ cell: inout Cell, _ state: HeatMap.State) {
        switch depth {
        case .truecolor, .indexed256:
            let colour = HeatPainter.colour(state)
            cell.ink = cell.ink.mixed(with: colour, HeatPainter.weight)
            cell.paper = cell.paper.mixed(with: colour, HeatPainter.weight)
        case .indexed16, .mono:
            cell = Cell(HeatPainter.sign(state).unicodeScalars.first ?? " ", ink: .indexed(sixteen(state)))
        }
    }

    private func sixteen(_ state: HeatMap.State) -> UInt8 {
        switch state {
        case .fresh: 10
        case .stale: 11
        case .absent: 8
        case .pinned: 12
        }
    }
}

extension RGB {
    func mixed(with other: RGB, _ share: Double) -> RGB {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8(min(max(Double(a) * (1 - share) + Double(b) * share + 0.5, 0), 255))
        }
        return RGB(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
