internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine

/// The range of values that is stretched to colours.
struct TIFFStretch: Equatable, Sendable {
    /// The range of each band.
    let ranges: [ClosedRange<Float>]

    /// The colours of a single band, from low to high values.
    static let ramp = [0x440154, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725].map { RGB(UInt32($0)) }

    /// Creates the ranges between the 2nd and the 98th percentile.
    /// - Parameter values: The values of each band, without NaN.
    init(_ values: [[Float]]) {
        ranges = values.map { values in
            let sorted = values.sorted()
            guard let first = sorted.first, let last = sorted.last else { return 0...1 }
            let low = sorted[sorted.count * 2 / 100], high = sorted[(sorted.count - 1) * 98 / 100]
            return low < high ? low...high : first < last ? first...last : first...(first + 1)
        }
    }

    /// Returns the share of a value in the range of its band, 0…1.
    func share(_ value: Float, _ band: Int) -> Float {
        let range = ranges[min(band, ranges.count - 1)]
        return min(max((value - range.lowerBound) / (range.upperBound - range.lowerBound), 0), 1)
    }

    /// Returns the colour of a share.
    static func colour(_ share: Float) -> RGB {
        let place = share * Float(ramp.count - 1), index = min(Int(place), ramp.count - 2)
        let low = ramp[index], high = ramp[index + 1], part = place - Float(index)
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8(Float(a) + (Float(b) - Float(a)) * part) }
        return RGB(
            red: mix(low.red, high.red), green: mix(low.green, high.green), blue: mix(low.blue, high.blue))
    }
}

extension GeoTIFF {
    /// The side of its tiles in pixels.
    static let side = 256
    /// The maximum number of blocks read for one tile.
    static let blockLimit = 4096

    /// The pixels of a level that a tile shows.
    struct TilePlan {
        let level: Int
        /// The columns and rows at the centres of the tile's pixels, if they depend on one axis only.
        var columns: [Double] = [], rows: [Double] = []
        /// The positions of all pixels otherwise.
        var positions: [SIMD2<Double>] = []
        /// The number of samples per pixel along each axis, and their distance in pixels of the level.
        let samples: Int, step: Double
        /// The blocks to read.
        var blocks: Set<BlockID> = []

        func position(_ x: Int, _ y: Int) -> SIMD2<Double> {
            positions.isEmpty ? SIMD2(columns[x], rows[y]) : positions[y * GeoTIFF.side + x]
        }
    }

    /// The number of pixels of the file per pixel of a tile.
    func ratio(at zoom: Int) -> Double {
        reference.pixelsAtZoomZero(at: bounds.center, side: Double(GeoTIFF.side)) / Double(1 << zoom)
    }

    /// The deepest zoom: the first one whose pixels are not larger than the file's.
    var deepestZoom: Int { (0...22).first { ratio(at: $0) <= 1.01 } ?? 22 }

    /// Returns the blocks and the pixels of a tile; nil if it shows none.
    func plan(_ tile: TileID) -> TilePlan? {
        let ratio = ratio(at: tile.zoom), finest = levels[0]
        let level = levels.lastIndex { Double(finest.width) / Double($0.width) <= ratio * 1.05 } ?? 0
        let scale = SIMD2(
            Double(levels[level].width) / Double(finest.width),
            Double(levels[level].height) / Double(finest.height))
        let step = ratio * scale.x, count = step <= 1.05 || step > 8 ? 1 : min(Int(step.rounded(.up)), 4)
        var plan = TilePlan(level: level, samples: count, step: step / Double(count))
        locate(tile, scale, &plan)
        addBlocks(&plan)
        return plan.blocks.isEmpty ? nil : plan
    }

    private func locate(_ tile: TileID, _ scale: SIMD2<Double>, _ plan: inout TilePlan) {
        let side = GeoTIFF.side, world = Double(1 << tile.zoom) * Double(side)
        func place(_ x: Double, _ y: Double) -> SIMD2<Double> {
            let point = WorldPoint(
                x: (Double(tile.x * side) + x) / world, y: (Double(tile.y * side) + y) / world)
            return reference.pixel(at: point) * scale
        }
        if reference.projection.isSeparable {
            plan.columns = (0..<side).map { place(Double($0) + 0.5, 0.5).x }
            plan.rows = (0..<side).map { place(0.5, Double($0) + 0.5).y }
            return
        }
        // Deep tiles are small enough to interpolate between nodes.
        let gap = tile.zoom >= 10 ? 16 : 1, nodes = side / gap + 1
        let grid = (0..<nodes * nodes).map {
            place(Double($0 % nodes * gap) + 0.5, Double($0 / nodes * gap) + 0.5)
        }
        plan.positions = (0..<side * side).map { at in
            let x = at % side, y = at / side, node = y / gap * nodes + x / gap
            let dx = Double(x % gap) / Double(gap), dy = Double(y % gap) / Double(gap)
            let upper = grid[node] * (1 - dx) + grid[node + 1] * dx
            return upper * (1 - dy) + (grid[node + nodes] * (1 - dx) + grid[node + nodes + 1] * dx) * dy
        }
    }

    private func addBlocks(_ plan: inout TilePlan) {
        let level = levels[plan.level], edge = plan.samples == 1 ? 0 : plan.step * Double(plan.samples) / 2
        var last: BlockID?
        for y in 0..<GeoTIFF.side {
            for x in 0..<GeoTIFF.side {
                let at = plan.position(x, y)
                for shift in edge == 0 ? [SIMD2(0.0, 0)] : [SIMD2(-edge, -edge), SIMD2(edge, edge)] {
                    guard let block = block(at: at + shift, plan.level, level), block != last else {
                        continue
                    }
                    plan.blocks.insert(block)
                    last = block
                }
            }
        }
    }

    private func block(at place: SIMD2<Double>, _ index: Int, _ level: TIFFLevel) -> BlockID? {
        guard place.x >= 0, place.y >= 0, place.x < Double(level.width), place.y < Double(level.height)
        else { return nil }
        return BlockID(
            level: index, column: Int(place.x) / level.blockWidth, row: Int(place.y) / level.blockHeight)
    }

    // MARK: Drawing

    /// Returns the answer for a tile.
    /// - Parameters:
    ///   - blocks: The blocks of its plan.
    ///   - stretch: The ranges of values; nil for colours and heights.
    func answer(_ plan: TilePlan, _ blocks: [BlockID: TIFFBlock], _ stretch: TIFFStretch?) -> TileAnswer {
        guard blocks.values.contains(where: { if case .empty = $0 { false } else { true } }) else {
            return .absent
        }
        var reader = PixelReader(levels[plan.level], plan.level, blocks, bands: valueBands)
        let side = GeoTIFF.side
        var pixels = [UInt8](repeating: 0, count: side * side * 4)
        let isColour = meaning != .values && meaning != .heights
        for y in 0..<side {
            for x in 0..<side {
                let place = plan.position(x, y), to = (y * side + x) * 4
                if isColour {
                    pixels.set(to, reader.colour(around: place, plan))
                } else if let value = reader.value(around: place, plan) {
                    pixels.set(to, pixel(of: value, stretch))
                }
            }
        }
        guard let raster = Raster(width: side, height: side, pixels: pixels) else { return .absent }
        if raster.isClear { return .absent }
        guard meaning == .heights else { return .bitmap(.raster(raster)) }
        return (try? PNGEncoder.encode(raster)).map { .bitmap(.encoded($0)) } ?? .absent
    }

    /// Returns the colour of values, or the heights in the terrarium encoding.
    private func pixel(of value: SIMD3<Float>, _ stretch: TIFFStretch?) -> SIMD4<UInt8> {
        if meaning == .heights {
            let height = min(max(value.x + 32_768, 0), 65_535.99), whole = Int(height)
            return SIMD4(
                UInt8(whole >> 8), UInt8(whole & 255), UInt8((height - Float(whole)) * 256), 255)
        }
        guard let stretch else { return SIMD4(0, 0, 0, 0) }
        if valueBands == 1 {
            let colour = TIFFStretch.colour(stretch.share(value.x, 0))
            return SIMD4(colour.red, colour.green, colour.blue, 255)
        }
        return SIMD4(
            UInt8(stretch.share(value.x, 0) * 255), UInt8(stretch.share(value.y, 1) * 255),
            UInt8(stretch.share(value.z, 2) * 255), 255)
    }

    // MARK: Statistics

    /// The blocks from which the stretch is computed: some of the coarsest level.
    var sampleBlocks: [BlockID] {
        guard meaning == .values else { return [] }
        let last = levels.count - 1, level = levels[last], all = level.columns * level.rows
        let step = max(all / 16, 1)
        return stride(from: step / 2, to: all, by: step).prefix(16).map {
            BlockID(level: last, column: $0 % level.columns, row: $0 / level.columns)
        }
    }

    /// Returns the stretch from sampled blocks.
    func stretch(_ blocks: [TIFFBlock]) -> TIFFStretch {
        var values = [[Float]](repeating: [], count: valueBands)
        for case .values(let all) in blocks {
            // 50,000 pixels of each block suffice.
            let step = max(all.count / valueBands / 50_000, 1) * valueBands
            for at in stride(from: 0, to: all.count - valueBands + 1, by: step) {
                for band in 0..<valueBands where !all[at + band].isNaN { values[band].append(all[at + band]) }
            }
        }
        return TIFFStretch(values)
    }
}

extension [UInt8] {
    fileprivate mutating func set(_ at: Int, _ pixel: SIMD4<UInt8>) {
        for channel in 0..<4 { self[at + channel] = pixel[channel] }
    }
}

/// Reads the pixels of decoded blocks.
private struct PixelReader {
    private let level: TIFFLevel
    private let index: Int
    private let blocks: [GeoTIFF.BlockID: TIFFBlock]
    private let bands: Int
    /// The block of the last pixel.
    private var last = GeoTIFF.BlockID(level: -1, column: 0, row: 0)
    private var block = TIFFBlock.empty

    init(_ level: TIFFLevel, _ index: Int, _ blocks: [GeoTIFF.BlockID: TIFFBlock], bands: Int) {
        self.level = level
        self.index = index
        self.blocks = blocks
        self.bands = bands
    }

    /// Returns the index of a pixel in `block`; nil outside the level.
    private mutating func locate(_ x: Double, _ y: Double) -> Int? {
        guard x >= 0, y >= 0, x < Double(level.width), y < Double(level.height) else { return nil }
        let column = Int(x), row = Int(y)
        let id = GeoTIFF.BlockID(
            level: index, column: column / level.blockWidth, row: row / level.blockHeight)
        if id != last { (last, block) = (id, blocks[id] ?? .empty) }
        return (row - id.row * level.blockHeight) * level.blockWidth + column - id.column * level.blockWidth
    }

    private mutating func colour(_ x: Double, _ y: Double) -> SIMD4<UInt8> {
        guard let at = locate(x, y), case .colours(let bytes) = block, at * 4 + 4 <= bytes.count else {
            return SIMD4(0, 0, 0, 0)
        }
        return SIMD4(bytes[at * 4], bytes[at * 4 + 1], bytes[at * 4 + 2], bytes[at * 4 + 3])
    }

    private mutating func value(_ x: Double, _ y: Double) -> SIMD3<Float>? {
        guard let at = locate(x, y), case .values(let values) = block, (at + 1) * bands <= values.count else {
            return nil
        }
        let first = values[at * bands]
        if first.isNaN { return nil }
        return bands == 1 ? SIMD3(first, 0, 0) : SIMD3(first, values[at * 3 + 1], values[at * 3 + 2])
    }

    /// Returns the mean colour of the samples around a place.
    mutating func colour(around place: SIMD2<Double>, _ plan: GeoTIFF.TilePlan) -> SIMD4<UInt8> {
        if plan.samples == 1 { return colour(place.x, place.y) }
        var sum = SIMD4<Float>(repeating: 0)
        for at in offsets(plan) {
            let sample = SIMD4<Float>(colour(place.x + at.x, place.y + at.y))
            sum += SIMD4(sample.x, sample.y, sample.z, 1) * sample.w
        }
        guard sum.w > 0 else { return SIMD4(0, 0, 0, 0) }
        let count = Float(plan.samples * plan.samples), mean = (sum / sum.w).rounded(.toNearestOrAwayFromZero)
        return SIMD4(UInt8(mean.x), UInt8(mean.y), UInt8(mean.z), UInt8((sum.w / count).rounded()))
    }

    /// Returns the mean value of the samples around a place; nil if none has data.
    mutating func value(around place: SIMD2<Double>, _ plan: GeoTIFF.TilePlan) -> SIMD3<Float>? {
        if plan.samples == 1 { return value(place.x, place.y) }
        var sum = SIMD3<Float>(repeating: 0), count: Float = 0
        for at in offsets(plan) {
            guard let sample = value(place.x + at.x, place.y + at.y) else { continue }
            sum += sample
            count += 1
        }
        return count > 0 ? sum / count : nil
    }

    private func offsets(_ plan: GeoTIFF.TilePlan) -> [SIMD2<Double>] {
        let middle = Double(plan.samples - 1) / 2
        return (0..<plan.samples * plan.samples).map { at in
            SIMD2(Double(at % plan.samples) - middle, Double(at / plan.samples) - middle) * plan.step
        }
    }
}
