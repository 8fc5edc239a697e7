/// One row of cells, arranged for arithmetic on eight cells at once. It has a plane of numbers for each
/// sub-cell and channel. Each number is the colour × the sub-cell's share of the cell's area.
struct SubcellRow: ~Copyable {
    /// The number of cells, without padding to a multiple of eight.
    let columns: Int
    /// The number of cells including that padding.
    private let padded: Int
    private let values: UnsafeMutablePointer<Float>
    /// The opacity (0…255) of the most opaque sub-cell of each cell.
    private let coverage: UnsafeMutablePointer<Float>
    private let across: CellSubdivision
    private let down: CellSubdivision

    init(columns: Int, across: CellSubdivision, down: CellSubdivision) {
        self.columns = columns
        self.across = across
        self.down = down
        padded = (columns + 7) / 8 * 8
        let count = padded * across.count * down.count * 3
        values = .allocate(capacity: count)
        values.initialize(repeating: 0, count: count)
        coverage = .allocate(capacity: padded)
        coverage.initialize(repeating: 0, count: padded)
    }

    deinit {
        values.deallocate()
        coverage.deallocate()
    }

    /// Returns true if something was drawn in this cell.
    func isCovered(_ column: Int) -> Bool { coverage[column] > 0 }

    /// Loads a row of cells from a picture, over a background of one colour.
    func load(_ picture: borrowing Picture, row: Int, ground: RGB) {
        let ground = SIMD4(Float(ground.red), Float(ground.green), Float(ground.blue), 255)
        coverage.update(repeating: 0, count: padded)
        for strip in 0..<down.count {
            for side in 0..<across.count {
                loadPlane(picture, row: row, strip: strip, side: side, ground: ground)
            }
        }
    }

    private func loadPlane(
        _ picture: borrowing Picture, row: Int, strip: Int, side: Int, ground: SIMD4<Float>
    ) {
        let area = down.share(strip) * across.share(side)
        let red = plane(strip: strip, side: side)
        let green = red + padded
        let blue = green + padded
        let start = (row * down.count + strip) * picture.width + side
        picture.pixels.withUnsafeBufferPointer { pixels in
            var at = start
            for column in 0..<columns {
                let pixel = pixels[at]
                let colour = (pixel + ground * (1 - pixel.w * (1 / 255))) * area
                red[column] = colour.x
                green[column] = colour.y
                blue[column] = colour.z
                coverage[column] = max(coverage[column], pixel.w)
                at += across.count
            }
        }
    }

    /// Replaces every part by a mix of all parts of its cell.
    func blend(_ blend: SubcellBlend) {
        let count = across.count * down.count
        withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: count) { parts in
            for column in stride(from: 0, to: padded, by: 8) {
                for channel in 0..<3 {
                    let first = UnsafeMutableRawPointer(values + channel * padded + column)
                    let step = 3 * padded * MemoryLayout<Float>.stride
                    for at in 0..<count {
                        parts[at] = first.loadUnaligned(fromByteOffset: at * step, as: SIMD8<Float>.self)
                    }
                    for at in 0..<count {
                        var sum = SIMD8<Float>.zero
                        for other in 0..<count { sum += parts[other] * blend.weights[at * count + other] }
                        first.storeBytes(of: sum, toByteOffset: at * step, as: SIMD8<Float>.self)
                    }
                }
            }
        }
    }

    private func plane(strip: Int, side: Int) -> UnsafeMutablePointer<Float> {
        values + (strip * across.count + side) * 3 * padded
    }

    /// Returns the sum of colour × area over one sub-cell of a family, for eight cells from `column` on.
    @inline(__always)
    func sum(_ part: SubcellPart, column: Int) -> Colours {
        let step = padded * MemoryLayout<Float>.stride
        var sum = Colours()
        for strip in part.strips {
            for side in part.sides {
                let red = UnsafeRawPointer(plane(strip: strip, side: side) + column)
                sum.red += red.loadUnaligned(as: SIMD8<Float>.self)
                sum.green += red.loadUnaligned(fromByteOffset: step, as: SIMD8<Float>.self)
                sum.blue += red.loadUnaligned(fromByteOffset: 2 * step, as: SIMD8<Float>.self)
            }
        }
        return sum
    }

    /// Returns the colours of a cell's sub-cells, row by row.
    func colours(column: Int) -> [SIMD3<Float>] {
        (0..<(down.count * across.count)).map { at in
            let strip = at / across.count
            let side = at % across.count
            let red = plane(strip: strip, side: side) + column
            return SIMD3(red[0], red[padded], red[2 * padded]) / (down.share(strip) * across.share(side))
        }
    }

    /// Returns the mean colours of eight cells.
    func mean(column: Int) -> Colours {
        sum(SubcellPart(strips: 0..<down.count, sides: 0..<across.count), column: column)
    }
}

/// A rectangle of a cell's sub-cells.
struct SubcellPart: Sendable {
    var strips: Range<Int>
    var sides: Range<Int>

    /// Returns the parts that form the sub-cells of an evenly divided lattice, row by row.
    static func lattice(
        columns: Int, rows: Int, across: CellSubdivision, down: CellSubdivision
    ) -> [SubcellPart] {
        (0..<(rows * columns)).map { at in
            SubcellPart(
                strips: down.span(at / columns, of: rows),
                sides: across.span(at % columns, of: columns))
        }
    }
}

/// The colours of eight cells, channel by channel, 0…255.
struct Colours {
    var red = SIMD8<Float>.zero
    var green = SIMD8<Float>.zero
    var blue = SIMD8<Float>.zero

    /// Returns the colour of one of the eight cells.
    func channels(_ lane: Int) -> SIMD3<Float> { SIMD3(red[lane], green[lane], blue[lane]) }

    @inline(__always)
    static func + (a: Colours, b: Colours) -> Colours {
        Colours(red: a.red + b.red, green: a.green + b.green, blue: a.blue + b.blue)
    }

    @inline(__always)
    static func - (a: Colours, b: Colours) -> Colours {
        Colours(red: a.red - b.red, green: a.green - b.green, blue: a.blue - b.blue)
    }

    @inline(__always)
    static func * (a: Colours, b: SIMD8<Float>) -> Colours {
        Colours(red: a.red * b, green: a.green * b, blue: a.blue * b)
    }

    /// The sum of the squares of the three channels.
    @inline(__always)
    var squared: SIMD8<Float> { red * red + green * green + blue * blue }
}
