public import RhumbCells

extension FlowColours {
    /// Returns the tile with each pixel in the ramp's colour of its level, at its own opacity. Pixels too
    /// faint to have a level become transparent.
    public func recoloured(_ raster: Raster, with ramp: TrafficRamp) -> Raster {
        var pixels = raster.pixels
        var memory = LevelMemory(self)
        for at in stride(from: 0, to: pixels.count, by: 4) {
            guard pixels[at + 3] != 0 else { continue }
            guard let level = memory.level(pixels, at) else {
                pixels[at + 3] = 0
                continue
            }
            let colour = ramp.colour(of: level)
            pixels[at] = colour.red
            pixels[at + 1] = colour.green
            pixels[at + 2] = colour.blue
        }
        return Raster(width: raster.width, height: raster.height, pixels: pixels) ?? raster
    }

    /// Returns the worst level with at least a fifth of the coloured pixels in an area, for the glyph of one
    /// cell; nil if no pixel is coloured.
    /// - Parameters:
    ///   - columns: Pixel columns from the left, clamped to the raster.
    ///   - rows: Pixel rows from the top, clamped to the raster.
    public func worstLevel(in raster: Raster, columns: Range<Int>, rows: Range<Int>) -> TrafficLevel? {
        let pixels = raster.pixels
        var memory = LevelMemory(self)
        var counts = [Int](repeating: 0, count: TrafficLevel.allCases.count)
        for row in rows.clamped(to: 0..<raster.height) {
            for column in columns.clamped(to: 0..<raster.width) {
                let at = 4 * (row * raster.width + column)
                if let level = memory.level(pixels, at) { counts[level.rawValue] += 1 }
            }
        }
        let least = max(counts.reduce(0, +) / 5, 1)
        return TrafficLevel.allCases.last { counts[$0.rawValue] >= least }
    }
}

/// A cache of levels by colour. A tile has few colours, and those that look the same share an entry.
private struct LevelMemory {
    private let colours: FlowColours
    private var levels: [UInt32: TrafficLevel] = [:]
    private var last: (colour: RGB, level: TrafficLevel?)?

    init(_ colours: FlowColours) { self.colours = colours }

    /// - Parameter at: Index of the first of the pixel's four bytes.
    mutating func level(_ pixels: [UInt8], _ at: Int) -> TrafficLevel? {
        guard pixels[at + 3] >= FlowColours.faintest else { return nil }
        let colour = RGB(red: pixels[at] & 0xFC, green: pixels[at + 1] & 0xFC, blue: pixels[at + 2] & 0xFC)
        if let last, colour == last.colour { return last.level }
        let level = levels[colour.hex] ?? colours.level(of: colour)
        levels[colour.hex] = level
        last = (colour, level)
        return level
    }
}
