/// A property's value or a filter: a constant or an expression.
public struct StyleExpression: Sendable {
    let node: StyleNode
    /// The parts of a feature that the value depends on.
    let use: StyleDependencies
    /// True if the value may differ between features of a layer.
    public var usesFeature: Bool { use != StyleDependencies() }

    /// - Parameter names: The attribute names, indexed by the numbers in the expression.
    init(_ node: StyleNode, _ names: StyleNames) {
        self.node = node
        var use = StyleDependencies()
        node.collect(&use, names.all)
        self.use = use
    }

    /// Returns the value; nil if there is none.
    public func value(in context: inout StyleContext) -> StyleValue? { node.value(in: &context) }

    /// Returns true if a filter accepts the context's feature.
    public func admits(_ context: inout StyleContext) -> Bool { node.value(in: &context)?.bool == true }
}

/// The attribute names that a style's expressions use, numbered in order of first appearance.
struct StyleNames {
    private(set) var all: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
        if let cached = numbers[name] { return cached }
        numbers[name] = all.count
        all.append(name)
        return all.count - 1
    }
}
