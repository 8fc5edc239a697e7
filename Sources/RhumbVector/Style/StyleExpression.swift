/// A property's value or a filter as the style gives it: a constant or something to work out.
public struct StyleExpression: Sendable {
    let node: StyleNode
    /// The parts of a feature that its value depends on.
    let use: FeatureUse
    /// True if it may differ between features of a layer.
    public var usesFeature: Bool { use != FeatureUse() }

    /// - Parameter names: of attributes, by their numbers in the expression.
    init(_ node: StyleNode, _ names: StyleNames) {
        self.node = node
        var use = FeatureUse()
        node.collect(&use, names.all)
        self.use = use
    }

    /// Its value; nil where it has none.
    public func value(in context: inout StyleContext) -> StyleValue? { node.value(in: &context) }

    /// Returns true if a filter accepts the context's feature.
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
