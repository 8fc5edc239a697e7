internal import RhumbCore

/// The appearance of a tile on the map: a tint or, where there are few colours, a sign.
struct TileShade: Equatable, Sendable {
    let colour: RGB
    /// The share of the colour in a cell.
    var weight = 0.5
    /// The colour with 16 colours.
    let sixteen: UInt8
    let sign: Unicode.Scalar
    /// The sign in ASCII.
    let ascii: Unicode.Scalar
    /// True for a tile that differs only in its descendants.
    var isHatched = false

    /// The shades of values, smallest first.
    static let heat = [
        TileShade(colour: RGB(0x2C7BB6), sixteen: 4, sign: "·", ascii: "."),
        TileShade(colour: RGB(0x5AB4C8), sixteen: 6, sign: "░", ascii: ":"),
        TileShade(colour: RGB(0xB8E186), sixteen: 2, sign: "▒", ascii: "+"),
        TileShade(colour: RGB(0xFEE08B), sixteen: 11, sign: "▓", ascii: "*"),
        TileShade(colour: RGB(0xF98E52), sixteen: 5, sign: "▆", ascii: "#"),
        TileShade(colour: RGB(0xD7191C), weight: 0.6, sixteen: 9, sign: "█", ascii: "@"),
    ]

    /// Returns the cell of a legend.
    func cell(_ settings: Settings) -> Cell {
        switch settings.depth {
        case .truecolor, .indexed256: Cell(" ", paper: .rgb(colour))
        case .indexed16, .mono: glyph(settings)
        }
    }

    /// Returns a cell of the map in this shade.
    func tinted(_ cell: Cell, _ settings: Settings) -> Cell {
        switch settings.depth {
        case .truecolor, .indexed256:
            var tinted = cell
            tinted.ink = cell.ink.mixed(with: colour, weight)
            tinted.paper = cell.paper.mixed(with: colour, weight)
            return tinted
        case .indexed16, .mono: return glyph(settings)
        }
    }

    private func glyph(_ settings: Settings) -> Cell {
        Cell(
            settings.isUnicode ? sign : ascii,
            ink: settings.depth == .mono ? .terminal : .indexed(sixteen))
    }
}

extension CellColor {
    /// Returns the colour mixed with another. A colour of the terminal is replaced.
    func mixed(with tint: RGB, _ share: Double) -> CellColor {
        switch kind {
        case .rgb(let own): .rgb(own.mixed(with: tint, share))
        case .indexed(let index) where index >= 16:
            .rgb(Palette256.colour(Int(index)).mixed(with: tint, share))
        case .indexed, .terminal: .rgb(tint)
        }
    }
}

/// Draws shades of tiles over the map. Each cell shows the tile at its centre.
struct TileShading {
    let viewport: Viewport
    let zoom: Int

    /// Calls a function with the index of each cell of the map and the tile at its centre.
    func eachCell(columns: Int, _ body: (_ cell: Int, _ tile: TileID) -> Void) {
        let side = Double(1 << zoom), box = viewport.box
        let stepX = (box.maxX - box.minX) / Double(viewport.columns)
        let stepY = (box.maxY - box.minY) / Double(viewport.rows)
        for row in 0..<viewport.rows {
            let y = Int(((box.minY + (Double(row) + 0.5) * stepY) * side).rounded(.down))
            for column in 0..<viewport.columns {
                let x = Int(((box.minX + (Double(column) + 0.5) * stepX) * side).rounded(.down))
                guard let tile = TileID(zoom: zoom, wrappingX: x, y: y) else { continue }
                body(row * columns + column, tile)
            }
        }
    }
}
