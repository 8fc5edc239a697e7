internal import RhumbBase
public import RhumbCells

/// An encoding of heights in the colours of a raster.
public enum ElevationEncoding: Sendable, Hashable {
    /// Terrain-RGB: tenths of a metre above −10,000 m.
    case mapbox
    /// Metres and 1/256 metres above −32,768 m.
    case terrarium
    /// The sum of each channel, 0…255, times its factor, minus the base.
    case custom(red: Double, green: Double, blue: Double, base: Double)

    /// Parses the name used in TileJSON documents, archives and lists of sources.
    /// - Returns: nil for any other name.
    public init?(name: String) {
        switch name.lowercased() {
        case "mapbox", "terrainrgb", "terrain-rgb": self = .mapbox
        case "terrarium": self = .terrarium
        default: return nil
        }
    }

    /// The name used in lists of sources; nil for custom factors.
    public var name: String? {
        switch self {
        case .mapbox: "mapbox"
        case .terrarium: "terrarium"
        case .custom: nil
        }
    }

    /// Returns the height in metres that a colour encodes.
    public func metres(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Double {
        let (red, green, blue) = (Double(red), Double(green), Double(blue)), factors = factors
        return (red * factors.red + green * factors.green + blue * factors.blue) * factors.unit - factors.base
    }

    /// True if black encodes a height below every terrain. Such encodings have black where there are no data.
    fileprivate var isBlackMissing: Bool { factors.base >= Self.deepestBase }
    private static let deepestBase = 10_000.0

    /// The factors of the channels and of their sum, and the number that is subtracted at last.
    fileprivate var factors: (red: Double, green: Double, blue: Double, unit: Double, base: Double) {
        switch self {
        // Tenths of whole numbers, so that the sea is exactly at 0.
        case .mapbox: (65536, 256, 1, 0.1, 10_000)
        case .terrarium: (256, 1, 1.0 / 256, 1, 32_768)
        case .custom(let red, let green, let blue, let base): (red, green, blue, 1, base)
        }
    }
}

/// A grid of terrain heights, with rows from the north; never empty.
public struct ElevationGrid: Sendable {
    /// The number of samples in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// `width * height` heights in metres; NaN if unknown.
    public let metres: [Float]

    /// The greatest height or depth of a terrain. The highest mountain of the planets has 22 km; colours
    /// beyond are no heights.
    private static let limit: Float = 30_000

    /// Decodes the heights of a raster; NaN for transparent pixels, heights beyond 30 km, and black where it
    /// stands for missing data, as in terrain-RGB and Terrarium.
    public init(_ picture: Raster, _ encoding: ElevationEncoding) {
        let count = picture.width * picture.height
        let factors = encoding.factors, isBlackMissing = encoding.isBlackMissing
        let metres = picture.pixels.withUnsafeBufferPointer { pixels in
            [Float](unsafeUninitializedCapacity: count) { grid, filled in
                for sample in 0..<count {
                    let at = sample * 4
                    let sum =
                        Double(pixels[at]) * factors.red + Double(pixels[at + 1]) * factors.green
                        + Double(pixels[at + 2]) * factors.blue
                    let metres = Float(sum * factors.unit - factors.base)
                    let isMissing =
                        pixels[at + 3] == 0
                        || isBlackMissing && pixels[at] | pixels[at + 1] | pixels[at + 2] == 0
                    grid[sample] = isMissing || abs(metres) > Self.limit ? .nan : metres
                }
                filled = count
            }
        }
        self.init(width: picture.width, height: picture.height, metres: metres)
    }

    /// Creates a grid from `width * height` heights; NaN for unknown ones.
    package init(width: Int, height: Int, metres: [Float]) {
        self.width = width
        self.height = height
        self.metres = metres
    }

    /// True if any height is known.
    package var hasHeights: Bool { metres.contains { !$0.isNaN } }

    /// Returns the interpolated height between the centres of cells. Up to one cell beyond the edge, it
    /// extrapolates the slope, so that neighbouring grids meet.
    /// - Parameters:
    ///   - x: Columns from the centre of the north-western cell.
    ///   - y: Rows from the centre of the north-western cell.
    public func metres(x: Double, y: Double) -> Double {
        let right = Double(width - 1), bottom = Double(height - 1)
        let inX = min(max(x, 0), right), inY = min(max(y, 0), bottom)
        if x == inX && y == inY { return inside(x: x, y: y) }
        let mirrored = inside(x: min(max(2 * inX - x, 0), right), y: min(max(2 * inY - y, 0), bottom))
        return 2 * inside(x: inX, y: inY) - mirrored
    }

    private func inside(x: Double, y: Double) -> Double {
        let left = Int(x), top = Int(y)
        let right = min(left + 1, width - 1), bottom = min(top + 1, height - 1)
        let dx = x - Double(left), dy = y - Double(top)
        func cell(_ column: Int, _ row: Int) -> Double { Double(metres[row * width + column]) }
        let upper = dx == 0 ? cell(left, top) : cell(left, top) * (1 - dx) + cell(right, top) * dx
        if dy == 0 { return upper }
        let lower = dx == 0 ? cell(left, bottom) : cell(left, bottom) * (1 - dx) + cell(right, bottom) * dx
        return upper * (1 - dy) + lower * dy
    }

    /// Returns the interpolated heights at other positions of the same area.
    package func resampled(width: Int, height: Int) -> ElevationGrid {
        let size = SIMD2(Double(self.width), Double(self.height))
        return width == self.width && height == self.height
            ? self
            : resampled(
                width: width, height: height, from: SIMD2(0, 0),
                step: size / SIMD2(Double(width), Double(height)))
    }

    /// Returns the interpolated heights of cells of another size.
    /// - Parameters:
    ///   - start: The north-western corner of the first cell, in columns and rows from that of this grid.
    ///   - step: The size of a cell, in columns and rows of this grid.
    package func resampled(
        width: Int, height: Int, from start: SIMD2<Double>, step: SIMD2<Double>
    ) -> ElevationGrid {
        let heights = (0..<width * height).map { cell in
            let pixel = start + (SIMD2(Double(cell % width), Double(cell / width)) + 0.5) * step - 0.5
            return Float(metres(x: pixel.x, y: pixel.y))
        }
        return ElevationGrid(width: width, height: height, metres: heights)
    }

    /// Returns the rise to the east and to the south by Horn's method: eight times the rise over one cell;
    /// nil if a height is unknown.
    func rise(x: Double, y: Double) -> (east: Double, south: Double)? {
        let isInside = x >= 1 && y >= 1 && x < Double(width - 1) && y < Double(height - 1)
        let column = isInside ? Int(x) : 0, row = isInside ? Int(y) : 0
        let middle = isInside && Double(column) == x && Double(row) == y ? row * width + column : nil
        func at(_ dx: Int, _ dy: Int) -> Double {
            middle.map { Double(metres[$0 + dy * width + dx]) }
                ?? metres(x: x + Double(dx), y: y + Double(dy))
        }
        let a = at(-1, -1)
        let b = at(0, -1)
        let c = at(1, -1)
        let d = at(-1, 0)
        let f = at(1, 0)
        let g = at(-1, 1)
        let h = at(0, 1)
        let i = at(1, 1)
        let east = (c + 2 * f + i) - (a + 2 * d + g), south = (g + 2 * h + i) - (a + 2 * b + c)
        return east.isNaN || south.isNaN ? nil : (east, south)
    }
}
