/// A binary heap with the least element first.
public struct Heap<Element: Comparable> {
    private var elements: [Element] = []

    /// Creates an empty heap.
    public init() {}

    /// The least element; nil if the heap is empty.
    public var first: Element? { elements.first }
    /// The elements in no particular order.
    public var unordered: [Element] { elements }

    /// Adds an element.
    public mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes and returns the least element; nil if the heap is empty.
    @discardableResult
    public mutating func popFirst() -> Element? {
        guard let first = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return first }
        elements[0] = last
        var index = 0
        while true {
            let left = 2 * index + 1, right = left + 1
            var least = index
            if left < elements.count, elements[left] < elements[least] { least = left }
            if right < elements.count, elements[right] < elements[least] { least = right }
            if least == index { return first }
            elements.swapAt(index, least)
            index = least
        }
    }
}

extension Heap: Sendable where Element: Sendable {}
