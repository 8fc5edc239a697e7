internal import RhumbCore
internal import RhumbEngine

/// Marks with the appearance of the map's style.
extension Browser {
    /// Returns the style's appearance of a mark; nil if it has none.
    func markStyle(_ set: MandatoryLayerSet, isDimmed: Bool = false) -> MarkStyle? {
        layerSets(set)?.mark(set, isDimmed: isDimmed, zoom: map.viewport.camera.zoom)
    }

    /// The style's appearance of the circle of accuracy; nil if it has none.
    var circleStyle: CircleMarkStyle? {
        layerSets(.positionAccuracy)?.accuracyCircle(
            isDimmed: isPositionStale, zoom: map.viewport.camera.zoom)
    }

    private func layerSets(_ set: MandatoryLayerSet) -> LayerSetStyle? {
        map.layers.style(of: set) ?? appearance.chosenSets.flatMap { $0.has(set) ? $0 : nil }
    }
}

/// Draws marks with a style's appearance over the map.
struct MarkPen {
    let settings: Settings
    let theme: Settings.Theme
    /// The contrast below which the background of a mark without a halo is changed.
    private static let contrast = 3.0

    /// Draws a mark centred on a cell.
    /// - Parameter sign: The text that replaces the style's.
    func write(
        _ mark: MarkStyle, _ sign: String? = nil, row: Int, column: Int, isBold: Bool = true,
        on grid: inout CellGrid
    ) {
        let text = sign ?? self.text(of: mark), start = column - text.width / 2
        let (ink, paper) = colours(mark, over: grid[row, column])
        let style: Cell.Style =
            settings.depth == .mono ? (isBold ? [.bold, .reverse] : .bold) : isBold ? .bold : []
        var at = start
        for character in text where at >= 0 && at + String(character).width <= grid.columns {
            grid.write(String(character), row: row, column: at, ink: ink, paper: paper, style: style)
            at += String(character).width
        }
    }

    private func text(of mark: MarkStyle) -> String {
        guard mark.text.isEmpty else {
            return settings.isUnicode ? mark.text : Transliteration.ascii(mark.text)
        }
        let sign = MapSign(icon: mark.icon) ?? MapSign("◉", "@")
        return settings.isUnicode ? sign.unicode : sign.ascii
    }

    private func colours(_ mark: MarkStyle, over cell: Cell) -> (ink: CellColor, paper: CellColor) {
        switch settings.depth {
        case .mono: return (.terminal, .terminal)
        case .indexed16:
            let ink = Palette16.nearest(mark.colour), plain: UInt8 = mark.colour.isLight ? 0 : 15
            let halo = mark.halo.map(Palette16.nearest) ?? plain
            return (.indexed(ink), .indexed(halo == ink ? (ink == plain ? 15 - plain : plain) : halo))
        case .truecolor, .indexed256:
            return (.rgb(mark.colour), .rgb(mark.halo ?? ground(under: mark.colour, cell.mean)))
        }
    }

    private func ground(under colour: RGB, _ ground: RGB) -> RGB {
        guard colour.contrast(with: ground) < Self.contrast else { return ground }
        return ground.mixed(with: colour.isLight ? RGB(0) : RGB(0xFFFFFF), 0.8)
    }
}

extension RGB {
    /// True if black has more contrast with the colour than white.
    fileprivate var isLight: Bool { contrast(with: RGB(0)) > contrast(with: RGB(0xFFFFFF)) }
}

/// The circle of the position's accuracy, filled in the style's colour.
struct PositionShade {
    private let circle: CircleMarkStyle
    /// The centre and the radius, in columns and rows.
    private let middle: SIMD2<Double>, radius: SIMD2<Double>

    /// - Returns: Nil if no circle is drawn, or the style has none.
    init?(_ browser: Browser) {
        guard let circle = browser.circleStyle, circle.opacity > 0, let place = browser.position.fix?.place,
            let width = browser.positionRadius
        else { return nil }
        self.circle = circle
        let cell = browser.map.viewport.cell(of: Mercator.world(place))
        middle = SIMD2(cell.column, cell.row)
        radius = SIMD2(width, width * Viewport.pixelsPerColumn / browser.map.viewport.pixelsPerRow)
    }

    /// - Parameter width: The width of an edge to leave out, in columns and rows.
    private func covers(_ point: SIMD2<Double>, within width: SIMD2<Double> = .zero) -> Bool {
        let apart = (point - middle) / (radius - width)
        return (apart * apart).sum() <= 1
    }

    private func range(_ axis: Int, _ scale: Double, _ count: Int) -> Range<Int> {
        func bound(_ side: Double) -> Int {
            Int(min(max((middle[axis] + side * radius[axis]) * scale, 0), Double(count)))
        }
        return bound(-1)..<min(max(bound(1) + 1, bound(-1)), count)
    }

    /// Tints the cells whose centres are in the circle.
    func tint(_ grid: inout CellGrid) {
        for row in range(1, 1, grid.rows) {
            for column in range(0, 1, grid.columns)
            where covers(SIMD2(Double(column) + 0.5, Double(row) + 0.5)) {
                grid[row, column].ink = tinted(grid[row, column].ink)
                grid[row, column].paper = tinted(grid[row, column].paper)
            }
        }
    }

    private func tinted(_ colour: CellColor) -> CellColor {
        colour.rgb.map { .rgb($0.mixed(with: circle.fill, circle.opacity)) } ?? colour
    }

    /// Returns a picture of the whole view in which the pixels inside the circle are tinted. Pixels at its
    /// edge get the edge's colour.
    func tinted(_ raster: Raster, columns: Int, rows: Int) -> Raster {
        let scale = SIMD2(
            Double(raster.width) / Double(max(columns, 1)), Double(raster.height) / Double(max(rows, 1)))
        let edge = Self.edge / scale
        var pixels = raster.pixels
        for y in range(1, scale.y, raster.height) {
            for x in range(0, scale.x, raster.width) {
                let point = SIMD2(Double(x) + 0.5, Double(y) + 0.5) / scale
                guard covers(point) else { continue }
                let rim = covers(point, within: edge) ? nil : circle.rim
                let colour = rim ?? circle.fill
                let share = rim == nil ? circle.opacity : 1
                for (channel, value) in [colour.red, colour.green, colour.blue].enumerated() {
                    let at = 4 * (y * raster.width + x) + channel
                    pixels[at] = UInt8((Double(pixels[at]) * (1 - share) + Double(value) * share).rounded())
                }
            }
        }
        return Raster(width: raster.width, height: raster.height, pixels: pixels) ?? raster
    }

    /// The width of the edge in pictures, in pixels.
    private static let edge = 2.0
}
