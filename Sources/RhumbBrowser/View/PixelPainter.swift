public import RhumbCore
public import RhumbEngine

/// Paints a scene as pixels, in blocks that keep their pixels while the view moves.
///
/// A block is painted again only if its contents change, or to sharpen it. Blocks of earlier views are kept
/// within a limit.
public struct PixelPainter: Sendable {
    private var traffic = TrafficPaint()
    private var blocks: [Position: Block] = [:]
    private var paint: Paint?
    private var nextContent: UInt64 = 1
    private var tick = 0
    private var shapes = PixelShapes()
    /// The maximum size of the blocks outside the view, in pixels.
    private static let limit = 6 << 20

    /// The position of a block in the grid of its view.
    fileprivate struct Position: Hashable {
        let column: Int, row: Int
    }

    /// The things that affect all blocks.
    private struct Paint: Equatable {
        let side: Double
        let origin: PixelSize
        let block: PixelSize
        let theme: Settings.Theme
        let daylight: Daylight?
        let colours: TrafficColours
    }

    private struct Block {
        let contents: [(blending: PlacedScene.Layer.Blending, pictures: [PlacedScene.Picture])]
        let shapes: PixelShapes.Part
        let number: UInt64
        let image: IndexedImage
        let isSharp: Bool
        var lastUse: Int

        /// True if the block shows the contents that a scene has in a part of it, whose order depends on the
        /// middle of the view. Pictures that only touch the border of the part may be left out of the scene.
        func shows(_ scene: PlacedScene, in part: CellBox) -> Bool {
            let wanted = scene.contents(of: part), inner = part.inset
            let shown = contents.compactMap { blending, pictures in
                let pictures = pictures.filter { picture in
                    let cells = scene.cells(of: picture)
                    return cells.common(with: inner).count > 0
                        || cells.common(with: part).count > 0
                            && wanted.contains { $0.blending == blending && $0.pictures.contains(picture) }
                }
                return pictures.isEmpty ? nil : (blending: blending, pictures: pictures)
            }
            return shown.count == wanted.count
                && zip(shown, wanted).allSatisfy { shown, wanted in
                    shown.blending == wanted.blending && shown.pictures.count == wanted.pictures.count
                        && shown.pictures.allSatisfy(wanted.pictures.contains)
                }
        }
    }

    /// Creates a painter without blocks.
    public init() {}

    /// Returns the images of the map, and its cells in the mean colours of their pixels, over which text is
    /// written.
    ///
    /// Blocks whose tiles are loading are coarse: they have half as many pixels across and down, and fewer
    /// colours, because they will be replaced.
    /// - Parameters:
    ///   - cell: The size of a cell, whose shape is that of the view's cells.
    ///   - shapes: The lines and tints over the layers.
    ///   - sharpening: The maximum number of blocks to paint in full quality. Others stay coarse.
    public mutating func paint(
        _ scene: Scene, viewport: Viewport, settings: Settings, theme: Settings.Theme, cell: PixelSize,
        shapes: PixelShapes = PixelShapes(), sharpening: Int = .max
    ) -> (pixels: PixelFrame, ground: CellGrid) {
        self.shapes = shapes
        let grid = begin(grid(viewport, cell), settings, theme)
        let placed = placed(scene, grid, viewport.camera.center, settings)
        var left = sharpening
        let positions = grid.positions
        for position in positions { update(position, placed, grid, settings, &left) }
        let tiles = positions.compactMap { tile($0, grid) }
        let ground = means(grid, viewport)
        forgetOldBlocks()
        let box = CellBox(columns: 0..<viewport.columns, rows: 0..<viewport.rows)
        return (PixelFrame(tiles: tiles, cells: box, cell: cell), ground)
    }

    /// Returns the view with a margin of one block, for `paintAhead`.
    public static func widened(_ viewport: Viewport, cell: PixelSize) -> Viewport {
        let cells = PixelGrid(viewport, cell: cell).blockCells
        return viewport.resized(
            columns: viewport.columns + 2 * cells.columns, rows: viewport.rows + 2 * cells.rows)
    }

    /// Paints the next block around the view. Blocks with missing tiles are left out.
    /// - Parameters:
    ///   - scene: The scene of the widened view.
    ///   - wide: The result of `widened(_:cell:)`.
    ///   - isKnown: Returns true for the content of blocks that are not needed again.
    /// - Returns: The block; nil if there is none.
    public mutating func paintAhead(
        _ scene: Scene, wide: Viewport, settings: Settings, theme: Settings.Theme, cell: PixelSize,
        unless isKnown: (UInt64) -> Bool
    ) -> PixelFrame.Tile? {
        guard !shapes.endsBesideView else { return nil }
        let grid = begin(
            PixelGrid(wide, cell: cell, block: paint?.block, origin: paint?.origin), settings, theme)
        let placed = placed(scene, grid, wide.camera.center, settings)
        for position in grid.positions where !placed.isLoading(part(position, grid)) {
            var sharpening = 1
            update(position, placed, grid, settings, &sharpening)
            if let tile = tile(position, grid), !isKnown(tile.content) { return tile }
        }
        return nil
    }

    /// Returns the grid of the last view if it has blocks of this one, or else a new one.
    private func grid(_ viewport: Viewport, _ cell: PixelSize) -> PixelGrid {
        let new = PixelGrid(viewport, cell: cell)
        guard let paint, paint.block == new.block, paint.side == new.side else { return new }
        let old = PixelGrid(viewport, cell: cell, block: paint.block, origin: paint.origin)
        return old.isAligned && old.positions.contains { blocks[$0] != nil } ? old : new
    }

    private mutating func begin(
        _ grid: PixelGrid, _ settings: Settings, _ theme: Settings.Theme
    ) -> PixelGrid {
        let now = Paint(
            side: grid.side, origin: grid.origin, block: grid.block, theme: theme,
            daylight: settings.daylight, colours: settings.trafficColours)
        if paint != now { blocks = [:] }
        paint = now
        tick += 1
        return grid
    }

    private func tile(_ position: Position, _ grid: PixelGrid) -> PixelFrame.Tile? {
        blocks[position].map {
            PixelFrame.Tile(
                content: $0.number, image: $0.image,
                placement: grid.placement(
                    column: position.column, row: position.row,
                    size: PixelSize(width: $0.image.width, height: $0.image.height)),
                cells: grid.blockCells, isSharp: $0.isSharp)
        }
    }

    /// Returns the scene with positions in groups of 2 × 4 pixels, from the first block on.
    private mutating func placed(
        _ scene: Scene, _ grid: PixelGrid, _ center: WorldPoint, _ settings: Settings
    ) -> PlacedScene {
        let (columns, rows) = grid.blocks
        let width = columns.count * grid.block.width / 2
        let height = rows.count * grid.block.height / 4
        let corner = grid.corner(column: columns.lowerBound, row: rows.lowerBound)
        let placement = CellPlacement(
            across: grid.side / 2, down: grid.side / 4,
            left: corner.x * FixedPointRect.one / 2, top: corner.y * FixedPointRect.one / 4,
            columns: width, rows: height, center: center)
        return PlacedScene(
            scene, placement, view: CellBox(columns: 0..<width, rows: 0..<height), sharpness: 0
        ) {
            traffic.raster(of: $0, in: $1, settings.trafficColours)
        }
    }

    /// Returns a block in groups of 2 × 4 pixels, from the first block of the view on.
    private func part(_ position: Position, _ grid: PixelGrid) -> CellBox {
        let (columns, rows) = grid.blocks
        let width = grid.block.width / 2
        let height = grid.block.height / 4
        return CellBox(columns: 0..<width, rows: 0..<height).moved(
            columns: (position.column - columns.lowerBound) * width,
            rows: (position.row - rows.lowerBound) * height
        )
    }

    /// Returns the part of a block within the view, in groups of 2 × 4 pixels, from the first block on.
    private func seen(_ position: Position, _ grid: PixelGrid) -> CellBox {
        let (columns, rows) = grid.blocks
        let first = grid.corner(column: columns.lowerBound, row: rows.lowerBound)
        let x = grid.left - first.x, y = grid.top - first.y
        let view = CellBox(columns: x / 2..<(x + grid.width + 1) / 2, rows: y / 4..<(y + grid.height + 3) / 4)
        return view.common(with: part(position, grid))
    }

    /// - Parameter sharpening: The number of blocks that may still be painted in full quality.
    private mutating func update(
        _ position: Position, _ scene: PlacedScene, _ grid: PixelGrid, _ settings: Settings,
        _ sharpening: inout Int
    ) {
        let part = part(position, grid)
        let isSharp = sharpening > 0 && !scene.isLoading(part)
        let shapes = shapes.part(column: position.column, row: position.row, grid)
        // The scene may lack the tiles of a block that are out of view.
        if let block = blocks[position], block.shapes == shapes, block.shows(scene, in: seen(position, grid)),
            block.isSharp || !isSharp
        {
            blocks[position]?.lastUse = tick
            return
        }
        if isSharp { sharpening -= 1 }
        var picture = picture(position, part, scene, grid, settings)
        picture.draw(shapes, cell: grid.cell.width)
        let image = image(picture, grid, isSharp: isSharp)
        var number = nextContent
        // Tiles that were drawn again may look the same.
        if let block = blocks[position], block.image == image {
            number = block.number
        } else {
            nextContent += 1
        }
        blocks[position] = Block(
            contents: scene.contents(of: part), shapes: shapes, number: number, image: image,
            isSharp: isSharp, lastUse: tick)
    }

    private func picture(
        _ position: Position, _ part: CellBox, _ scene: PlacedScene, _ grid: PixelGrid, _ settings: Settings
    ) -> Picture {
        let theme = paint?.theme ?? .night
        var pictures = LayerPictures()
        var picture = pictures.ground(scene, part, .octant, theme)
        if let daylight = settings.daylight {
            let corner = grid.corner(column: position.column, row: position.row)
            picture.shade(
                by: daylight,
                over: Picture.Ground(
                    corner: WorldPoint(x: Double(corner.x) / grid.side, y: Double(corner.y) / grid.side),
                    cellWidth: 2 / grid.side, cellHeight: 4 / grid.side), theme, glow: PixelView.glow)
        }
        return picture
    }

    private func image(_ picture: Picture, _ grid: PixelGrid, isSharp: Bool) -> IndexedImage {
        guard !isSharp else { return IndexedImage(picture, tolerance: Self.tolerance) }
        let cells = grid.blockCells
        let size = PixelSize(
            width: cells.columns * ((grid.cell.width + 1) / 2),
            height: cells.rows * ((grid.cell.height + 1) / 2))
        return IndexedImage(picture, size: size, colours: 64, bits: Self.coarseBits)
    }

    /// The invisible difference of colours that saves a quarter to a half of the bytes.
    private static let tolerance: UInt8 = 4
    /// The number of bits per channel in coarse blocks.
    private static let coarseBits = 4

    private mutating func forgetOldBlocks() {
        guard let size = paint?.block else { return }
        let old = blocks.filter { $0.value.lastUse != tick }.sorted {
            $0.value.lastUse < $1.value.lastUse
        }
        let most = Self.limit / max(size.width * size.height, 1)
        for (position, _) in old.dropLast(most) { blocks[position] = nil }
    }

    /// The number of pixels sampled across and down a cell.
    private static let samples = (across: 3, down: 4)

    /// Returns the mean colour of each cell, from some of its pixels.
    private func means(_ grid: PixelGrid, _ viewport: Viewport) -> CellGrid {
        var cells = CellGrid(columns: viewport.columns, rows: viewport.rows)
        let cell = grid.cell
        let count = Self.samples.across * Self.samples.down
        func positions(
            _ cells: Int, _ size: Int, _ samples: Int, _ corner: Int, _ block: Int
        ) -> [(block: Int, pixel: Int)] {
            (0..<cells * samples).map { at in
                let pixel = corner + at / samples * size + (2 * (at % samples) + 1) * size / (2 * samples)
                let (number, rest) = pixel.flooredDivision(by: block)
                return (number, rest)
            }
        }
        let across = positions(
            viewport.columns, cell.width, Self.samples.across, grid.left - grid.origin.width,
            grid.block.width
        )
        let down = positions(
            viewport.rows, cell.height, Self.samples.down, grid.top - grid.origin.height,
            grid.block.height)
        var sums = [SIMD3<Int>](repeating: .zero, count: cells.cells.count)
        for (line, (blockRow, y)) in down.enumerated() {
            let row = line / Self.samples.down
            var number = Int.min
            var image: IndexedImage?
            for (at, (blockColumn, x)) in across.enumerated() {
                if blockColumn != number {
                    number = blockColumn
                    image = blocks[Position(column: blockColumn, row: blockRow)]?.image
                }
                guard let image else { continue }
                let colour = image[
                    y * image.height / grid.block.height, x * image.width / grid.block.width]
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

extension CellBox {
    /// The box without its outermost cells.
    fileprivate var inset: CellBox {
        func inner(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound + 1..<max(range.upperBound - 1, range.lowerBound + 1)
        }
        return CellBox(columns: inner(columns), rows: inner(rows))
    }
}

extension PixelGrid {
    /// The blocks in view, nearest to the middle first, so that the middle is sent first.
    fileprivate var positions: [PixelPainter.Position] {
        let (columns, rows) = blocks
        return rows.flatMap { row in columns.map { PixelPainter.Position(column: $0, row: row) } }
            .sorted { distance($0.column, $0.row) < distance($1.column, $1.row) }
    }

    /// Returns a measure of a block's distance from the middle of the view.
    fileprivate func distance(_ column: Int, _ row: Int) -> Int {
        let corner = corner(column: column, row: row)
        let x = 2 * (corner.x - left) + block.width - width
        let y = 2 * (corner.y - top) + block.height - height
        return x * x + y * y
    }
}

extension Browser {
    /// Returns the whole screen over a map in pixels. Cells of the map without text are blank, so that they
    /// show the pixels; text has a background of its own.
    /// - Parameters:
    ///   - scene: The drawable contents of the view.
    ///   - ground: The cells of the map in the mean colours of their pixels, from `PixelPainter`. The pixels
    ///     contain the shapes of `pixelShapes`.
    public func view(_ scene: Scene, overPixels ground: CellGrid) -> CellGrid {
        var map = ground
        let marks = TrafficMarks(self.map.viewport, self.map.settings)
        for layer in scene.layers { marks.drawSigns(layer, on: &map) }
        var screen = view(scene, map: map, inPixels: true)
        guard !isTooSmall else { return screen }
        let page = terminalTheme.page
        let paper = (appearance.terminalBackground ?? page.paper).nearly
        for row in 0..<min(ground.rows, screen.rows) {
            for column in 0..<min(ground.columns, screen.columns) {
                let cell = screen[row, column]
                if cell == ground[row, column] {
                    screen[row, column] = .blank
                } else if cell.paper == .terminal {
                    screen[row, column].paper = .rgb(paper)
                    if appearance.terminalBackground == nil, cell.ink == .terminal {
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
