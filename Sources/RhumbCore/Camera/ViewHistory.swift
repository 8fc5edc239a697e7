/// The views one can go back to, latest last. Small moves in a row count as one view.
public struct ViewHistory: Hashable, Sendable {
    private var past: [Camera] = []
    /// The most views kept.
    public static let limit = 100

    /// A history without views.
    public init() {}

    /// Whether there is no view to go back to.
    public var isEmpty: Bool { past.isEmpty }

    /// Remembers a view that is about to be left, unless it is the one remembered last.
    public mutating func push(_ camera: Camera) {
        guard past.last != camera else { return }
        past.append(camera)
        if past.count > ViewHistory.limit { past.removeFirst() }
    }

    /// The latest view, taken off the history; nil when there is none.
    public mutating func pop() -> Camera? { past.popLast() }
}
