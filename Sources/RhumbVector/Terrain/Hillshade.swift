internal import Glibc
internal import RhumbBase
public import RhumbCells
public import RhumbGeo

/// Hillshading as defined for hillshade layers in the style specification.
public struct Hillshade: Sendable, Hashable {
    /// The direction of the light source, in degrees clockwise from north.
    public var direction = 335.0
    /// The strength of the shading, 0…1.
    public var exaggeration = 0.5
    /// The colour of slopes that face away from the light.
    public var shadow = StyleColour.black
    /// The colour of slopes that face the light.
    public var highlight = StyleColour(red: 1, green: 1, blue: 1)
    /// The colour of steep slopes in any direction.
    public var accent = StyleColour.black

    /// Creates hillshading with light from the north-west, the specification's default.
    public init() {}

    /// Renders the shading of a tile on a transparent background.
    /// - Parameters:
    ///   - grid: The heights of the tile `data`, which is `tile` or an ancestor of it, or of a part of it
    ///     with a border.
    ///   - side: Size of the image in pixels, 1 or more.
    ///   - size: The numbers of columns and rows of `data`; nil for those of the grid.
    ///   - corner: The first column and row of the grid, counted from the first sample of `data`.
    public func picture(
        of tile: TileID, from data: TileID, _ grid: ElevationGrid, side: Int, size: SIMD2<Int>? = nil,
        corner: SIMD2<Int> = SIMD2(0, 0)
    ) -> Raster? {
        let parts = Double(1 << max(tile.zoom - data.zoom, 0)), size = size ?? SIMD2(grid.width, grid.height)
        let part = SIMD2(Double(tile.x) - Double(data.x) * parts, Double(tile.y) - Double(data.y) * parts)
        let step = SIMD2(Double(size.x), Double(size.y)) / (parts * Double(side))
        func position(_ pixel: Int, _ axis: Int) -> Double {
            (Double(pixel) + 0.5 + part[axis] * Double(side)) * step[axis]
        }
        let shades = Shades(self)
        var slopes = SlopeRow(of: grid, at: (0..<side).map { position($0, 0) - 0.5 - Double(corner.x) })
        var pixels = [UInt8](repeating: 0, count: side * side * 4)
        for row in 0..<side {
            let y = position(row, 1)
            let scale = Hillshade.scale(of: data, cells: size.x, south: y / Double(size.y))
            slopes.move(to: y - 0.5 - Double(corner.y))
            shades.write(slopes, scale: Float(scale), to: &pixels, at: row * side * 4)
        }
        return Raster(width: side, height: side, pixels: pixels)
    }

    /// Returns the factor from the rise over a tile's cells to the slope. Exaggerates slopes at low zooms,
    /// where hills would be invisible otherwise.
    /// - Parameter south: The position in the tile, 0…1. One factor for the tile would be a step at its
    ///   southern border.
    static func scale(of tile: TileID, cells: Int, south: Double) -> Double {
        let zoom = Double(tile.zoom)
        let stretch = zoom < 2 ? 0.4 : zoom < 4.5 ? 0.35 : 0.3
        let lift = zoom < 15 ? (zoom - 15) * stretch : 0
        let place = WorldPoint(x: 0, y: (Double(tile.y) + south) / exp2(zoom))
        let latitude = Mercator.coordinate(place).latitude * .pi / 180
        return Double(cells) / exp2(lift + 28.2562 - zoom) / cos(latitude)
    }

    /// Returns the shade of a slope from its rise to the east and to the south.
    public func colour(east: Double, south: Double) -> StyleColour {
        let shade = Shades(self).colour(east: east, south: south)
        guard shade.w > 0 else { return .clear }
        return StyleColour(
            red: shade.x / shade.w, green: shade.y / shade.w, blue: shade.z / shade.w, alpha: shade.w)
    }
}

/// The shades of slopes, with everything computed that all pixels share.
private struct Shades {
    private let strength: Double
    /// The light's direction in half turns, with the offset that the specification adds.
    private let turn: Double
    /// The colours: red, green and blue times alpha, and alpha.
    private let shadow: SIMD4<Double>
    private let contrast: SIMD4<Double>
    private let accent: SIMD4<Double>

    init(_ hills: Hillshade) {
        func multiplied(_ colour: StyleColour) -> SIMD4<Double> {
            SIMD4(SIMD3(colour.red, colour.green, colour.blue) * colour.alpha, colour.alpha)
        }
        strength = min(max(hills.exaggeration, 0), 1)
        turn = hills.direction / 180 + 1.5
        shadow = multiplied(hills.shadow)
        contrast = multiplied(hills.highlight) - shadow
        accent = multiplied(hills.accent)
    }

    /// Returns red, green and blue times alpha, and alpha.
    func colour(east: Double, south: Double) -> SIMD4<Double> {
        let tilt = tilt(0.625 * (east * east + south * south).squareRoot()), amount = min(1, 2 * strength)
        let aspect = east != 0 ? atan2(south, -east) : south > 0 ? .pi / 2 : -.pi / 2
        let turned = aspect / .pi + turn
        let share = abs(turned - 2 * (turned / 2).rounded(.down) - 1)
        let above = (shadow + contrast * share) * (tilt.sine * amount)
        return accent * ((1 - tilt.cosine) * amount) * (1 - above.w) + above
    }

    /// Returns the sine and the cosine of the exaggerated angle of a slope.
    private func tilt(_ slope: Double) -> (sine: Double, cosine: Double) {
        if strength == 0.5 {
            // The angle is not exaggerated.
            let cosine = 1 / (1 + slope * slope).squareRoot()
            return (slope * cosine, cosine)
        }
        let base = 1.875 - 1.75 * strength
        let angle = (pow(base, atan(slope)) - 1) / (pow(base, .pi / 2) - 1) * .pi / 2
        return (sin(angle), cos(angle))
    }

    /// Writes the colours of a row of slopes, eight at once, which takes an eighth of the time of one by one.
    /// - Parameters:
    ///   - scale: The factor from the rise over a cell to the slope.
    ///   - start: The first byte of the row.
    func write(_ slopes: SlopeRow, scale: Float, to pixels: inout [UInt8], at start: Int) {
        for first in stride(from: 0, to: slopes.count, by: SlopeRow.lanes) {
            let rise = slopes.rise(at: first), isKnown = rise.east .== rise.east .& rise.south .== rise.south
            let colours = colours(
                east: rise.east.replacing(with: 0, where: .!isKnown) * scale,
                south: rise.south.replacing(with: 0, where: .!isKnown) * scale)
            let count = min(SlopeRow.lanes, slopes.count - first)
            pixels.withUnsafeMutableBytes { pixels in
                if count == SlopeRow.lanes {
                    pixels.storeBytes(of: colours, toByteOffset: start + first * 4, as: SIMD8<UInt32>.self)
                } else {
                    for lane in 0..<count {
                        pixels.storeBytes(
                            of: colours[lane], toByteOffset: start + (first + lane) * 4, as: UInt32.self)
                    }
                }
            }
        }
    }

    /// Returns the colours of slopes, red in the lowest byte and alpha in the highest; 0 on flat ground.
    private func colours(east: SIMD8<Float>, south: SIMD8<Float>) -> SIMD8<UInt32> {
        typealias Lanes = SIMD8<Float>
        let slope = (east * east + south * south).squareRoot() * 0.625
        var cosine = 1 / (1 + slope * slope).squareRoot(), sine = slope * cosine
        if strength != 0.5 {
            for lane in slope.indices {
                let tilt = tilt(Double(slope[lane]))
                (sine[lane], cosine[lane]) = (Float(tilt.sine), Float(tilt.cosine))
            }
        }
        let amount = Float(min(1, 2 * strength)), light = sine * amount, steep = (1 - cosine) * amount
        let turned = Self.halfTurns(x: -east, y: south) + Float(turn)
        let wave = turned - 2 * (turned / 2).rounded(.down) - 1
        let share = wave.replacing(with: -wave, where: wave .< 0)
        /// Returns a channel times alpha of the two colours between which the direction decides.
        func above(_ channel: Int) -> Lanes {
            (Float(shadow[channel]) + Float(contrast[channel]) * share) * light
        }
        let rest = steep * (1 - above(3))
        func channel(_ channel: Int) -> Lanes { Float(accent[channel]) * rest + above(channel) }
        /// Returns values of 0…1 as 0…255. The last bits of floating-point numbers from 2^23 count ones.
        func bytes(_ values: Lanes) -> SIMD8<UInt32> {
            let limited = values.clamped(lowerBound: Lanes(), upperBound: Lanes(repeating: 1))
            return unsafeBitCast(limited * 255 + 8_388_608, to: SIMD8<UInt32>.self) & 255
        }
        let alpha = channel(3), isVisible = alpha .> 0
        let divisor = alpha.replacing(with: 1, where: .!isVisible)
        let red = bytes(channel(0) / divisor), green = bytes(channel(1) / divisor)
        let blue = bytes(channel(2) / divisor)
        let colours = red | green &<< 8 | blue &<< 16 | bytes(alpha) &<< 24
        return colours.replacing(with: 0, where: .!isVisible)
    }

    /// Returns the angles of directions in half turns, −1…1, exact to a hundred-thousandth.
    private static func halfTurns(x: SIMD8<Float>, y: SIMD8<Float>) -> SIMD8<Float> {
        let across = x.replacing(with: -x, where: x .< 0), along = y.replacing(with: -y, where: y .< 0)
        let isSteep = along .> across
        let longer = across.replacing(with: along, where: isSteep)
        let shorter = along.replacing(with: across, where: isSteep)
        let ratio = shorter / longer.replacing(with: 1, where: longer .== 0), square = ratio * ratio
        // The polynomial of this degree that is nearest to the arc tangent for ratios up to 1, divided by π.
        var angle = (0.006_635_00 * square - 0.027_105_74) * square + 0.057_346_25
        angle = ((angle * square - 0.105_139_29) * square + 0.318_267_34) * ratio
        angle = angle.replacing(with: 0.5 - angle, where: isSteep)
        angle = angle.replacing(with: 1 - angle, where: x .< 0)
        return angle.replacing(with: -angle, where: y .< 0)
    }
}

/// The rises of a row of pixels over a grid of heights, by Horn's method.
///
/// Rises between the samples are interpolated from those at the samples, which are the same as the rises of
/// interpolated heights, because both are linear.
private struct SlopeRow {
    /// The number of rises that are read at once.
    static let lanes = 8

    let count: Int
    private let grid: ElevationGrid
    /// The positions of the pixels, in columns from the first sample.
    private let columns: [Double]
    /// The pixels between samples whose eight neighbours are in the grid.
    private let inner: Range<Int>
    /// The sample before each of those pixels, and the share of the sample after it.
    private let samples: [(at: Int, next: Int, share: Float)]
    /// The other pixels.
    private let outer: [Int]
    /// The rises at the pixels; unknown ones are NaN.
    private var east: [Float]
    private var south: [Float]
    /// The rises at the samples of two rows.
    private var known: [Int: Samples] = [:]

    private struct Samples {
        var east: [Float]
        var south: [Float]
    }

    /// - Parameter columns: The positions of the pixels, ascending, in columns from the first sample.
    init(of grid: ElevationGrid, at columns: [Double]) {
        self.grid = grid
        self.columns = columns
        count = columns.count
        let first = columns.firstIndex { $0 >= 1 } ?? count
        let last = columns.lastIndex { $0 <= Double(grid.width - 2) } ?? -1
        let inner = first..<max(last + 1, first)
        self.inner = inner
        outer = (0..<count).filter { !inner.contains($0) }
        samples = columns[inner].map { column in
            let at = Int(column), share = Float(column - Double(at))
            return (at, share > 0 ? at + 1 : at, share)
        }
        let padded = (count + Self.lanes - 1) / Self.lanes * Self.lanes
        east = [Float](repeating: .nan, count: padded)
        south = east
    }

    /// Returns the rises of eight pixels to the east and to the south.
    func rise(at first: Int) -> (east: SIMD8<Float>, south: SIMD8<Float>) {
        func lanes(_ values: [Float]) -> SIMD8<Float> {
            values.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: first * MemoryLayout<Float>.size, as: SIMD8<Float>.self)
            }
        }
        return (lanes(east), lanes(south))
    }

    /// Finds the rises of another row.
    /// - Parameter y: The position of the row, in rows from the first sample.
    mutating func move(to y: Double) {
        let isInner = y >= 1 && y <= Double(grid.height - 2)
        for pixel in isInner ? outer : Array(0..<count) {
            let rise = grid.rise(x: columns[pixel], y: y)
            east[pixel] = rise.map { Float($0.east) } ?? .nan
            south[pixel] = rise.map { Float($0.south) } ?? .nan
        }
        guard isInner, !inner.isEmpty else { return }
        let row = Int(y), share = Float(y - Double(row))
        known = known.filter { $0.key == row || $0.key == row + 1 }
        let upper = samples(in: row)
        interpolate(upper.east, into: &east)
        interpolate(upper.south, into: &south)
        guard share > 0 else { return }
        let lower = samples(in: row + 1)
        let above = (east, south)
        interpolate(lower.east, into: &east)
        interpolate(lower.south, into: &south)
        for pixel in inner {
            east[pixel] = above.0[pixel] * (1 - share) + east[pixel] * share
            south[pixel] = above.1[pixel] * (1 - share) + south[pixel] * share
        }
    }

    private func interpolate(_ values: [Float], into row: inout [Float]) {
        values.withUnsafeBufferPointer { values in
            for (offset, sample) in samples.enumerated() {
                let value = values[sample.at]
                row[inner.lowerBound + offset] = value + (values[sample.next] - value) * sample.share
            }
        }
    }

    /// Returns the rises at the samples of a row, except its ends.
    private mutating func samples(in row: Int) -> Samples {
        if let samples = known[row] { return samples }
        let width = grid.width
        var samples = Samples(
            east: [Float](repeating: .nan, count: width), south: [Float](repeating: .nan, count: width))
        grid.metres.withUnsafeBufferPointer { metres in
            let above = (row - 1) * width, here = row * width, below = (row + 1) * width
            for column in 1..<width - 1 {
                let northEast = metres[above + column + 1] - metres[below + column - 1]
                let northWest = metres[above + column - 1] - metres[below + column + 1]
                samples.east[column] =
                    northEast - northWest + 2 * (metres[here + column + 1] - metres[here + column - 1])
                samples.south[column] =
                    -northEast - northWest + 2 * (metres[below + column] - metres[above + column])
            }
        }
        known[row] = samples
        return samples
    }
}
