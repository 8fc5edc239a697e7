/// The centre and zoom of a view.
///
/// A camera is always drawable: x is wrapped and y clamped to the unit square, the zoom is within
/// `zoomRange`, and no number is NaN.
public struct Camera: Hashable, Sendable {
    /// The valid zooms of a camera. A view limits zooms below 0 to `Viewport.leastZoom`.
    public static let zoomRange = -5.0...24.0

    /// The centre of the view.
    public let center: WorldPoint
    /// The continuous zoom. The world is 256·2^zoom map pixels wide.
    public let zoom: Double

    /// Creates a camera at a point. The zoom is clamped to `zoomRange`.
    public init(center: WorldPoint, zoom: Double) {
        let x = center.x.isFinite ? center.x : 0.5, y = center.y.isFinite ? center.y : 0.5
        self.center = WorldPoint(x: x, y: min(max(y, 0), 1)).wrapped
        let range = Camera.zoomRange
        self.zoom = zoom.isFinite ? min(max(zoom, range.lowerBound), range.upperBound) : 0
    }

    /// Creates a camera at a coordinate. The zoom is clamped to `zoomRange`.
    public init(center: Coordinate, zoom: Double) {
        self.init(center: Mercator.world(center), zoom: zoom)
    }

    /// The centre of the view in degrees.
    public var coordinate: Coordinate { Mercator.coordinate(center) }

    /// The width of the world in map pixels.
    public var worldPixels: Double { Camera.worldPixels(zoom: zoom) }

    /// Returns the width of the world in map pixels at a zoom.
    public static func worldPixels(zoom: Double) -> Double { 256 * exp2Exact(zoom) }

    /// Returns the zoom at which the world has a width in map pixels; the inverse of `worldPixels(zoom:)`.
    public static func zoom(worldPixels: Double) -> Double { log2Of(worldPixels / 256) }

    /// Returns the camera moved by map pixels, x to the east and y to the south.
    public func panned(byPixelsX x: Double, y: Double) -> Camera {
        let side = worldPixels
        return Camera(center: WorldPoint(x: center.x + x / side, y: center.y + y / side), zoom: zoom)
    }

    /// Returns the camera at another zoom, with `fixed` at the same position on the screen.
    public func zoomed(to newZoom: Double, about fixed: WorldPoint) -> Camera {
        let target = Camera(center: center, zoom: newZoom).zoom
        let shrink = worldPixels / Camera.worldPixels(zoom: target)
        return Camera(
            center: WorldPoint(
                x: fixed.x + (center.x - fixed.x) * shrink,
                y: fixed.y + (center.y - fixed.y) * shrink),
            zoom: target)
    }

    /// Returns the camera at another zoom with the same centre.
    public func zoomed(to newZoom: Double) -> Camera { Camera(center: center, zoom: newZoom) }
}
