public import RhumbBase
public import RhumbCells

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
