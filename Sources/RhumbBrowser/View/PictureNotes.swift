public import RhumbCore
internal import RhumbEngine

/// The text on an image of the map.
extension Browser {
    /// Returns a map's cells with names.
    /// - Parameters:
    ///   - map: `viewport.rows` × `viewport.columns` cells.
    ///   - depth: The colour depth of the picture.
    public func names(on map: CellGrid, depth: ColorDepth) -> CellGrid {
        var browser = self
        browser.map.settings.depth = depth
        return browser.labelled(map)
    }

    /// The rows by which letters of the heights of contour lines must be moved down to be on their lines, by
    /// the index of their cell in the view. Only a picture in pixels can move them.
    public var heightShifts: [Int: Double] {
        guard let (labels, view) = shownLabels else { return [:] }
        var shifts: [Int: Double] = [:]
        for label in labels where label.ink == .height {
            let start = (label.row - view.rows.lowerBound) * map.viewport.columns - view.columns.lowerBound
            for column in label.columns { shifts[start + column] = label.shift }
        }
        return shifts
    }

    /// Returns a picture of the map with the circle of the position's accuracy in the style's colour.
    public func tinted(_ map: Raster) -> Raster {
        PositionShade(self)?.tinted(map, columns: self.map.viewport.columns, rows: self.map.viewport.rows)
            ?? map
    }

    /// Returns a map's cells with the marks of a route, the legends and the attribution.
    /// - Parameters:
    ///   - map: `viewport.rows` × `viewport.columns` cells.
    ///   - isBare: If true, the attribution is omitted.
    ///   - hasLegend: If true, the scale bar and the legends of traffic and overlays are added.
    ///   - depth: The colour depth of the picture.
    public func notes(
        on map: CellGrid, isBare: Bool = false, hasLegend: Bool = false, depth: ColorDepth
    ) -> CellGrid {
        var browser = self, grid = map
        browser.map.settings.depth = depth
        RoutePainter(browser).drawMarks(on: &grid)
        if hasLegend {
            browser.drawLegend(on: &grid)
            browser.drawOverlayLegend(on: &grid)
            let bar = ScaleBar(
                viewport: self.map.viewport, units: self.map.settings.units,
                limit: max(self.map.viewport.columns / 4, 10),
                isUnicode: self.map.settings.isUnicode)
            grid.note(bar?.text ?? "", row: grid.rows - 2)
        }
        if !isBare {
            grid.note(attributionWordings.first { $0.width + 2 <= grid.columns } ?? "", row: grid.rows - 1)
        }
        if depth == .truecolor || depth == .indexed256 { browser.colour(&grid, over: map) }
        return grid
    }

    /// Gives text the colours of the theme, because a file has no terminal's colours.
    private func colour(_ grid: inout CellGrid, over map: CellGrid) {
        let (ink, paper) = theme.page
        for at in grid.cells.indices where grid.cells[at] != map.cells[at] {
            if grid.cells[at].ink == .terminal { grid.cells[at].ink = .rgb(ink) }
            if grid.cells[at].paper == .terminal { grid.cells[at].paper = .rgb(paper) }
        }
    }
}

extension Settings.Theme {
    /// The colours in a file that replace the terminal's own.
    public var page: (ink: RGB, paper: RGB) {
        switch self {
        case .day: (RGB(0x1E1E1E), RGB(0xF3F0E7))
        case .night: (RGB(0xF2F2F2), RGB(0x10202E))
        }
    }
}

extension CellGrid {
    /// Writes a text at the right end of a row.
    fileprivate mutating func note(_ text: String, row: Int) {
        guard !text.isEmpty else { return }
        write(" \(text) ", row: row, column: max(columns - text.width - 2, 0), paper: .terminal)
    }
}

extension PixelView {
    /// Returns an image with text written over it in cells.
    /// - Parameters:
    ///   - columns: The number of columns of cells.
    ///   - rows: The number of rows of cells.
    ///   - write: Writes over cells with the image's colours; unchanged cells keep their pixels.
    ///   - draw: Draws cells over pixels; blank cells without a colour change nothing.
    public static func written(
        over raster: Raster, columns: Int, rows: Int, _ write: (CellGrid) -> CellGrid,
        _ draw: (CellGrid, Raster) -> Raster
    ) -> Raster {
        let ground = ground(raster, columns, rows)
        var written = write(ground)
        for at in written.cells.indices where written.cells[at] == ground.cells[at] {
            written.cells[at] = .blank
        }
        return draw(written, raster)
    }

    /// Returns the mean colour of each cell.
    private static func ground(_ raster: Raster, _ columns: Int, _ rows: Int) -> CellGrid {
        var grid = CellGrid(columns: columns, rows: rows)
        let width = raster.width / max(columns, 1), height = raster.height / max(rows, 1),
            pixels = raster.pixels
        guard width > 0, height > 0 else { return grid }
        for row in 0..<rows {
            for column in 0..<columns {
                var sum = SIMD3<Int>(repeating: 0)
                for y in row * height..<(row + 1) * height {
                    for x in column * width..<(column + 1) * width {
                        let at = 4 * (y * raster.width + x)
                        sum &+= SIMD3(Int(pixels[at]), Int(pixels[at + 1]), Int(pixels[at + 2]))
                    }
                }
                let mean = sum / (width * height)
                let colour = RGB(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
                grid[row, column] = Cell(" ", paper: .rgb(colour))
            }
        }
        return grid
    }
}
