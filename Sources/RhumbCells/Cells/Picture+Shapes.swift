/// Lines and tints over an opaque picture. Positions are counted in sub-cells from the upper left corner.
extension Picture {
    /// Draws lines of one colour with smooth edges. Parts that overlap are not darker.
    /// - Parameters:
    ///   - lines: The corners of each line.
    ///   - width: The width of the lines in sub-cells.
    ///   - opacity: The opacity of the lines, 0…1.
    public mutating func stroke(
        _ lines: [[SIMD2<Float>]], width: Float, colour: RGB, opacity: Float = 1
    ) {
        var covers = [Float](repeating: 0, count: pixels.count)
        for line in lines {
            for (from, to) in zip(line, line.dropFirst()) {
                cover(from, to, reach: max(width, 0) / 2 + 0.5, &covers)
            }
        }
        for at in covers.indices where covers[at] > 0 { mix(at, colour, covers[at] * opacity) }
    }

    /// Raises the shares of the sub-cells that a straight line covers.
    /// - Parameter reach: The distance from the line at which the share is 0.
    private func cover(_ from: SIMD2<Float>, _ to: SIMD2<Float>, reach: Float, _ covers: inout [Float]) {
        let along = to - from, squared = (along * along).sum()
        let top = max(Int((min(from.y, to.y) - reach).rounded(.down)), 0)
        for y in top..<max(top, min(Int((max(from.y, to.y) + reach).rounded(.up)), height)) {
            let middle = Float(y) + 0.5
            // The part of the line that this row can touch.
            let ends =
                abs(along.y) < 0.01
                ? (from.x, to.x)
                : (end(middle - reach, from, along), end(middle + reach, from, along))
            let left = max(Int((min(ends.0, ends.1) - reach).rounded(.down)), 0)
            for x in left..<max(left, min(Int((max(ends.0, ends.1) + reach).rounded(.up)), width)) {
                let apart = SIMD2(Float(x) + 0.5, middle) - from
                let share = squared > 0 ? min(max((apart * along).sum() / squared, 0), 1) : 0
                let away = apart - along * share
                let covered = min(reach - (away * away).sum().squareRoot(), 1)
                if covered > covers[y * width + x] { covers[y * width + x] = covered }
            }
        }
    }

    /// Returns the x of a line at a height, or that of its nearer end.
    private func end(_ y: Float, _ from: SIMD2<Float>, _ along: SIMD2<Float>) -> Float {
        from.x + along.x * min(max((y - from.y) / along.y, 0), 1)
    }

    /// Mixes the sub-cells of a box with a colour.
    /// - Parameter share: The share of the colour, 0…1.
    public mutating func tint(columns: Range<Int>, rows: Range<Int>, colour: RGB, share: Float) {
        for y in rows.clamped(to: 0..<height) {
            for x in columns.clamped(to: 0..<width) { mix(y * width + x, colour, share) }
        }
    }

    /// Mixes the sub-cells of a circle with a colour.
    /// - Parameter share: The share of the colour, 0…1.
    public mutating func tintCircle(_ middle: SIMD2<Float>, radius: Float, colour: RGB, share: Float) {
        for y in Self.range(middle.y, radius, height) {
            for x in Self.range(middle.x, radius, width) {
                let apart = SIMD2(Float(x), Float(y)) + 0.5 - middle
                if (apart * apart).sum() <= radius * radius { mix(y * width + x, colour, share) }
            }
        }
    }

    /// Draws diagonal lines in a box of sub-cells.
    /// - Parameters:
    ///   - origin: The sum of a column and a row on a line, so that neighbouring pictures continue it.
    ///   - spacing: The distance of the lines along a row, at least 1.
    public mutating func hatch(columns: Range<Int>, rows: Range<Int>, origin: Int, spacing: Int, colour: RGB)
    {
        for y in rows.clamped(to: 0..<height) {
            for x in columns.clamped(to: 0..<width) {
                let apart = (x + y - origin) % spacing
                if apart == 0 || apart == 1 || apart == 1 - spacing { mix(y * width + x, colour, 0.8) }
            }
        }
    }

    private static func range(_ middle: Float, _ radius: Float, _ count: Int) -> Range<Int> {
        func bound(_ position: Float) -> Int { Int(min(max(position, 0), Float(count))) }
        let low = bound(middle - radius)
        return low..<max(low, bound(middle + radius + 1))
    }

    private mutating func mix(_ at: Int, _ colour: RGB, _ share: Float) {
        let new = SIMD4<Float>(Float(colour.red), Float(colour.green), Float(colour.blue), 255)
        pixels[at] += (new - pixels[at]) * share
    }
}
