public import RhumbBase
public import RhumbCells

/// A sheet of a style's pictures: an image, and an index that says which part of it is which picture.
public struct StyleSprite: Sendable, Equatable {
    /// As the style gives it, without an ending; may be relative to the style.
    public let address: String
    /// The prefix of its image names in the style.
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
    /// The address of the image.
    public var image: String { address + ".png" }

    /// Its pictures, by their names in the style. What the index has wrong is left out.
    public func pictures(index: JSON, image: Raster) -> [String: StyleImage] {
        var pictures: [String: StyleImage] = [:]
        // Pictures hardly overlap: an index that says otherwise is no reason to work for ever.
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
