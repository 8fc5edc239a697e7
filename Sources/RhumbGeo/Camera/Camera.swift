/// The centre and zoom of a view.
///
/// A camera is always drawable: x is wrapped and y clamped to the unit square, the zoom lies in `zoomRange`,
/// and no number is NaN.
public struct Camera: Hashable, Sendable {
    /// The zooms a camera takes. A view takes those below 0 only as far as `Viewport.leastZoom`.
    public static let zoomRange = -5.0...24.0

    /// The middle of the view.
    public let center: WorldPoint
    /// Continuous; the world is 256·2^zoom map pixels wide.
    public let zoom: Double

    /// A camera over a point; the zoom is brought into `zoomRange`.
    public init(center: WorldPoint, zoom: Double) {
        let x = center.x.isFinite ? center.x : 0.5, y = center.y.isFinite ? center.y : 0.5
        self.center = WorldPoint(x: x, y: min(max(y, 0), 1)).wrapped
        let range = Camera.zoomRange
        self.zoom = zoom.isFinite ? min(max(zoom, range.lowerBound), range.upperBound) : 0
    }

    /// A camera over a coordinate; the zoom is brought into `zoomRange`.
    public init(center: Coordinate, zoom: Double) {
        self.init(center: Mercator.world(center), zoom: zoom)
    }

    /// The middle of the view in degrees.
    public var coordinate: Coordinate { Mercator.coordinate(center) }

    /// Map pixels across the whole world.
    public var worldPixels: Double { Camera.worldPixels(zoom: zoom) }

    /// Map pixels across the whole world at a zoom.
    public static func worldPixels(zoom: Double) -> Double { 256 * exp2Exact(zoom) }

    /// Returns the zoom at which the world has that width in map pixels; the inverse of `worldPixels(zoom:)`.
    public static func zoom(worldPixels: Double) -> Double { log2Of(worldPixels / 256) }

    /// The camera moved by map pixels, x to the east, y to the south.
    public func panned(byPixelsX x: Double, y: Double) -> Camera {
        let side = worldPixels
        return Camera(center: WorldPoint(x: center.x + x / side, y: center.y + y / side), zoom: zoom)
    }

    /// The camera at another zoom, with `fixed` staying where it is on the screen.
    public func zoomed(to newZoom: Double, about fixed: WorldPoint) -> Camera {
        let target = Camera(center: center, zoom: newZoom).zoom
        let shrink = worldPixels / Camera.worldPixels(zoom: target)
        return Camera(
            center: WorldPoint(
                x: fixed.x + (center.x - fixed.x) * shrink,
                y: fixed.y + (center.y - fixed.y) * shrink),
            zoom: target)
    }

    /// The camera at another zoom over the same place.
    public func zoomed(to newZoom: Double) -> Camera { Camera(center: center, zoom: newZoom) }
}
