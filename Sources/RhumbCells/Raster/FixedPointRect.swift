/// A rectangle in fixed point. 65536 units are one cell of the screen or one pixel of a raster, depending on
/// the context. x runs to the right, y down; x0 ≤ x1, y0 ≤ y1.
///
/// The coordinates are whole numbers, so that a view moved by whole cells gives exactly the moved picture.
public struct FixedPointRect: Hashable, Sendable {
    /// Units in one cell or pixel.
    public static let one = 1 << 16

    /// The left edge.
    public var x0: Int
    /// The top edge.
    public var y0: Int
    /// The right edge, exclusive.
    public var x1: Int
    /// The bottom edge, exclusive.
    public var y1: Int

    /// A rectangle with these edges.
    public init(x0: Int, y0: Int, x1: Int, y1: Int) {
        self.x0 = x0
        self.y0 = y0
        self.x1 = x1
        self.y1 = y1
    }

    /// True if sums and products of its sides fit into 64 bits, and it has an area.
    var isUsable: Bool {
        let reach = -(1 << 30)...(1 << 30)
        return reach.contains(x0) && reach.contains(x1) && reach.contains(y0)
            && reach.contains(y1) && x0 < x1 && y0 < y1
    }
}
