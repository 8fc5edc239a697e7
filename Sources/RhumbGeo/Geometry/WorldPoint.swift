/// A position on the Web Mercator square: x from 0 (180° W) to 1 (180° E), y from 0 (85.0511° N) to 1
/// (85.0511° S).
///
/// x may be outside 0…1 in a viewport across the antimeridian; whole numbers count the copies of the world.
public struct WorldPoint: Hashable, Sendable {
    /// The position from west to east: 0 and 1 are the antimeridian.
    public var x: Double
    /// The position from north (0) to south (1).
    public var y: Double

    /// Creates a point on the square of the world.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The same position in the first copy of the world: 0 ≤ x < 1.
    public var wrapped: WorldPoint {
        let turned = x - x.rounded(.down)
        return WorldPoint(x: turned >= 1 ? 0 : turned, y: y)
    }
}
