/// A picture with a palette of at most 256 colours. Never empty.
public struct IndexedImage: Equatable, Sendable {
    /// The number of pixels across, at least 1.
    public let width: Int
    /// The number of pixels down, at least 1.
    public let height: Int
    /// The colours, 1…256.
    public let palette: [RGB]
    /// The index of each pixel's colour, row by row from the top left.
    public let pixels: [UInt8]

    /// Creates an image; nil if the sizes don't match or an index is beyond the palette.
    public init?(width: Int, height: Int, palette: [RGB], pixels: [UInt8]) {
        guard width > 0, height > 0, pixels.count == width * height, (1...256).contains(palette.count),
            pixels.allSatisfy({ Int($0) < palette.count })
        else { return nil }
        self.init(width: width, height: height, trusted: palette, pixels)
    }

    init(width: Int, height: Int, trusted palette: [RGB], _ pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.palette = palette
        self.pixels = pixels
    }

    /// Creates an image from an opaque picture. Up to `colours` different colours are exact; more are
    /// reduced.
    /// - Parameter colours: The maximum number of colours, 2…256.
    public init(_ raster: Raster, colours: Int = 256) {
        let bytes = raster.pixels
        let hues = (0..<raster.width * raster.height).map { at -> UInt32 in
            RGB(red: bytes[4 * at], green: bytes[4 * at + 1], blue: bytes[4 * at + 2]).hex
        }
        self.init(width: raster.width, height: raster.height, hues: hues, colours: colours)
    }

    /// Creates an image from pixels as 0xRRGGBB.
    init(width: Int, height: Int, hues: [UInt32], colours: Int = 256) {
        let limit = min(max(colours, 2), 256)
        let (palette, pixels) =
            ExactPalette.indexed(hues, limit: limit) ?? MedianCut(hues, limit: limit).indexed(hues)
        self.init(width: width, height: height, trusted: palette, pixels)
    }

    /// The colour of a pixel.
    public subscript(row: Int, column: Int) -> RGB { palette[Int(pixels[row * width + column])] }

    /// Returns the image with all alphas 255.
    public var raster: Raster {
        var bytes = [UInt8](repeating: 255, count: pixels.count * 4)
        for (at, index) in pixels.enumerated() {
            let colour = palette[Int(index)]
            bytes[4 * at] = colour.red
            bytes[4 * at + 1] = colour.green
            bytes[4 * at + 2] = colour.blue
        }
        return Raster(width: width, height: height, pixels: bytes) ?? .clear
    }
}

/// The palette of a picture with few colours.
private enum ExactPalette {
    /// Returns the palette and the indices of the pixels; nil if there are more colours than the limit.
    static func indexed(_ hues: [UInt32], limit: Int) -> ([RGB], [UInt8])? {
        var palette: [RGB] = []
        // An open hash table of colours with their indices.
        var keys = [UInt32](repeating: .max, count: 1024), values = [UInt8](repeating: 0, count: 1024)
        var pixels = [UInt8](repeating: 0, count: hues.count)
        var last = UInt32.max, lastIndex: UInt8 = 0
        for at in hues.indices {
            let hue = hues[at]
            if hue != last {
                var slot = Int((hue &* 0x9E37_79B1) >> 22)
                while keys[slot] != hue && keys[slot] != .max { slot = (slot + 1) & 1023 }
                if keys[slot] == .max {
                    guard palette.count < limit else { return nil }
                    keys[slot] = hue
                    values[slot] = UInt8(palette.count)
                    palette.append(RGB(hue))
                }
                last = hue
                lastIndex = values[slot]
            }
            pixels[at] = lastIndex
        }
        return (palette, pixels)
    }
}

extension IndexedImage {
    /// Creates an image from an opaque picture.
    /// - Parameters:
    ///   - size: The size, at most that of the picture. Each pixel is the mean of the sub-cells that it
    ///     covers. nil for one pixel for each sub-cell.
    ///   - colours: The maximum number of colours, 2…256.
    ///   - bits: The number of bits to which channels are rounded, 1…8.
    ///   - tolerance: The largest difference in a channel for which a rare colour may become a frequent one
    ///     where the picture is smooth. 0 for exact colours, as far as there are few.
    public init(
        _ picture: Picture, size: PixelSize? = nil, colours: Int = 256, bits: Int = 8,
        tolerance: UInt8 = 0
    ) {
        let size = size ?? PixelSize(width: picture.width, height: picture.height)
        var hues =
            size.width == picture.width && size.height == picture.height
            ? picture.pixels.map(\.hue) : Self.means(of: picture, size)
        if bits < 8 { Self.round(&hues, bits: bits) }
        guard tolerance > 0 else {
            self.init(width: size.width, height: size.height, hues: hues, colours: colours)
            return
        }
        let (palette, pixels) = ColourMerger(hues, width: size.width).indexed(
            limit: min(max(colours, 2), 256), tolerance: tolerance)
        self.init(width: size.width, height: size.height, trusted: palette, pixels)
    }

    private static func means(of picture: Picture, _ size: PixelSize) -> [UInt32] {
        func parts(_ count: Int, _ whole: Int) -> [Range<Int>] {
            (0..<count).map { $0 * whole / count..<max(($0 + 1) * whole / count, $0 * whole / count + 1) }
        }
        let across = parts(size.width, picture.width)
        let down = parts(size.height, picture.height)
        var hues: [UInt32] = []
        hues.reserveCapacity(size.width * size.height)
        picture.pixels.withUnsafeBufferPointer { pixels in
            for rows in down {
                for columns in across {
                    var sum = SIMD4<Float>.zero
                    for row in rows {
                        for column in columns { sum += pixels[row * picture.width + column] }
                    }
                    hues.append((sum / Float(rows.count * columns.count)).hue)
                }
            }
        }
        return hues
    }

    private static func round(_ hues: inout [UInt32], bits: Int) {
        let most = (1 << max(bits, 1)) - 1
        let levels = (0...255).map { UInt32(($0 * most + 127) / 255 * 255 / most) }
        for at in hues.indices {
            let hue = hues[at]
            hues[at] =
                levels[Int(hue >> 16 & 255)] << 16 | levels[Int(hue >> 8 & 255)] << 8
                | levels[Int(hue & 255)]
        }
    }
}

extension SIMD4<Float> {
    /// The colour as 0xRRGGBB.
    fileprivate var hue: UInt32 {
        let whole = SIMD4<UInt32>(
            (self + 0.5).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
        return whole.x << 16 | whole.y << 8 | whole.z
    }
}
