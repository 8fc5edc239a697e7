/// How strong the light and the shade of hills are.
public struct ReliefShades: Hashable, Sendable {
    /// 0…1: how much of a colour's light the steepest slope away from the light takes.
    public let shadow: Double
    /// 0…1: how far the steepest slope towards the light goes to white.
    public let light: Double

    /// - Parameters:
    ///   - shadow: 0…1, of slopes away from the light.
    ///   - light: 0…1, of slopes towards it.
    public init(shadow: Double, light: Double) { (self.shadow, self.light) = (shadow, light) }

    /// What becomes of each channel (0…255) under each grey: 256 channels for each of 256 greys.
    /// - Parameter strength: 0…1, of all of it.
    public func table(strength: Double) -> [UInt8] {
        (0..<256).flatMap { grey in
            let slope = ReliefTile.slope(grey)
            return (0..<256).map { channel in
                let value = Double(channel)
                let shaded = slope < 0
                    ? value * (1 + slope * shadow * strength)
                    : value + (255 - value) * slope * light * strength
                return UInt8(min(max(shaded.rounded(), 0), 255))
            }
        }
    }
}

/// A tile of a relief: how bright the light makes each place.
public struct ReliefTile: Sendable {
    /// The grey of flat ground.
    static let flat = 128
    /// Greys so near to it count as flat, so that plains and seas stay of one colour.
    private static let flatness = 5

    /// -1 for the steepest slope away from the light to 1 for the steepest towards it.
    static func slope(_ grey: Int) -> Double {
        let rise = grey - flat
        return Double(max(abs(rise) - flatness, 0)) / Double(128 - flatness) * (rise < 0 ? -1 : 1)
    }

    /// `side * side` greys, top row first.
    public let grey: [UInt8]
    private let side: Int

    /// - Parameter picture: square and grey; of others the red is taken, and the upper left square.
    public init(_ picture: Raster) {
        let side = min(picture.width, picture.height)
        self.side = side
        grey = (0..<side * side).map { picture.pixels[(($0 / side) * picture.width + $0 % side) * 4] }
    }

    /// A picture of the ground under light and shade.
    /// - Parameters:
    ///   - tile: what the picture shows: `data` or a descendant of it.
    ///   - data: the tile that this is.
    ///   - table: what becomes of each channel under each grey, as `ReliefShades` makes it.
    public func shading(_ picture: Raster, of tile: TileID, from data: TileID, _ table: [UInt8]) -> Raster {
        let levels = max(tile.zoom - data.zoom, 0)
        let rows = taps(of: picture.height, part: tile.y - (data.y << levels), levels: levels)
        let columns = taps(of: picture.width, part: tile.x - (data.x << levels), levels: levels)
        var pixels = picture.pixels
        pixels.withUnsafeMutableBufferPointer { pixels in
            var at = 0
            for row in rows {
                for column in columns {
                    let line = between(row, column) << 8
                    if line != ReliefTile.flat << 8 {
                        for channel in at..<(at + 3) { pixels[channel] = table[line | Int(pixels[channel])] }
                    }
                    at += 4
                }
            }
        }
        return Raster(width: picture.width, height: picture.height, pixels: pixels) ?? picture
    }

    /// Two neighbouring greys and the second's share, in 256ths.
    private struct Tap {
        let first: Int
        let second: Int
        let share: Int
    }

    /// Where each pixel along a side of a picture lies among the greys.
    private func taps(of count: Int, part: Int, levels: Int) -> [Tap] {
        (0..<count).map { pixel in
            let place = (Double(part) + (Double(pixel) + 0.5) / Double(count)) / Double(1 << levels) * Double(side) - 0.5
            let inside = min(max(place, 0), Double(side - 1))
            let first = Int(inside)
            return Tap(first: first, second: min(first + 1, side - 1), share: Int((inside - Double(first)) * 256))
        }
    }

    private func between(_ row: Tap, _ column: Tap) -> Int {
        func grey(_ line: Int) -> Int {
            let first = Int(self.grey[line * side + column.first]), second = Int(self.grey[line * side + column.second])
            return first * (256 - column.share) + second * column.share
        }
        return (grey(row.first) * (256 - row.share) + grey(row.second) * row.share + 32768) >> 16
    }
}
