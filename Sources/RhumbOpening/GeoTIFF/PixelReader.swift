/// Reads the pixels of decoded blocks.
struct PixelReader {
    private let level: TIFFLevel
    private let bands: Int
    private let hasAlpha: Bool
    /// The blocks by their row and column, because samples of strips with few rows change the block all the
    /// time: a dictionary took half of the time of a tile. Empty if they are too far apart.
    private let grid: [TIFFBlock]
    /// The blocks by their column and row if `grid` is empty.
    private let sparse: [SIMD2<Int>: TIFFBlock]
    private let firstBlock: SIMD2<Int>
    private let gridWidth: Int
    /// The block of the last pixel, its first pixel, and the pixels that it has in the level.
    private var block = TIFFBlock.empty
    private var corner = SIMD2(0, 0)
    private var columns = 0.0..<0.0, rows = 0.0..<0.0

    init(_ image: GeoTIFF, _ index: Int, _ blocks: [GeoTIFF.BlockID: TIFFBlock]) {
        level = image.levels[index]
        bands = image.bands.count
        hasAlpha = image.alpha != nil
        let ids = blocks.keys.map { SIMD2($0.column, $0.row) }
        let first = ids.reduce(ids.first ?? SIMD2(0, 0)) { SIMD2(min($0.x, $1.x), min($0.y, $1.y)) }
        let last = ids.reduce(first) { SIMD2(max($0.x, $1.x), max($0.y, $1.y)) }
        let size = last &- first &+ 1
        firstBlock = first
        gridWidth = size.x
        guard size.x * size.y <= 1 << 16 else {
            grid = []
            sparse = Dictionary(blocks.map { (SIMD2($0.key.column, $0.key.row), $0.value) }) { $1 }
            return
        }
        var grid = [TIFFBlock](repeating: .empty, count: size.x * size.y)
        for (id, block) in blocks { grid[(id.row - first.y) * size.x + id.column - first.x] = block }
        self.grid = grid
        sparse = [:]
    }

    /// Returns the index of a pixel in `block`; nil outside the level.
    private mutating func locate(_ x: Double, _ y: Double) -> Int? {
        if !columns.contains(x) || !rows.contains(y) {
            guard x >= 0, y >= 0, x < Double(level.width), y < Double(level.height) else { return nil }
            let id = SIMD2(Int(x) / level.blockWidth, Int(y) / level.blockHeight)
            corner = SIMD2(id.x * level.blockWidth, id.y * level.blockHeight)
            columns = Double(corner.x)..<Double(min(corner.x + level.blockWidth, level.width))
            rows = Double(corner.y)..<Double(min(corner.y + level.blockHeight, level.height))
            let at = id &- firstBlock
            if grid.isEmpty {
                block = sparse[id] ?? .empty
            } else if at.x >= 0, at.x < gridWidth, at.y >= 0, at.y * gridWidth + at.x < grid.count {
                block = grid[at.y * gridWidth + at.x]
            } else {
                block = .empty
            }
        }
        return (Int(y) - corner.y) * level.blockWidth + Int(x) - corner.x
    }

    private mutating func colour(_ x: Double, _ y: Double) -> SIMD4<UInt8> {
        guard let at = locate(x, y), case .colours(let bytes) = block, at * 4 + 4 <= bytes.count else {
            return SIMD4(0, 0, 0, 0)
        }
        return SIMD4(bytes[at * 4], bytes[at * 4 + 1], bytes[at * 4 + 2], bytes[at * 4 + 3])
    }

    /// Returns the values of a pixel, NaN where a band has no data, and its opacity; nil if no band has data.
    private mutating func value(_ x: Double, _ y: Double) -> SIMD4<Float>? {
        let step = bands + (hasAlpha ? 1 : 0)
        guard let at = locate(x, y), case .values(let values) = block, (at + 1) * step <= values.count else {
            return nil
        }
        let first = at * step, opacity = hasAlpha ? values[first + bands] : 1
        if bands == 1 { return values[first].isNaN ? nil : SIMD4(values[first], 0, 0, opacity) }
        let found = SIMD4(values[first], values[first + 1], values[first + 2], opacity)
        return found.x.isNaN && found.y.isNaN && found.z.isNaN ? nil : found
    }

    /// Returns a height interpolated between the centres of pixels, and its opacity; nil where the nearest
    /// pixel has no data. Other pixels without data have no weight, so that the data end without a wall, and
    /// where they end in the file.
    private mutating func height(_ x: Double, _ y: Double) -> SIMD4<Float>? {
        guard let nearest = value(x, y) else { return nil }
        let left = (x - 0.5).rounded(.down) + 0.5, top = (y - 0.5).rounded(.down) + 0.5
        let right = Float(x - left), lower = Float(y - top)
        var sum: Float = 0, weights: Float = 0
        func add(_ found: SIMD4<Float>?, _ weight: Float) {
            guard let found else { return }
            sum += found.x * weight
            weights += weight
        }
        add(value(left, top), (1 - right) * (1 - lower))
        if right > 0 { add(value(left + 1, top), right * (1 - lower)) }
        if lower > 0 { add(value(left, top + 1), (1 - right) * lower) }
        if right > 0, lower > 0 { add(value(left + 1, top + 1), right * lower) }
        return weights > 0 ? SIMD4(sum / weights, 0, 0, nearest.w) : nearest
    }

    /// Returns the mean colour of the samples around a place.
    mutating func colour(around position: SIMD2<Double>, _ plan: GeoTIFF.TilePlan) -> SIMD4<UInt8> {
        if plan.samples.count == 1 { return colour(position.x, position.y) }
        var sum = SIMD4<Float>(repeating: 0)
        for at in plan.samples {
            let sample = SIMD4<Float>(colour(position.x + at.x, position.y + at.y))
            sum += SIMD4(sample.x, sample.y, sample.z, 1) * sample.w
        }
        guard sum.w > 0 else { return SIMD4(0, 0, 0, 0) }
        // Adding 0.5 rounds, without a call of the C library for each channel.
        let mean = sum / sum.w + 0.5, opacity = sum.w / Float(plan.samples.count) + 0.5
        return SIMD4(UInt8(mean.x), UInt8(mean.y), UInt8(mean.z), UInt8(opacity))
    }

    /// Returns the mean values of the samples around a place, and their mean opacity; nil if none has data.
    mutating func value(around position: SIMD2<Double>, _ plan: GeoTIFF.TilePlan) -> SIMD4<Float>? {
        let isSmooth = plan.reach.count > 1
        if plan.samples.count == 1 {
            return isSmooth ? height(position.x, position.y) : value(position.x, position.y)
        }
        var sum = SIMD4<Double>(repeating: 0), weights = sum, count = 0.0
        for at in plan.samples {
            let x = position.x + at.x, y = position.y + at.y
            guard let found = isSmooth ? height(x, y) : value(x, y) else { continue }
            let sample = SIMD4<Double>(found), isUnknown = sample .!= sample
            sum += sample.replacing(with: 0, where: isUnknown) * sample.w
            weights += SIMD4(repeating: sample.w).replacing(with: 0, where: isUnknown)
            count += 1
        }
        guard weights.w > 0 else { return nil }
        var mean = SIMD4<Float>(sum / weights)
        mean.w = Float(weights.w / count)
        return mean
    }
}
