/// A picture of height × width pixels in RGBA with 8 bits per channel, straight alpha and sRGB. The top row
/// comes first; rows have no padding. Never empty.
public struct Raster: Equatable, Sendable {
    /// The number of pixels across, at least 1.
    public let width: Int
    /// The number of pixels down, at least 1.
    public let height: Int
    /// The unpacked pixels; empty if the picture is packed into runs.
    private var bytes: [UInt8]
    private var runs: PixelRuns?
    /// True if every alpha is 255.
    public let isOpaque: Bool
    /// True if every alpha is 0.
    public let isClear: Bool

    /// A picture from its bytes; nil unless their number is `width * height * 4` and not 0.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0 else { return nil }
        let (area, tooWide) = width.multipliedReportingOverflow(by: height)
        let (bytes, tooLarge) = area.multipliedReportingOverflow(by: 4)
        guard !tooWide, !tooLarge, pixels.count == bytes else { return nil }
        self.init(width: width, height: height, trusted: pixels)
    }

    /// A picture of one colour.
    public init(width: Int, height: Int, filledWith colour: RGB) {
        precondition(width > 0 && height > 0, "a raster is never empty")
        var pixels = [UInt8](repeating: 255, count: width * height * 4)
        for at in stride(from: 0, to: pixels.count, by: 4) {
            pixels[at] = colour.red
            pixels[at + 1] = colour.green
            pixels[at + 2] = colour.blue
        }
        self.init(width: width, height: height, trusted: pixels)
    }

    /// One transparent pixel.
    public static let clear = Raster(width: 1, height: 1, trusted: [0, 0, 0, 0])

    private init(width: Int, height: Int, trusted pixels: [UInt8]) {
        self.width = width
        self.height = height
        bytes = pixels
        (isOpaque, isClear) = pixels.withUnsafeBytes { bytes in
            var all = UInt32.max, any = UInt32.zero
            for at in 0..<(bytes.count / 4) {
                let pixel = bytes.loadUnaligned(fromByteOffset: at * 4, as: UInt32.self)
                all &= pixel
                any |= pixel
            }
            return (all.littleEndian >> 24 == 255, any.littleEndian >> 24 == 0)
        }
    }

    /// The pixels, `width * height * 4` bytes; unpacked on each access if the picture is packed.
    public var pixels: [UInt8] { runs?.pixels ?? bytes }

    /// Returns the picture packed into less memory if it has large areas of one colour, as drawn maps and
    /// lines have. Otherwise returns it unchanged.
    public consuming func packed() -> Raster {
        guard !isClear, runs == nil,
            let packed = PixelRuns(bytes, width: width, height: height, isOpaque: isOpaque)
        else { return self }
        runs = packed
        SparePixels.give(bytes)
        bytes = []
        return self
    }

    /// Calls one of two closures, depending on how the pixels are stored.
    func withPixels<Result>(
        _ plain: (UnsafeBufferPointer<UInt8>) -> Result, packed: (PixelRuns) -> Result
    ) -> Result {
        if let runs { packed(runs) } else { bytes.withUnsafeBufferPointer(plain) }
    }

    /// Returns the picture in other colours. Changes it in place if it is not shared.
    /// - Parameter change: Changes colours, but not alpha.
    package consuming func recoloured(_ change: (UnsafeMutableBufferPointer<UInt8>) -> Void) -> Raster {
        if let runs { (bytes, self.runs) = (runs.pixels, nil) }
        bytes.withUnsafeMutableBufferPointer { change($0) }
        return self
    }

    /// Returns true if both share memory, without comparing pixels.
    public func isIdentical(to other: Raster) -> Bool {
        guard width == other.width, height == other.height else { return false }
        if let runs, let others = other.runs { return runs.isIdentical(to: others) }
        return runs == nil && other.runs == nil
            && bytes.withUnsafeBufferPointer { own in
                other.bytes.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
            }
    }

    /// Returns true if all pixels are equal, packed or not.
    public static func == (one: Raster, other: Raster) -> Bool {
        guard one.width == other.width, one.height == other.height else { return false }
        if let runs = one.runs, let others = other.runs { return runs == others }
        return one.pixels == other.pixels
    }

    /// The size in bytes for the limits of caches: that of the stored pixels, but for a packed map at least
    /// half of that of the unpacked ones, so that a cache that is full of maps takes little memory.
    public var byteCount: Int {
        let whole = width * height * 4
        return runs.map { isOpaque ? max($0.byteCount, whole / 2) : $0.byteCount } ?? whole
    }

    /// Returns the picture over a background of one colour, opaque.
    public func flattened(over background: RGB) -> Raster {
        guard !isOpaque else { return self }
        let behind = [Int(background.red), Int(background.green), Int(background.blue)]
        var flat = pixels
        for at in stride(from: 0, to: flat.count, by: 4) {
            let alpha = Int(flat[at + 3])
            guard alpha != 255 else { continue }
            for channel in 0..<3 {
                let mixed = Int(flat[at + channel]) * alpha + behind[channel] * (255 - alpha)
                flat[at + channel] = UInt8((mixed + 127) / 255)
            }
            flat[at + 3] = 255
        }
        return Raster(width: width, height: height, pixels: flat) ?? self
    }
}
