public import RhumbCore
public import RhumbEngine

/// Paints a scene as pixels, in blocks that keep their pixels while the view moves.
///
/// A block is painted again only if its contents change. Blocks of earlier views are kept within a limit.
public struct PixelPainter: Sendable {
    private var traffic = TrafficPaint()
    private var blocks: [Place: Block] = [:]
    private var paint: Paint?
    private var nextContent: UInt64 = 1
    private var tick = 0
    /// The maximum size of the blocks outside the view, in pixels.
    private static let limit = 6 << 20

    /// The position of a block in the grid of its view.
    private struct Place: Hashable {
        let column: Int, row: Int
    }

    /// The things that affect all blocks.
    private struct Paint: Equatable {
        let side: Double
        let block: PixelSize
        let theme: Settings.Theme
        let daylight: Daylight?
        let colours: TrafficColours
    }

    private struct Block {
        let contents: [(look: PlacedScene.Layer.Look, pictures: [PlacedScene.Picture])]
        let number: UInt64
        let image: IndexedImage
        var lastUse: Int

        func shows(_ others: [(look: PlacedScene.Layer.Look, pictures: [PlacedScene.Picture])]) -> Bool {
            contents.count == others.count
                && zip(contents, others).allSatisfy { $0.look == $1.look && $0.pictures == $1.pictures }
        }
    }

    /// Creates a painter without blocks.
    public init() {}

    /// Returns the images of the map, and its cells in the mean colours of their pixels, over which text is
    /// written.
    /// - Parameter cell: The size of a cell, whose shape is that of the view's cells.
    public mutating func paint(
        _ scene: Scene, viewport: Viewport, settings: Settings, theme: Settings.Theme, cell: PixelSize
    ) -> (pixels: PixelFrame, ground: CellGrid) {
        let grid = PixelGrid(viewport, cell: cell), (columns, rows) = grid.blocks
        let now = Paint(
            side: grid.side, block: grid.block, theme: theme, daylight: settings.daylight,
            colours: settings.trafficColours)
        if paint != now { blocks = [:] }
        paint = now
        tick += 1
        let placed = placed(scene, grid, viewport.camera.center, settings)
        // Nearest first, so that the middle of the view is sent first.
        let places = rows.flatMap { row in columns.map { Place(column: $0, row: row) } }
            .sorted { grid.distance($0.column, $0.row) < grid.distance($1.column, $1.row) }
        for place in places { update(place, placed, grid, theme, settings.daylight) }
        let tiles = places.compactMap { place in
            blocks[place].map {
                PixelFrame.Tile(
                    content: $0.number, image: $0.image,
                    placement: grid.placement(column: place.column, row: place.row))
            }
        }
        var ground = means(grid, viewport)
        MapPainter.drawMarks(scene, viewport, settings, on: &ground)
        forgetOldBlocks()
        let box = CellBox(columns: 0..<viewport.columns, rows: 0..<viewport.rows)
        return (PixelFrame(tiles: tiles, cells: box, cell: cell), ground)
    }

    /// Returns the scene with positions in groups of 2 × 4 pixels, from the first block on.
    private mutating func placed(
        _ scene: Scene, _ grid: PixelGrid, _ center: WorldPoint, _ settings: Settings
    ) -> PlacedScene {
        let (columns, rows) = grid.blocks
        let width = columns.count * grid.block.width / 2, height = rows.count * grid.block.height / 4
        let place = CellPlacement(
            across: grid.side / 2, down: grid.side / 4,
            left: columns.lowerBound * grid.block.width * FixedPointRect.one / 2,
            top: rows.lowerBound * grid.block.height * FixedPointRect.one / 4, columns: width, rows: height,
            center: center)
        return PlacedScene(
            scene, place, view: CellBox(columns: 0..<width, rows: 0..<height), sharpness: 0
        ) {
            traffic.raster(of: $0, in: $1, settings.trafficColours)
        }
    }

    private mutating func update(
        _ place: Place, _ scene: PlacedScene, _ grid: PixelGrid, _ theme: Settings.Theme,
        _ daylight: Daylight?
    ) {
        let (columns, rows) = grid.blocks, width = grid.block.width / 2, height = grid.block.height / 4
        let part = CellBox(columns: 0..<width, rows: 0..<height).moved(
            columns: (place.column - columns.lowerBound) * width, rows: (place.row - rows.lowerBound) * height
        )
        let contents = scene.contents(of: part)
        if let known = blocks[place], known.shows(contents) {
            blocks[place]?.lastUse = tick
            return
        }
        var pictures = LayerPictures()
        var picture = pictures.ground(scene, part, .octant, theme)
        if let daylight {
            picture.shade(
                by: daylight,
                over: Picture.Ground(
                    corner: WorldPoint(
                        x: Double(place.column * grid.block.width) / grid.side,
                        y: Double(place.row * grid.block.height) / grid.side),
                    cellWidth: 2 / grid.side, cellHeight: 4 / grid.side), theme, glow: PixelView.glow)
        }
        blocks[place] = Block(
            contents: contents, number: nextContent, image: IndexedImage(picture), lastUse: tick)
        nextContent += 1
    }

    private mutating func forgetOldBlocks() {
        guard let size = paint?.block else { return }
        let old = blocks.filter { $0.value.lastUse != tick }.sorted { $0.value.lastUse < $1.value.lastUse }
        let most = Self.limit / max(size.width * size.height, 1)
        for (place, _) in old.dropLast(most) { blocks[place] = nil }
    }

    /// The number of pixels sampled across and down a cell.
    private static let samples = (across: 3, down: 4)

    /// Returns the mean colour of each cell, from some of its pixels.
    private func means(_ grid: PixelGrid, _ viewport: Viewport) -> CellGrid {
        var cells = CellGrid(columns: viewport.columns, rows: viewport.rows)
        let cell = grid.cell, count = Self.samples.across * Self.samples.down
        func positions(
            _ cells: Int, _ size: Int, _ samples: Int, _ corner: Int, _ block: Int
        ) -> [(block: Int, pixel: Int)] {
            (0..<cells * samples).map { at in
                let pixel = corner + at / samples * size + (2 * (at % samples) + 1) * size / (2 * samples)
                let number = pixel.dividingDown(by: block)
                return (number, pixel - number * block)
            }
        }
        let across = positions(
            viewport.columns, cell.width, Self.samples.across, grid.left, grid.block.width)
        let down = positions(viewport.rows, cell.height, Self.samples.down, grid.top, grid.block.height)
        var sums = [SIMD3<Int>](repeating: .zero, count: cells.cells.count)
        for (line, (blockRow, y)) in down.enumerated() {
            let row = line / Self.samples.down
            var number = Int.min, image: IndexedImage?
            for (at, (blockColumn, x)) in across.enumerated() {
                if blockColumn != number {
                    number = blockColumn
                    image = blocks[Place(column: blockColumn, row: blockRow)]?.image
                }
                guard let image else { continue }
                let colour = image[y, x]
                sums[row * viewport.columns + at / Self.samples.across] &+= SIMD3(
                    Int(colour.red), Int(colour.green), Int(colour.blue))
            }
        }
        for at in cells.cells.indices {
            let mean = sums[at] / count
            cells.cells[at].paper = .rgb(
                RGB(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z)))
        }
        return cells
    }
}

extension PixelGrid {
    /// Returns a measure of a block's distance from the middle of the view.
    fileprivate func distance(_ column: Int, _ row: Int) -> Int {
        let x = (2 * column + 1) * block.width - 2 * left - width,
            y = (2 * row + 1) * block.height - 2 * top - height
        return x * x + y * y
    }
}

extension Browser {
    /// Returns the whole screen over a map in pixels. Cells of the map without text are blank, so that they
    /// show the pixels; text has a background of its own.
    /// - Parameters:
    ///   - scene: The drawable contents of the view.
    ///   - ground: The cells of the map in the mean colours of their pixels, from `PixelPainter`.
    public func view(_ scene: Scene, overPixels ground: CellGrid) -> CellGrid {
        var screen = view(scene, map: ground)
        guard !isTooSmall else { return screen }
        let page = terminalTheme.page, paper = (terminalBackground ?? page.paper).nearly
        for row in 0..<min(ground.rows, screen.rows) {
            for column in 0..<min(ground.columns, screen.columns) {
                let cell = screen[row, column]
                if cell == ground[row, column] {
                    screen[row, column] = .blank
                } else if cell.paper == .terminal {
                    screen[row, column].paper = .rgb(paper)
                    if terminalBackground == nil, cell.ink == .terminal {
                        screen[row, column].ink = .rgb(page.ink)
                    }
                }
            }
        }
        return screen
    }
}

extension RGB {
    /// A colour that differs by one step of blue. Terminals show images through cells whose background equals
    /// their own.
    fileprivate var nearly: RGB { RGB(red: red, green: green, blue: blue == 255 ? 254 : blue + 1) }
}
