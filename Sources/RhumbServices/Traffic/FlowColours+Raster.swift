public import RhumbCells

extension FlowColours {
    /// A tile with every pixel that says something in the colour of its level, as opaque as it
    /// was; the faint rest is made wholly transparent.
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

    /// Returns the worst level that a fifth or more of the coloured pixels of an area have, for the glyph of
    /// a cell; nil for an area without coloured pixels.
    /// - Parameters:
    ///   - columns: The columns of the area, from the left; those outside the raster are ignored.
    ///   - rows: The rows of the area, from the top.
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

/// Levels already looked up; a tile has few colours, and what differs less than the eye sees counts
/// as one.
private struct LevelMemory {
    private let colours: FlowColours
    private var levels: [UInt32: TrafficLevel] = [:]
    private var last: (colour: RGB, level: TrafficLevel?)?

    init(_ colours: FlowColours) { self.colours = colours }

    /// - Parameter at: where the pixel's four bytes begin.
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
