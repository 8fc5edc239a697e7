internal import Glibc

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

/// A smooth move from one camera to another, as a function from time to camera.
public struct CameraMove: Hashable, Sendable {
    /// The first camera.
    public let start: Camera
    /// The last camera.
    public let end: Camera
    /// The duration in seconds, more than 0.
    public let duration: Double

    /// Creates a move that takes `duration` seconds, the shorter way around the world.
    public init(from start: Camera, to end: Camera, duration: Double) {
        self.start = start
        self.end = end
        self.duration = max(duration, 0.001)
    }

    /// Returns the camera after `seconds`: the start before 0, the end from `duration` on. The move is eased
    /// at both ends. The zoom changes evenly, and the centre moves so that its speed on the screen looks even
    /// at any zoom.
    public func camera(after seconds: Double) -> Camera {
        guard seconds < duration else { return end }
        let t = max(seconds, 0) / duration
        let eased = t * t * (3 - 2 * t)
        let zoom = start.zoom + (end.zoom - start.zoom) * eased
        let share = groundShare(eased)
        let turn = (start.center.x - end.center.x).rounded()
        return Camera(
            center: WorldPoint(
                x: start.center.x + (end.center.x + turn - start.center.x) * share,
                y: start.center.y + (end.center.y - start.center.y) * share),
            zoom: zoom)
    }

    /// Returns the share of the distance on the ground that is covered when the zoom has made `eased` of its
    /// change.
    private func groundShare(_ eased: Double) -> Double {
        let change = end.zoom - start.zoom
        guard abs(change) > 0.01 else { return eased }
        return (1 - exp2Exact(-change * eased)) / (1 - exp2Exact(-change))
    }
}

/// Returns 2^zoom, exact if zoom is a whole number.
func exp2Exact(_ zoom: Double) -> Double {
    let whole = zoom.rounded(.down)
    let power = Double(sign: .plus, exponent: Int(whole), significand: 1)
    return zoom == whole ? power : power * exp2(zoom - whole)
}

/// Returns the binary logarithm, for files that need no other mathematics.
func log2Of(_ value: Double) -> Double { log2(value) }
