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
