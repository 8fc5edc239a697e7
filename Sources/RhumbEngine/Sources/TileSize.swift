internal import RhumbCore

/// The side of a layer's tiles in pixels, a power of two from 64 to 4096. It selects pixels and shifts the
/// zoom: at map zoom z (256-px convention), a 512-px tile of zoom z − 1 covers the same area at the same
/// scale.
public struct TileSize: RawRepresentable, ExpressibleByIntegerLiteral, Hashable, Sendable {
    /// 128 pixels to a side.
    public static let pixels128 = TileSize(exponent: 7)
    /// 256 pixels to a side.
    public static let pixels256 = TileSize(exponent: 8)
    /// 512 pixels to a side.
    public static let pixels512 = TileSize(exponent: 9)

    /// The valid sizes, in words for messages about an invalid one.
    public static let range = "a power of two from 64 to 4096"

    private let exponent: Int

    private init(exponent: Int) { self.exponent = exponent }

    /// The size in pixels; nil unless it is a power of two from 64 to 4096.
    public init?(rawValue pixels: Int) {
        guard (64...4096).contains(pixels), pixels.nonzeroBitCount == 1 else { return nil }
        exponent = pixels.trailingZeroBitCount
    }

    /// The size that a literal states; the nearest smaller one, or the smallest, if it is no valid size.
    public init(integerLiteral pixels: Int) {
        exponent = (6...12).last { 1 << $0 <= pixels } ?? 6
    }

    /// The side in pixels.
    public var rawValue: Int { 1 << exponent }

    /// The difference between the tile's zoom and the map's.
    public var zoomOffset: Int { 8 - exponent }

    /// The deepest zoom requested from a source that has it, at the scale of a 256-px tile of zoom 24, the
    /// deepest zoom of a camera.
    public var maximumZoom: Int { Int(Camera.zoomRange.upperBound) + zoomOffset }

    /// The deepest zoom of a source that states none, and of tiles drawn from others, at the scale of a
    /// 256-px tile of zoom 20.
    public var usualDepth: Int { 20 + zoomOffset }
}
