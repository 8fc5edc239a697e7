public import RhumbBase
public import RhumbCells

/// An image of a style's sprite.
public struct StyleImage: Sendable, Equatable {
    /// The pixels.
    public let raster: Raster
    /// The number of image pixels per pixel of the style.
    public let pixelRatio: Double

    /// Creates an image. Clamps the pixel ratio to 0.25…8.
    public init(_ raster: Raster, pixelRatio: Double = 1) {
        self.raster = raster
        self.pixelRatio = min(max(pixelRatio, 0.25), 8)
    }

    /// Width and height in the style's pixels.
    public var size: SIMD2<Double> { SIMD2(Double(raster.width), Double(raster.height)) / pixelRatio }

    /// The mean colour.
    public var mean: StyleColour { raster.meanColour(columns: 0..<raster.width, rows: 0..<raster.height) }

    /// Side of the smallest detail that cells show without noise, in the style's pixels.
    private static let grain = 4.0
    /// Minimum difference in lightness between the parts of a visible pattern.
    private static let leastContrast = 0.04

    /// True if cells can show a pattern of this image. Images that repeat within a cell or two, or have too
    /// little contrast, are drawn in their mean colour.
    var isPatternSeen: Bool {
        guard size.min() >= 2 * StyleImage.grain else { return false }
        let across = min(Int(clamping: (size.x / StyleImage.grain).rounded(.down)), raster.width),
            down = min(Int(clamping: (size.y / StyleImage.grain).rounded(.down)), raster.height)
        var least = 2.0, most = -1.0
        for row in 0..<down {
            for column in 0..<across {
                let mean = raster.meanColour(
                    columns: StyleImage.share(column, of: across, raster.width),
                    rows: StyleImage.share(row, of: down, raster.height))
                let lightness =
                    mean.alpha * (0.3 * mean.red + 0.6 * mean.green + 0.1 * mean.blue) + (1 - mean.alpha)
                    * 0.5
                least = min(least, lightness)
                most = max(most, lightness)
            }
        }
        return most - least >= StyleImage.leastContrast
    }

    private static func share(_ part: Int, of count: Int, _ whole: Int) -> Range<Int> {
        part * whole / count..<max((part + 1) * whole / count, part * whole / count + 1)
    }
}

extension Raster {
    /// Returns the mean colour of a part, weighted by opacity.
    /// - Parameters: Must be within the image.
    func meanColour(columns: Range<Int>, rows: Range<Int>) -> StyleColour {
        var sum = SIMD4<Int>()
        for row in rows {
            for column in columns {
                let at = (row * width + column) * 4, alpha = Int(pixels[at + 3])
                sum &+= SIMD4(
                    Int(pixels[at]) * alpha, Int(pixels[at + 1]) * alpha, Int(pixels[at + 2]) * alpha, alpha)
            }
        }
        guard sum.w > 0 else { return .clear }
        let opaque = Double(sum.w) * 255
        return StyleColour(
            red: Double(sum.x) / opaque, green: Double(sum.y) / opaque, blue: Double(sum.z) / opaque,
            alpha: opaque / 255 / 255 / Double(columns.count * rows.count))
    }

    /// Returns a part of the image; nil if it is empty.
    /// - Parameters: Must be within the image.
    func part(columns: Range<Int>, rows: Range<Int>) -> Raster? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(columns.count * rows.count * 4)
        for row in rows {
            bytes += pixels[(row * width + columns.lowerBound) * 4..<(row * width + columns.upperBound) * 4]
        }
        return Raster(width: columns.count, height: rows.count, pixels: bytes)
    }
}

/// A sprite: a sheet of images, with an index of their positions.
public struct StyleSprite: Sendable, Equatable {
    /// The address in the style, without extension; may be relative to the style.
    public let address: String
    /// The prefix of its images' names in the style.
    let prefix: String

    static func all(in style: JSON) -> [StyleSprite] {
        if let address = style["sprite"]?.string { return [StyleSprite(address: address, prefix: "")] }
        return (style["sprite"]?.array ?? []).compactMap { entry in
            guard let address = entry["url"]?.string, let id = entry["id"]?.string else { return nil }
            return StyleSprite(address: address, prefix: id == "default" ? "" : id + ":")
        }
    }

    /// The address of the index.
    public var index: String { address + ".json" }
    /// The address of the sheet.
    public var image: String { address + ".png" }

    /// Returns the images by their names in the style. Skips invalid entries of the index.
    public func pictures(index: JSON, image: Raster) -> [String: StyleImage] {
        var pictures: [String: StyleImage] = [:]
        // Bounds the total area, because an index with overlapping images could take forever.
        var pixels = 4 * image.width * image.height
        for name in index.object?.names ?? [] {
            guard let entry = index[name], let x = entry["x"]?.int, let y = entry["y"]?.int,
                let width = entry["width"]?.int, let height = entry["height"]?.int,
                (0..<image.width).contains(x), (0..<image.height).contains(y),
                (1...image.width - x).contains(width), (1...image.height - y).contains(height),
                width * height <= pixels,
                let part = image.part(columns: x..<x + width, rows: y..<y + height)
            else { continue }
            pixels -= width * height
            pictures[prefix + name] = StyleImage(part, pixelRatio: entry["pixelRatio"]?.double ?? 1)
        }
        return pictures
    }
}
