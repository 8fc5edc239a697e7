public import Rhumb

/// A small generated PNG of any colour type, depth and interlacing, together with the pixels expected from
/// decoding it.
public struct PNGFixture: Sendable, CustomStringConvertible {
    public enum ColourType: UInt8, Sendable, CaseIterable {
        case grey = 0
        case trueColour = 2
        case indexed = 3
        case greyAlpha = 4
        case trueColourAlpha = 6

        /// The bit depths that the standard allows.
        public var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .indexed: [1, 2, 4, 8]
            case .trueColour, .greyAlpha, .trueColourAlpha: [8, 16]
            }
        }

        var channels: Int {
            switch self {
            case .grey, .indexed: 1
            case .greyAlpha: 2
            case .trueColour: 3
            case .trueColourAlpha: 4
            }
        }
    }

    public var width: Int
    public var height: Int
    public var colour: ColourType
    public var depth: Int
    /// True for Adam7 interlacing.
    public var isInterlaced = false
    /// True to add a tRNS chunk. An indexed image gets the alpha of all entries but the last, other images
    /// the colour of the top left pixel.
    public var hasTransparency = false
    /// The filters of the rows (0…4), repeated from the top of each pass.
    public var filters: [UInt8] = [0]

    public init(_ colour: ColourType, depth: Int, width: Int, height: Int) {
        self.colour = colour
        self.depth = depth
        self.width = width
        self.height = height
    }

    public var description: String {
        "\(colour) \(depth)-bit \(width)×\(height)" + (isInterlaced ? " interlaced" : "")
            + (hasTransparency ? " with tRNS" : "")
    }

    /// Returns all 15 combinations of colour type and depth in the standard.
    public static func allCombinations(width: Int, height: Int) -> [PNGFixture] {
        ColourType.allCases.flatMap { colour in
            colour.depths.map { PNGFixture(colour, depth: $0, width: width, height: height) }
        }
    }

    /// Returns the sample of one channel as stored in the file, from 0 to 2^depth - 1.
    public func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        let noise = (x * 40503 + y * 30011 + x * y * 7919 + channel * 21001 + 12345) & 0xFFFF
        return noise >> (16 - depth)
    }

    /// The colours of the palette, as many as the depth can address.
    public var palette: [RGB] {
        (0..<(1 << min(depth, 8))).map { RGB(UInt32($0 * 0x3A7B15 + 0x1080F0) & 0xFFFFFF) }
    }

    func paletteAlpha(_ entry: Int) -> UInt8 {
        hasTransparency && entry < palette.count - 1 ? UInt8((entry * 53 + 7) & 255) : 255
    }

    /// The decoded image as RGBA with 8 bits per channel.
    public var expected: [UInt8] {
        let palette = palette
        return (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y, palette) } }
    }

    private func pixel(_ x: Int, _ y: Int, _ palette: [RGB]) -> [UInt8] {
        let samples = (0..<colour.channels).map { sample(x, y, $0) }
        let bytes = samples.map(byte)
        let isKey = hasTransparency && samples == (0..<colour.channels).map { sample(0, 0, $0) }
        switch colour {
        case .grey: return [bytes[0], bytes[0], bytes[0], isKey ? 0 : 255]
        case .greyAlpha: return [bytes[0], bytes[0], bytes[0], bytes[1]]
        case .trueColour: return bytes + [isKey ? 0 : 255]
        case .trueColourAlpha: return bytes
        case .indexed:
            let entry = palette[samples[0]]
            return [entry.red, entry.green, entry.blue, paletteAlpha(samples[0])]
        }
    }

    /// Returns the sample scaled to 0…255, or the high byte of a 16-bit sample.
    private func byte(_ sample: Int) -> UInt8 {
        depth == 16 ? UInt8(sample >> 8) : UInt8(sample * 255 / ((1 << depth) - 1))
    }
}
