/// The views that were left, the latest last, and those that were gone back from.
public struct ViewHistory: Hashable, Sendable {
    private var past: [Camera] = []
    private var future: [Camera] = []
    /// The most views kept in each direction.
    public static let limit = 100

    /// A history without views.
    public init() {}

    /// True if there is no earlier view.
    public var isEmpty: Bool { past.isEmpty }

    /// Remembers a view that is about to be left for a new one, unless it is the one remembered last.
    /// Views that were gone back from are forgotten.
    public mutating func push(_ camera: Camera) {
        future = []
        guard past.last != camera else { return }
        past.append(camera)
        if past.count > ViewHistory.limit { past.removeFirst() }
    }

    /// The latest view other than the present one, taken off the history; nil when there is none.
    public mutating func back(from present: Camera) -> Camera? {
        ViewHistory.step(from: present, along: &past, leaving: &future)
    }

    /// The view that was gone back from last; nil when there is none.
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
