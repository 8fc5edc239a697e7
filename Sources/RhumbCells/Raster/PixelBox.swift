/// A rectangle of whole pixels of a picture; x runs to the right, y down.
public struct PixelBox: Hashable, Sendable {
    /// The columns of pixels in it.
    public let x: Range<Int>
    /// The rows of pixels in it.
    public let y: Range<Int>

    /// A box by its columns and rows.
    public init(x: Range<Int>, y: Range<Int>) { (self.x, self.y) = (x, y) }

    /// The number of pixels.
    public var count: Int { x.count * y.count }

    /// Returns true if another box lies inside.
    public func contains(_ other: PixelBox) -> Bool {
        func holds(_ own: Range<Int>, _ other: Range<Int>) -> Bool {
            own.lowerBound <= other.lowerBound && other.upperBound <= own.upperBound
        }
        return holds(x, other.x) && holds(y, other.y)
    }
}
