/// A property's value or a filter as the style gives it: a constant or something to work out.
public struct StyleExpression: Sendable {
    let node: StyleNode
    /// Whether it may differ between the features of a layer.
    public let usesFeature: Bool

    init(_ node: StyleNode) {
        self.node = node
        usesFeature = node.usesFeature
    }

    /// Its value; nil where it has none.
    public func value(in context: inout StyleContext) -> StyleValue? { node.value(in: &context) }

    /// Whether a filter lets the context's feature through.
    public func admits(_ context: inout StyleContext) -> Bool { node.value(in: &context)?.bool == true }
}

/// The names of attributes that a style's expressions use, numbered in the order of meeting.
struct StyleNames {
    private(set) var all: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
        if let known = numbers[name] { return known }
        numbers[name] = all.count
        all.append(name)
        return all.count - 1
    }
}
