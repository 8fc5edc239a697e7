extension IndexedImage {
    /// Creates an image from an opaque picture.
    /// - Parameters:
    ///   - size: The size, at most that of the picture. Each pixel is the mean of the sub-cells that it
    ///     covers. nil for one pixel for each sub-cell.
    ///   - colours: The maximum number of colours, 2…256.
    ///   - bits: The number of bits to which channels are rounded, 1…8.
    ///   - tolerance: The largest difference in a channel for which a pixel may take the colour of its left
    ///     or upper neighbour. Equal neighbours need fewer bytes.
    public init(
        _ picture: Picture, size: PixelSize? = nil, colours: Int = 256, bits: Int = 8,
        tolerance: UInt8 = 0
    ) {
        let size = size ?? PixelSize(width: picture.width, height: picture.height)
        var hues =
            size.width == picture.width && size.height == picture.height
            ? picture.pixels.map(\.hue) : Self.means(of: picture, size)
        if bits < 8 { Self.round(&hues, bits: bits) }
        if tolerance > 0 { Self.join(&hues, width: size.width, tolerance: Int32(tolerance)) }
        self.init(width: size.width, height: size.height, hues: hues, colours: colours)
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

    /// Replaces colours by those of the left or upper neighbour if they hardly differ.
    private static func join(_ hues: inout [UInt32], width: Int, tolerance: Int32) {
        let limit = SIMD4<Int32>(repeating: tolerance)
        func isNear(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> Bool {
            let away = a &- b
            return all(away .<= limit) && all(away .>= 0 &- limit)
        }
        hues.withUnsafeMutableBufferPointer { hues in
            for at in hues.indices {
                let own = hues[at].channels
                if at % width > 0, isNear(hues[at - 1].channels, own) {
                    hues[at] = hues[at - 1]
                } else if at >= width, isNear(hues[at - width].channels, own) {
                    hues[at] = hues[at - width]
                }
            }
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

extension UInt32 {
    /// The channels of a colour 0xRRGGBB.
    @inline(__always) fileprivate var channels: SIMD4<Int32> {
        SIMD4(Int32(self >> 16 & 255), Int32(self >> 8 & 255), Int32(self & 255), 0)
    }
}
