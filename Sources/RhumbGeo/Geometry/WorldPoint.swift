/// A place on the Web Mercator square: x from 0 (180° W) to 1 (180° E), y from 0 (85.0511° N)
/// to 1 (85.0511° S).
///
/// x may lie outside 0…1 where a viewport looks across the antimeridian; whole numbers count
/// the copies of the world.
public struct WorldPoint: Hashable, Sendable {
    /// 0 at the antimeridian in the west, 1 in the east.
    public var x: Double
    /// 0 in the north, 1 in the south.
    public var y: Double

    /// A point of the square that the world is.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The same place in the first copy of the world: 0 ≤ x < 1.
    public var wrapped: WorldPoint {
        let turned = x - x.rounded(.down)
        return WorldPoint(x: turned >= 1 ? 0 : turned, y: y)
    }
}
