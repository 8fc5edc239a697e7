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
