internal import Glibc
public import RhumbBase
public import RhumbGeo

/// Day and night over a picture of the map.
extension Picture {
    /// The position of a picture in the world.
    public struct Ground: Sendable {
        /// The upper left corner and the size of a cell.
        let corner: WorldPoint, cell: (x: Double, y: Double)

        /// The position of a picture by its upper left corner and the size of its cells, as shares of the
        /// world.
        public init(corner: WorldPoint, cellWidth: Double, cellHeight: Double) {
            self.corner = corner
            cell = (cellWidth, cellHeight)
        }

        /// The position of the part of a view that starts at a column and a row.
        public init(_ view: Viewport, column: Int = 0, row: Int = 0) {
            corner = view.world(column: Double(column), row: Double(row))
            let next = view.world(column: Double(column + 1), row: Double(row + 1))
            cell = (next.x - corner.x, next.y - corner.y)
        }
    }

    /// Darkens the night, and lights its cities.
    /// - Parameter glow: The radius of lights, in sub-cells.
    public mutating func shade(by daylight: Daylight, over ground: Ground, _ theme: MapTheme, glow: Int = 0) {
        let stepX = ground.cell.x / Double(across.count)
        let stepY = ground.cell.y / Double(down.count)
        let easts = (0..<width).map { daylight.eastness(ground.corner.x + (Double($0) + 0.5) * stepX) }
        var nights = [Float](repeating: 0, count: width * height)
        for row in 0..<height {
            let parallel = daylight.row(ground.corner.y + (Double(row) + 0.5) * stepY)
            for column in 0..<width {
                let day = Daylight.share(sine: parallel.sine + parallel.cosine * easts[column])
                let at = row * width + column
                pixels[at] = shaded(pixels[at], Float(day), Float(daylight.strength), theme)
                nights[at] = Float((1 - day) * daylight.strength)
            }
        }
        for light in daylight.lights {
            let x = (light.point.x - ground.corner.x).truncatingRemainder(dividingBy: 1),
                turns = x < 0 ? x + 1 : x
            let row = Int(((light.point.y - ground.corner.y) / stepY).rounded(.down))
            for column in stride(
                from: Int((turns / stepX).rounded(.down)), to: width, by: max(Int((1 / stepX).rounded()), 1))
            {
                add(Float(light.strength), row, column, glow, nights)
            }
        }
    }

    private func shaded(
        _ colour: SIMD4<Float>, _ day: Float, _ strength: Float, _ theme: MapTheme
    ) -> SIMD4<Float> {
        let gains: (night: SIMD4<Float>, day: SIMD4<Float>), lifts: (night: SIMD4<Float>, day: SIMD4<Float>)
        switch theme {
        case .day:
            gains = (SIMD4(0.26, 0.31, 0.44, 1), SIMD4(repeating: 1))
            lifts = (SIMD4(2, 4, 14, 0), .zero)
        case .night:
            gains = (SIMD4(0.5, 0.5, 0.62, 1), SIMD4(1.5, 1.5, 1.45, 1))
            lifts = (.zero, SIMD4(16, 17, 14, 0))
        }
        let gain = gains.night + (gains.day - gains.night) * day,
            lift = lifts.night + (lifts.day - lifts.night) * day
        let lit = (colour * gain + lift).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        return colour + (lit - colour) * strength
    }

    private mutating func add(_ strength: Float, _ row: Int, _ column: Int, _ glow: Int, _ nights: [Float]) {
        let warm = SIMD4<Float>(255, 214, 130, 255), reach = Float(glow) * (0.4 + 0.6 * strength) + 0.5
        for y in max(row - glow, 0)..<max(min(row + glow + 1, height), max(row - glow, 0)) {
            for x in max(column - glow, 0)..<max(min(column + glow + 1, width), max(column - glow, 0)) {
                let far = hypotf(Float(x - column), Float(y - row))
                guard far < reach else { continue }
                let share =
                    (0.3 + 0.7 * strength * strength) * nights[y * width + x] * (1 - far / (reach + 0.5))
                pixels[y * width + x] += (warm - pixels[y * width + x]) * share
            }
        }
    }
}
