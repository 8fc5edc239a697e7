internal import Glibc
internal import RhumbCore

/// A transparent tile for drawing antialiased lines and discs.
struct TileCanvas {
    let side: Int
    private let box: WorldBox
    private var pixels: [UInt8]

    /// - Parameter side: The width and height in pixels.
    init(_ tile: TileID, side: Int) {
        self.side = side
        box = tile.box
        pixels = [UInt8](repeating: 0, count: side * side * 4)
    }

    var raster: Raster? { Raster(width: side, height: side, pixels: pixels) }

    /// Converts world coordinates to pixels from the top-left corner.
    func pixel(_ point: WorldPoint) -> SIMD2<Double> {
        let scale = Double(side) / (box.maxX - box.minX)
        return SIMD2((point.x - box.minX) * scale, (point.y - box.minY) * scale)
    }

    /// Draws a line with round ends.
    /// - Parameter width: The width in pixels.
    mutating func line(from a: SIMD2<Double>, to b: SIMD2<Double>, width: Double, _ colour: RGB) {
        let reach = width / 2 + 1
        let way = b - a, square = max((way * way).sum(), 1e-12)
        for row in rows(min(a.y, b.y) - reach, max(a.y, b.y) + reach) {
            for column in rows(min(a.x, b.x) - reach, max(a.x, b.x) + reach) {
                let from = SIMD2(Double(column) + 0.5, Double(row) + 0.5) - a
                let share = min(max((from * way).sum() / square, 0), 1)
                let away = from - way * share
                let cover = width / 2 + 0.5 - (away * away).sum().squareRoot()
                cover > 0 ? paint(column, row, colour, min(cover, 1)) : ()
            }
        }
    }

    mutating func disc(at center: SIMD2<Double>, radius: Double, _ colour: RGB) {
        line(from: center, to: center, width: 2 * radius, colour)
    }

    private func rows(_ low: Double, _ high: Double) -> Range<Int> {
        let first = Int(max(low, 0)), last = Int(min(max(high.rounded(.up), 0), Double(side)))
        return first..<max(first, last)
    }

    /// Blends a colour into a pixel, with straight alpha.
    private mutating func paint(_ column: Int, _ row: Int, _ colour: RGB, _ cover: Double) {
        let at = 4 * (row * side + column)
        let below = Double(pixels[at + 3]) / 255 * (1 - cover)
        let total = cover + below
        for (channel, value) in [colour.red, colour.green, colour.blue].enumerated() {
            let mixed = (Double(value) * cover + Double(pixels[at + channel]) * below) / total
            pixels[at + channel] = UInt8(mixed.rounded())
        }
        pixels[at + 3] = UInt8((total * 255).rounded())
    }
}
