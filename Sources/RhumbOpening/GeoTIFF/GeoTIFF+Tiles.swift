internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine

extension GeoTIFF {
    /// The side of its tiles in pixels.
    static let side = 256
    /// The maximum number of blocks read for one tile: of a local file, and of one on a server.
    static let blockLimit = 4096, remoteBlockLimit = 256

    /// The pixels of a level that a tile shows.
    struct TilePlan {
        let level: Int
        /// The columns and rows at the centres of the tile's pixels, if they depend on one axis only.
        var columns: [Double] = [], rows: [Double] = []
        /// The positions of all pixels otherwise.
        var positions: [SIMD2<Double>] = []
        /// The distances of the samples of a pixel from its centre on one axis, in pixels of the level.
        let offsets: [Double]
        /// The samples of a pixel of the tile, in pixels of the level from its centre.
        let samples: [SIMD2<Double>]
        /// The distances of the pixels that are read for a sample, from the sample on one axis.
        let reach: [Double]
        /// The blocks to read.
        var blocks: Set<BlockID> = []

        func position(_ x: Int, _ y: Int) -> SIMD2<Double> {
            positions.isEmpty ? SIMD2(columns[x], rows[y]) : positions[y * GeoTIFF.side + x]
        }

        /// - Parameter isSmooth: True to interpolate between the centres of pixels.
        init(level: Int, samples count: Int, step: Double, isSmooth: Bool) {
            self.level = level
            reach = isSmooth ? [-0.5, 0.5] : [0]
            let offsets = (0..<count).map { (Double($0) - Double(count - 1) / 2) * step }
            self.offsets = offsets
            samples = offsets.flatMap { y in offsets.map { x in SIMD2(x, y) } }
        }
    }

    /// The number of pixels of the file per pixel of a tile.
    func ratio(at zoom: Int) -> Double {
        reference.pixelsAtZoomZero(at: bounds.center, side: Double(GeoTIFF.side)) / Double(1 << zoom)
    }

    /// The deepest zoom: the first one whose pixels are not larger than the file's.
    var deepestZoom: Int {
        let limit = TileSize.pixels256.maximumZoom
        return (0...limit).first { ratio(at: $0) <= 1.01 } ?? limit
    }

    /// The room for the strips that a row of tiles shares, at most 256 MB. Without it, each tile would decode
    /// whole strips again: 36,000 × 18,000 pixels took more than ten minutes. 0 for a file without strips.
    var stripBytes: Int {
        levels.filter { $0.columns == 1 }.map { level in
            let rows = min(level.height, GeoTIFF.side * 4 + 2 * level.blockHeight)
            return min(level.width * rows * 16 / 3, 256_000_000)
        }.max() ?? 0
    }

    /// Returns the zooms up to the deepest one at which a tile needs more blocks than a limit. Returns nil if
    /// there is none, as in a file with enough overviews.
    func unreadableZooms(limit: Int) -> ClosedRange<Int>? {
        (0...deepestZoom).reversed().first { zoom in
            mayExceed(limit, at: zoom)
                && fullestTiles(at: zoom).contains { plan($0).map { $0.blocks.count > limit } ?? false }
        }.map { 0...$0 }
    }

    /// Returns false if no tile of a zoom can show more blocks than a limit.
    private func mayExceed(_ limit: Int, at zoom: Int) -> Bool {
        let level = levels[level(at: zoom)], ratio = ratio(at: zoom)
        // Tiles can be rotated against the pixels of the file.
        let span = ratio / reduction(level) * Double(GeoTIFF.side) * 1.5
        func count(_ blocks: Int, _ side: Int) -> Int {
            min(blocks, Int(clamping: (span / Double(side)).rounded(.up) + 2))
        }
        return count(level.columns, level.blockWidth).saturatingMultiply(
            count(level.rows, level.blockHeight)) > limit
    }

    /// Returns tiles that show at least as many pixels as any other tile of a zoom, or almost as many.
    private func fullestTiles(at zoom: Int) -> Set<TileID> {
        let parts = [0.25, 0.5, 0.75]
        return Set(
            bounds.worldBoxes.flatMap { box in
                parts.flatMap { x in
                    parts.map { y in
                        let place = WorldPoint(
                            x: box.minX + (box.maxX - box.minX) * x, y: box.minY + (box.maxY - box.minY) * y)
                        return TileID(zoom: zoom, containing: place)
                    }
                }
            })
    }

    /// Returns the index of the level from which the tiles of a zoom are drawn.
    private func level(at zoom: Int) -> Int {
        let ratio = ratio(at: zoom)
        return levels.lastIndex { reduction($0) <= ratio * 1.05 } ?? 0
    }

    /// Returns the number of pixels of the finest level per pixel of a level, on the longer axis: the shorter
    /// one may have a single pixel in all levels.
    private func reduction(_ level: TIFFLevel) -> Double {
        let finest = levels[0]
        return finest.width >= finest.height
            ? Double(finest.width) / Double(level.width) : Double(finest.height) / Double(level.height)
    }

    /// Returns the blocks and the pixels of a tile; nil if it shows none.
    func plan(_ tile: TileID) -> TilePlan? {
        var plan = emptyPlan(tile)
        addBlocks(&plan)
        return plan.blocks.isEmpty ? nil : plan
    }

    /// Returns the plan of a tile without its blocks.
    private func emptyPlan(_ tile: TileID) -> TilePlan {
        let ratio = ratio(at: tile.zoom), finest = levels[0], level = level(at: tile.zoom)
        let scale = SIMD2(
            Double(levels[level].width) / Double(finest.width),
            Double(levels[level].height) / Double(finest.height))
        let step = ratio / reduction(levels[level])
        let count = 1.05 < step && step <= 8 ? min(Int(step.rounded(.up)), 4) : 1
        var plan = TilePlan(
            level: level, samples: count, step: step / Double(count), isSmooth: meaning == .heights)
        locate(tile, scale, &plan)
        return plan
    }

    /// Returns the columns and rows of blocks that a tile shows, for a projection whose axes are separable.
    func blockAxes(_ tile: TileID) -> (columns: Set<Int>, rows: Set<Int>) { blockAxes(emptyPlan(tile), [0]) }

    private func blockAxes(_ plan: TilePlan, _ reach: [Double]) -> (columns: Set<Int>, rows: Set<Int>) {
        let level = levels[plan.level], offsets = plan.offsets.flatMap { at in reach.map { at + $0 } }
        return (
            GeoTIFF.blocks(at: plan.columns, offsets, length: level.width, side: level.blockWidth),
            GeoTIFF.blocks(at: plan.rows, offsets, length: level.height, side: level.blockHeight)
        )
    }

    private func locate(_ tile: TileID, _ scale: SIMD2<Double>, _ plan: inout TilePlan) {
        let side = GeoTIFF.side, world = Double(1 << tile.zoom) * Double(side)
        func pixel(_ x: Double, _ y: Double) -> SIMD2<Double> {
            let point = WorldPoint(
                x: (Double(tile.x * side) + x) / world, y: (Double(tile.y * side) + y) / world)
            return reference.pixel(at: point) * scale
        }
        if reference.projection.isSeparable {
            plan.columns = (0..<side).map { pixel(Double($0) + 0.5, 0.5).x }
            plan.rows = (0..<side).map { pixel(0.5, Double($0) + 0.5).y }
            return
        }
        // Deep tiles are small enough to interpolate between nodes.
        let gap = tile.zoom >= 10 ? 16 : 1, nodes = side / gap + 1
        let grid = (0..<nodes * nodes).map {
            pixel(Double($0 % nodes * gap) + 0.5, Double($0 / nodes * gap) + 0.5)
        }
        plan.positions = (0..<side * side).map { at in
            let x = at % side, y = at / side, node = y / gap * nodes + x / gap
            let dx = Double(x % gap) / Double(gap), dy = Double(y % gap) / Double(gap)
            let upper = grid[node] * (1 - dx) + grid[node + 1] * dx
            return upper * (1 - dy) + (grid[node + nodes] * (1 - dx) + grid[node + nodes + 1] * dx) * dy
        }
    }

    private func addBlocks(_ plan: inout TilePlan) {
        let level = levels[plan.level]
        if plan.positions.isEmpty {
            var axes = blockAxes(plan, [0])
            // Pixels beside a tile alone are not shown in it.
            if !axes.columns.isEmpty, !axes.rows.isEmpty { axes = blockAxes(plan, plan.reach) }
            for row in axes.rows {
                for column in axes.columns {
                    plan.blocks.insert(BlockID(level: plan.level, column: column, row: row))
                }
            }
            return
        }
        var last: BlockID?
        let reach = plan.reach.flatMap { y in plan.reach.map { x in SIMD2(x, y) } },
            samples = plan.samples.flatMap { sample in reach.map { sample + $0 } }
        for at in plan.positions {
            for sample in samples {
                guard let block = block(at: at + sample, plan.level, level), block != last else { continue }
                plan.blocks.insert(block)
                last = block
            }
        }
    }

    /// Returns the columns or rows of blocks that contain the samples of positions on one axis. Blocks may be
    /// smaller than the distance of two samples: a strip often has a single row.
    private static func blocks(
        at positions: [Double], _ offsets: [Double], length: Int, side: Int
    ) -> Set<Int> {
        var found: Set<Int> = [], last = -1
        for position in positions {
            for at in offsets.map({ position + $0 }) where at >= 0 && at < Double(length) {
                if Int(at) / side != last { found.insert(Int(at) / side) }
                last = Int(at) / side
            }
        }
        return found
    }

    private func block(at pixel: SIMD2<Double>, _ index: Int, _ level: TIFFLevel) -> BlockID? {
        guard pixel.x >= 0, pixel.y >= 0, pixel.x < Double(level.width), pixel.y < Double(level.height)
        else { return nil }
        return BlockID(
            level: index, column: Int(pixel.x) / level.blockWidth, row: Int(pixel.y) / level.blockHeight)
    }

    // MARK: Drawing

    /// Returns the answer for a tile.
    /// - Parameter blocks: The blocks of its plan.
    func answer(_ plan: TilePlan, _ blocks: [BlockID: TIFFBlock]) -> TileAnswer {
        guard blocks.values.contains(where: { if case .empty = $0 { false } else { true } }) else {
            return .absent
        }
        var reader = PixelReader(self, plan.level, blocks)
        let side = GeoTIFF.side
        var pixels = [UInt8](repeating: 0, count: side * side * 4)
        let isColour = meaning != .values && meaning != .heights
        for y in 0..<side {
            for x in 0..<side {
                let position = plan.position(x, y), to = (y * side + x) * 4
                if isColour {
                    pixels.set(to, reader.colour(around: position, plan))
                } else if let value = reader.value(around: position, plan) {
                    pixels.set(to, pixel(of: value))
                }
            }
        }
        guard let raster = Raster(width: side, height: side, pixels: pixels) else { return .absent }
        if raster.isClear { return .absent }
        guard meaning == .heights else { return .bitmap(.raster(raster)) }
        return (try? PNGEncoder.encode(raster)).map { .bitmap(.encoded($0)) } ?? .absent
    }

    /// Returns the colour of shares, or the height in the terrarium encoding, in steps of 1/256 m.
    private func pixel(of value: SIMD4<Float>) -> SIMD4<UInt8> {
        if meaning == .heights {
            let steps = min(max(Int(clamping: ((Double(value.x) + 32_768) * 256).rounded()), 0), 0xFF_FFFF)
            return SIMD4(UInt8(steps >> 16), UInt8(steps >> 8 & 255), UInt8(steps & 255), 255)
        }
        // A band without data is drawn as its lowest value.
        func share(_ band: Int) -> Double { value[band] > 0 ? Double(min(value[band], 1)) : 0 }
        let opacity = UInt8(clamping: Double(value.w) * 255)
        if bands.count == 1 {
            let colour = TIFFStretch.colour(share(0))
            return SIMD4(colour.red, colour.green, colour.blue, opacity)
        }
        func channel(_ band: Int) -> UInt8 { UInt8(clamping: share(band) * 255) }
        return SIMD4(channel(0), channel(1), channel(2), opacity)
    }
}

extension [UInt8] {
    fileprivate mutating func set(_ at: Int, _ pixel: SIMD4<UInt8>) {
        for channel in 0..<4 { self[at + channel] = pixel[channel] }
    }
}
