public import RhumbCells
public import RhumbGeo

/// The strength of the light and the shade in a relief.
public struct ReliefShades: Hashable, Sendable {
    /// The share of a colour's brightness that the steepest slope away from the light loses, 0…1.
    public let shadow: Double
    /// The share of white in the colour of the steepest slope towards the light, 0…1.
    public let light: Double

    /// Creates shades.
    /// - Parameters:
    ///   - shadow: Strength on slopes away from the light, 0…1.
    ///   - light: Strength on slopes towards the light, 0…1.
    public init(shadow: Double, light: Double) { (self.shadow, self.light) = (shadow, light) }

    /// Returns a lookup table of shaded channel values: 256 channel values for each of 256 greys.
    /// - Parameter strength: Overall strength, 0…1.
    public func table(strength: Double) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { table, count in
            for grey in 0..<256 {
                let slope = ReliefTile.slope(grey)
                for channel in 0..<256 {
                    let value = Double(channel)
                    let shaded =
                        slope < 0
                        ? value * (1 + slope * shadow * strength)
                        : value + (255 - value) * slope * light * strength
                    // `rounded` would call a function of the C library, which takes most of the time.
                    table[grey << 8 | channel] = UInt8(min(max(shaded + 0.5, 0), 255))
                }
            }
            count = 1 << 16
        }
    }
}

/// A tile of a relief: the brightness at each point.
public struct ReliefTile: Sendable {
    /// The grey of flat terrain.
    static let flat = 128
    /// Maximum difference of a grey that counts as flat, so that plains and seas have a uniform colour.
    private static let flatness = 5

    /// Returns the slope of a grey, from -1 for the steepest away from the light to 1 for the steepest
    /// towards it.
    static func slope(_ grey: Int) -> Double {
        let rise = grey - flat
        return Double(max(abs(rise) - flatness, 0)) / Double(128 - flatness) * (rise < 0 ? -1 : 1)
    }

    /// The greys with one more on each side, top row first. The outer ones repeat the tile's own until
    /// `joined` replaces them.
    public private(set) var grey: [UInt8]
    private let side: Int
    /// The number of greys along a side of `grey`.
    private var span: Int { side + 2 }

    /// Creates a tile from an image.
    /// - Parameter picture: A square grey image. For other images, the red channel of the upper left square
    ///   is used.
    public init(_ picture: Raster) {
        let side = min(picture.width, picture.height), span = side + 2
        self.side = side
        grey = [UInt8](unsafeUninitializedCapacity: span * span) { greys, filled in
            picture.pixels.withUnsafeBufferPointer { pixels in
                for row in 0..<span {
                    let line = min(max(row - 1, 0), side - 1) * picture.width
                    for column in 0..<span {
                        greys[row * span + column] = pixels[(line + min(max(column - 1, 0), side - 1)) * 4]
                    }
                }
            }
            filled = greys.count
        }
    }

    /// Applies light and shade to an image.
    /// - Parameters:
    ///   - tile: The tile of the image: `data` or a descendant of it.
    ///   - data: The tile of this relief.
    ///   - table: The lookup table from `ReliefShades`.
    ///   - flat: The colour of flat areas, which have no shade; nil for none.
    ///   - seen: The visible part of the image; nil for all of it.
    ///   - neighbour: Returns a tile beside this one; nil if there is none. Called only if the relief is
    ///     enlarged and pixels are nearer to the tile's edge than its outermost greys.
    public func shading(
        _ picture: consuming Raster, of tile: TileID, from data: TileID, _ table: [UInt8],
        flat: RGB? = nil, seen: PixelBox? = nil, neighbour: (TileID) -> ReliefTile? = { _ in nil }
    ) -> Raster {
        let flat = flat.map { UInt32($0.blue) << 16 | UInt32($0.green) << 8 | UInt32($0.red) }
        let width = picture.width, levels = max(tile.zoom - data.zoom, 0)
        let box = PixelBox(
            x: (seen?.x ?? 0..<width).clamped(to: 0..<width),
            y: (seen?.y ?? 0..<picture.height).clamped(to: 0..<picture.height))
        let rows = taps(box.y, of: picture.height, part: tile.y - (data.y << levels), levels: levels)
        let columns = taps(box.x, of: width, part: tile.x - (data.x << levels), levels: levels)
        let relief = levels > 0 ? joined(data, rows, columns, neighbour) : self
        return picture.recoloured { pixels in
            table.withUnsafeBufferPointer { table in
                columns.withUnsafeBufferPointer { columns in
                    withUnsafeTemporaryAllocation(of: Int32.self, capacity: span) { line in
                        for (row, y) in zip(rows, box.y) {
                            guard relief.blend(row, into: line) else { continue }
                            let start = (y * width + box.x.lowerBound) * 4
                            ReliefTile.shade(
                                .init(rebasing: pixels[start..<(start + columns.count * 4)]), columns, line,
                                table, flat)
                        }
                    }
                }
            }
        }
    }

    /// Returns the tile with the greys of its neighbours on those sides where taps use them.
    private func joined(
        _ data: TileID, _ rows: [Tap], _ columns: [Tap], _ neighbour: (TileID) -> ReliefTile?
    ) -> ReliefTile {
        var joined = self
        for down in beyond(rows) {
            // Beyond the northern and southern limit, the greys at the limit continue.
            let step = (0..<1 << data.zoom).contains(data.y + down) ? down : 0
            for right in beyond(columns) where (right, step) != (0, 0) {
                guard let id = TileID(zoom: data.zoom, wrappingX: data.x + right, y: data.y + step),
                    let other = neighbour(id), other.side == side
                else { continue }
                for row in shared(down) {
                    for column in shared(right) {
                        joined.grey[row * span + column] =
                            other.grey[(row - step * side) * span + column - right * side]
                    }
                }
            }
        }
        return joined
    }

    /// Returns the steps to the tiles whose greys taps use along a side: -1, 0 and 1.
    private func beyond(_ taps: [Tap]) -> [Int] {
        guard let first = taps.first?.first, let last = taps.last?.second else { return [] }
        return (first == 0 ? [-1] : []) + [0] + (last == span - 1 ? [1] : [])
    }

    /// Returns the rows or columns of greys that a tile has from the one at a step.
    private func shared(_ step: Int) -> ClosedRange<Int> {
        step == 0 ? 1...side : step < 0 ? 0...0 : side + 1...side + 1
    }

    /// Two neighbouring greys and the share of the second, in 1/256.
    private struct Tap {
        let first: Int32
        let second: Int32
        let share: Int32
    }

    /// Returns the taps for pixels along a side of an image.
    private func taps(_ pixels: Range<Int>, of count: Int, part: Int, levels: Int) -> [Tap] {
        pixels.map { pixel in
            let position =
                (Double(part) + (Double(pixel) + 0.5) / Double(count)) / Double(1 << levels) * Double(side)
                + 0.5
            let inside = min(max(position, 0), Double(side + 1))
            let first = min(Int32(inside), Int32(side))
            return Tap(first: first, second: first + 1, share: Int32((inside - Double(first)) * 256))
        }
    }

    /// Interpolates a line of greys between two rows, in 1/256.
    /// - Returns: True if any of them is not flat.
    private func blend(_ row: Tap, into line: UnsafeMutableBufferPointer<Int32>) -> Bool {
        let first = Int(row.first) * span, second = Int(row.second) * span
        return grey.withUnsafeBufferPointer { grey in
            var steepest: Int32 = 0
            for column in 0..<span {
                let blended =
                    Int32(grey[first + column]) &* (256 &- row.share) &+ Int32(grey[second + column])
                    &* row.share
                let rise = blended &- Int32(Self.flat) << 8
                steepest = max(steepest, max(rise, 0 &- rise))
                line[column] = blended
            }
            return steepest > Int32(Self.flatness) << 8
        }
    }

    /// Returns true if a grey, in 1/256, is flat.
    private static func isFlat(_ grey: Int32) -> Bool {
        abs(grey &- Int32(flat) << 8) <= Int32(flatness) << 8
    }

    /// Shades one row of pixels, except those of a colour.
    private static func shade(
        _ pixels: UnsafeMutableBufferPointer<UInt8>, _ columns: UnsafeBufferPointer<Tap>,
        _ line: UnsafeMutableBufferPointer<Int32>,
        _ table: UnsafeBufferPointer<UInt8>, _ flat: UInt32?
    ) {
        pixels.withMemoryRebound(to: UInt32.self) { pixels in
            for number in columns.indices {
                let column = columns[number]
                let first = line[Int(column.first)], second = line[Int(column.second)]
                if isFlat(first) && isFlat(second) { continue }
                let grey = (first &* (256 &- column.share) &+ second &* column.share &+ 32768) >> 16
                let shades = Int(grey) << 8, pixel = UInt32(littleEndian: pixels[number])
                if pixel & 0xFF_FFFF == flat { continue }
                let red = UInt32(table[shades | Int(pixel & 0xFF)])
                let green = UInt32(table[shades | Int(pixel >> 8 & 0xFF)])
                let blue = UInt32(table[shades | Int(pixel >> 16 & 0xFF)])
                pixels[number] = (pixel & 0xFF00_0000 | blue << 16 | green << 8 | red).littleEndian
            }
        }
    }
}
