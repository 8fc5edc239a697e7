/// The layout of raw pixels.
public enum PixelFormat: String, Sendable, CaseIterable {
    case rgba = "RGBA"
    case bgra = "BGRA"
    case argb = "ARGB"
    /// Three bytes, opaque.
    case rgb = "RGB"
    /// Two bytes, opaque, little-endian: red in the five highest bits, then six of green and five of blue.
    case rgb565 = "RGB565"
    /// One byte, opaque.
    case grey = "grey"

    /// `rgba`, under the name that says its bits.
    public static let rgba8888 = PixelFormat.rgba
    /// `bgra`, under the name that says its bits.
    public static let bgra8888 = PixelFormat.bgra
    /// `argb`, under the name that says its bits.
    public static let argb8888 = PixelFormat.argb
    /// `rgb`, under the name that says its bits.
    public static let rgb888 = PixelFormat.rgb

    /// The size of a pixel in bytes.
    public var bytesPerPixel: Int {
        switch self {
        case .rgba, .bgra, .argb: 4
        case .rgb: 3
        case .rgb565: 2
        case .grey: 1
        }
    }

    /// Returns pixels of this format as RGBA. An incomplete last pixel is dropped.
    func rgba(_ pixels: [UInt8]) -> [UInt8] {
        guard self != .rgba else { return pixels }
        let size = bytesPerPixel, count = pixels.count / size
        return Array(unsafeUninitializedCapacity: count * 4) { buffer, length in
            for pixel in 0..<count {
                let colour = colour(of: pixels, at: pixel * size)
                buffer[pixel * 4] = colour.red
                buffer[pixel * 4 + 1] = colour.green
                buffer[pixel * 4 + 2] = colour.blue
                buffer[pixel * 4 + 3] = colour.alpha
            }
            length = count * 4
        }
    }

    private func colour(
        of bytes: [UInt8], at start: Int
    ) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        func byte(_ offset: Int) -> UInt8 { bytes[start + offset] }
        switch self {
        case .rgba: return (byte(0), byte(1), byte(2), byte(3))
        case .bgra: return (byte(2), byte(1), byte(0), byte(3))
        case .argb: return (byte(1), byte(2), byte(3), byte(0))
        case .rgb: return (byte(0), byte(1), byte(2), 255)
        case .grey: return (byte(0), byte(0), byte(0), 255)
        case .rgb565:
            let word = UInt16(byte(1)) << 8 | UInt16(byte(0))
            let red = UInt8(word >> 11), green = UInt8(word >> 5 & 63), blue = UInt8(word & 31)
            // The highest bits fill the lowest, so that the largest value becomes 255.
            return (red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2, 255)
        }
    }
}
