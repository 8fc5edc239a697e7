/// A history of views: earlier ones to go back to, and later ones to go forward to.
public struct ViewHistory: Hashable, Sendable {
    private var past: [Camera] = []
    private var future: [Camera] = []
    /// The maximum number of views in each direction.
    public static let limit = 100

    /// Creates a history without views.
    public init() {}

    /// True if there is no earlier view.
    public var isEmpty: Bool { past.isEmpty }

    /// Adds a view that is about to be left for a new one, unless it was the last one added. Removes the
    /// views to go forward to.
    public mutating func push(_ camera: Camera) {
        future = []
        guard past.last != camera else { return }
        past.append(camera)
        if past.count > ViewHistory.limit { past.removeFirst() }
    }

    /// Removes and returns the latest view other than the present one; nil if there is none.
    public mutating func back(from present: Camera) -> Camera? {
        ViewHistory.step(from: present, along: &past, leaving: &future)
    }

    /// Removes and returns the view that was last gone back from; nil if there is none.
    public mutating func forward(from present: Camera) -> Camera? {
        ViewHistory.step(from: present, along: &future, leaving: &past)
    }

    private static func step(
        from present: Camera, along way: inout [Camera], leaving behind: inout [Camera]
    ) -> Camera? {
        while let camera = way.popLast() {
            guard camera != present else { continue }
            behind.append(present)
            return camera
        }
        return nil
    }
}
