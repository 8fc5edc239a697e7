/// A parsed expression of a style. Attributes are indices in the style's table of names.
indirect enum StyleNode: Sendable {
    case constant(StyleValue)
    case zoom
    /// The position along a line, or the density of a heatmap, 0…1.
    case progress
    case identifier
    case geometryType
    case attributes
    case attribute(Int)
    case hasAttribute(Int)
    /// A constant state: the style's default for a global state, null for the state of a feature.
    case state(StyleValue)
    /// The feature's position relative to a shape.
    case relation(StyleRelation)
    case comparison(StyleComparison, StyleNode, StyleNode)
    /// Compares texts by a collator, and other values as they are.
    case collation(StyleComparison, StyleNode, StyleNode, StyleNode)
    /// Tests if a value is in a set.
    case membership(StyleNode, Set<StyleValue>)
    case not(StyleNode)
    case all([StyleNode])
    case any([StyleNode])
    /// True only if the value is true; false also if it has no value.
    case holds(StyleNode)
    /// Alternating conditions and outputs, then the fallback.
    case choice([StyleNode])
    /// The input, the output index of each label, the outputs, and the fallback.
    case match(StyleNode, [StyleValue: Int], [StyleNode], StyleNode)
    case coalesce([StyleNode])
    /// The name of an image, or null if the style doesn't have it.
    case availableImage(StyleNode)
    /// The input, ascending stops, and the outputs; the first output applies below the first stop.
    case step(StyleNode, [Double], [StyleNode])
    case interpolation(StyleInterpolation, StyleNode, [Double], [StyleNode])
    /// The number of the first variable, the values of consecutive variables, and the body.
    case binding(Int, [StyleNode], StyleNode)
    case variable(Int)
    case list([StyleNode])
    /// The first argument of the type.
    case assertion(StyleType, [StyleNode])
    /// The first argument that can be converted to the type.
    case conversion(StyleType, [StyleNode])
    case call(StyleFunction, [StyleNode])
}

enum StyleComparison: String, Sendable {
    case equal = "==", unequal = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="

    /// True if the values must have an order.
    var needsOrder: Bool { self != .equal && self != .unequal }
}

extension StyleNode {
    /// The value if it is constant.
    var constant: StyleValue? { if case .constant(let value) = self { value } else { nil } }

    /// True if the expression isn't a constant yet, but depends on constants only.
    var isFoldable: Bool {
        switch self {
        case .constant, .zoom, .progress, .identifier, .geometryType, .attributes, .attribute, .hasAttribute,
            .variable, .state, .relation, .availableImage, .call(.error, _):
            false
        case .call(.get, let parts) where parts.count == 1: false
        case .call(.has, let parts) where parts.count == 1: false
        default: children.allSatisfy { $0.constant != nil }
        }
    }

    /// Adds the parts of a feature that the value depends on.
    /// - Parameter names: The attribute names by index.
    func collect(_ use: inout StyleDependencies, _ names: [String]) {
        switch self {
        case .identifier, .attributes, .relation: use.isUnbounded = true
        case .geometryType: use.kind = true
        case .attribute(let name): use.values.insert(names[name])
        case .hasAttribute(let name): use.presences.insert(names[name])
        case .call(.get, let parts) where parts.count == 1: use.isUnbounded = true
        case .call(.has, let parts) where parts.count == 1: use.isUnbounded = true
        default: for child in children { child.collect(&use, names) }
        }
    }

    /// True if the zoom is only the input of one ramp, which no other expression computes with. The
    /// specification requires it of properties.
    var usesZoomAsSpecified: Bool {
        let curves = zoomCurveCount
        return curves == 0 ? !usesZoom : curves == 1 && hasOuterZoomCurve
    }

    private var usesZoom: Bool { if case .zoom = self { true } else { children.contains(where: \.usesZoom) } }

    private var isZoomCurve: Bool {
        switch self {
        case .step(.zoom, _, _), .interpolation(_, .zoom, _, _): true
        default: false
        }
    }

    private var zoomCurveCount: Int { children.reduce(isZoomCurve ? 1 : 0) { $0 + $1.zoomCurveCount } }

    private var hasOuterZoomCurve: Bool {
        switch self {
        case .binding(_, _, let body): body.hasOuterZoomCurve
        case .coalesce(let parts): parts.contains(where: \.hasOuterZoomCurve)
        default: isZoomCurve
        }
    }

    private var children: [StyleNode] {
        switch self {
        case .constant, .zoom, .progress, .identifier, .geometryType, .attributes, .attribute, .hasAttribute,
            .variable, .state, .relation:
            []
        case .comparison(_, let a, let b): [a, b]
        case .collation(_, let a, let b, let collator): [a, b, collator]
        case .membership(let a, _), .not(let a), .holds(let a), .availableImage(let a): [a]
        case .all(let parts), .any(let parts), .choice(let parts), .coalesce(let parts), .list(let parts):
            parts
        case .match(let input, _, let outputs, let other): [input, other] + outputs
        case .step(let input, _, let outputs), .interpolation(_, let input, _, let outputs): [input] + outputs
        case .binding(_, let values, let body): values + [body]
        case .assertion(_, let parts), .conversion(_, let parts), .call(_, let parts): parts
        }
    }

    /// Evaluates the expression; nil if types don't match or a member is missing.
    func value(in context: inout StyleContext) -> StyleValue? {
        switch self {
        case .constant(let value): return value
        case .zoom: return .number(context.zoom)
        case .progress: return .number(context.progress)
        case .identifier: return context.identifier
        case .geometryType: return context.geometryType
        case .attributes: return context.attributes
        case .attribute(let name): return context.attribute(name) ?? .null
        case .hasAttribute(let name): return .bool(context.attribute(name) != nil)
        case .state(let value): return value
        case .relation(let relation): return relation.value(in: &context)
        case .comparison(let kind, let a, let b):
            guard let a = a.value(in: &context), let b = b.value(in: &context) else { return nil }
            return kind.holds(a, b).map(StyleValue.bool)
        case .collation(let kind, let a, let b, let collator):
            guard let a = a.value(in: &context), let b = b.value(in: &context) else { return nil }
            guard case .string(let first) = a, case .string(let second) = b else {
                return kind.holds(a, b).map(StyleValue.bool)
            }
            guard let collator = collator.value(in: &context).flatMap(StyleCollator.init) else { return nil }
            return .bool(kind.holds(collator.compare(first, second)))
        case .membership(let input, let values):
            return input.value(in: &context).map { .bool(values.contains($0)) }
        case .not(let input): return input.value(in: &context)?.bool.map { .bool(!$0) }
        case .all(let parts): return StyleNode.conjunction(of: parts, stopsAt: false, &context)
        case .any(let parts): return StyleNode.conjunction(of: parts, stopsAt: true, &context)
        case .holds(let part): return .bool(part.value(in: &context)?.bool == true)
        case .choice(let parts): return StyleNode.choice(parts, &context)
        case .match(let input, let labels, let outputs, let other):
            guard let input = input.value(in: &context) else { return nil }
            return (labels[input].map { outputs[$0] } ?? other).value(in: &context)
        case .coalesce(let parts):
            for part in parts {
                guard let value = part.value(in: &context) else { return nil }
                if value != .null { return value }
            }
            return .null
        case .availableImage(let name):
            guard let name = name.value(in: &context) else { return nil }
            return context.mayHaveImage(named: name.text) ? name : .null
        case .step(let input, let stops, let outputs):
            guard let input = input.value(in: &context)?.number, !input.isNaN else { return nil }
            return outputs[stops.prefix { $0 <= input }.count].value(in: &context)
        case .interpolation(let kind, let input, let stops, let outputs):
            guard let input = input.value(in: &context)?.number, !input.isNaN else { return nil }
            return StyleNode.between(kind, input, stops, outputs, &context)
        case .binding(let first, let values, let body):
            return StyleNode.bound(first, values, body, &context)
        case .variable(let index): return index < context.variables.count ? context.variables[index] : nil
        case .list(let parts): return StyleNode.values(of: parts, &context).map(StyleValue.array)
        case .assertion(let type, let parts): return StyleNode.first(of: parts, &context, type.asserted)
        case .conversion(let type, let parts): return StyleNode.first(of: parts, &context, type.converted)
        case .call(.get, let parts): return StyleNode.member(parts, &context).map { $0 ?? .null }
        case .call(.has, let parts): return StyleNode.member(parts, &context).map { .bool($0 != nil) }
        case .call(let function, let parts):
            return StyleNode.values(of: parts, &context).flatMap(function.value)
        }
    }

    private static func values(of parts: [StyleNode], _ context: inout StyleContext) -> [StyleValue]? {
        var values: [StyleValue] = []
        for part in parts {
            guard let value = part.value(in: &context) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func conjunction(
        of parts: [StyleNode], stopsAt end: Bool, _ context: inout StyleContext
    ) -> StyleValue? {
        for part in parts {
            guard let holds = part.value(in: &context)?.bool else { return nil }
            if holds == end { return .bool(end) }
        }
        return .bool(!end)
    }

    private static func choice(_ parts: [StyleNode], _ context: inout StyleContext) -> StyleValue? {
        for at in stride(from: 0, to: parts.count - 1, by: 2) {
            guard let holds = parts[at].value(in: &context)?.bool else { return nil }
            if holds { return parts[at + 1].value(in: &context) }
        }
        return parts.last?.value(in: &context)
    }

    private static func first(
        of parts: [StyleNode], _ context: inout StyleContext, _ accepted: (StyleValue) -> StyleValue?
    ) -> StyleValue? {
        for part in parts {
            guard let value = part.value(in: &context) else { return nil }
            if let value = accepted(value) { return value }
        }
        return nil
    }

    private static func between(
        _ kind: StyleInterpolation, _ input: Double, _ stops: [Double], _ outputs: [StyleNode],
        _ context: inout StyleContext
    ) -> StyleValue? {
        let next = stops.firstIndex { $0 > input } ?? stops.count
        if next == 0 { return outputs.first?.value(in: &context) }
        if next == stops.count { return outputs.last?.value(in: &context) }
        guard let a = outputs[next - 1].value(in: &context), let b = outputs[next].value(in: &context)
        else { return nil }
        return kind.mix(a, b, kind.share(input, from: stops[next - 1], to: stops[next]))
    }

    private static func bound(
        _ first: Int, _ values: [StyleNode], _ body: StyleNode, _ context: inout StyleContext
    ) -> StyleValue? {
        let outer = context.variables
        defer { context.variables = outer }
        var inner = outer.prefix(first)
        for value in values { inner.append(value.value(in: &context)) }
        context.variables = Array(inner)
        return body.value(in: &context)
    }

    /// Returns the attribute or the object's member to which `get` and `has` refer; nil if an argument has no
    /// value of its type.
    private static func member(_ parts: [StyleNode], _ context: inout StyleContext) -> StyleValue?? {
        guard let name = parts.first?.value(in: &context)?.string else { return nil }
        guard parts.count > 1 else { return .some(context.attribute(named: name)) }
        guard case .object(let members) = parts[1].value(in: &context) else { return nil }
        return .some(members[name])
    }
}

extension StyleComparison {
    /// Compares two values; nil if they have no order.
    func holds(_ a: StyleValue, _ b: StyleValue) -> Bool? {
        switch self {
        case .equal: return a == b
        case .unequal: return a != b
        default: break
        }
        switch (a, b) {
        case (.number(let a), .number(let b)): return ordered(a, b)
        // By UTF-16, as in the reference implementation.
        case (.string(let a), .string(let b)):
            if a == b { return holds(0) }
            return holds(a.utf16.lexicographicallyPrecedes(b.utf16) ? -1 : 1)
        default: return nil
        }
    }

    /// Returns true if the comparison holds for values with an order.
    /// - Parameter order: Negative if the first value is the smaller one, 0 if they are equal.
    func holds(_ order: Int) -> Bool { ordered(order, 0) }

    private func ordered<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
        switch self {
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        case .greaterOrEqual: a >= b
        case .equal: a == b
        case .unequal: a != b
        }
    }
}

extension StyleType {
    /// Returns the value if it has the type, else nil.
    func asserted(_ value: StyleValue) -> StyleValue? { accepts(value.type) ? value : nil }

    /// Converts the value to the type; nil if that is impossible.
    func converted(_ value: StyleValue) -> StyleValue? {
        switch self {
        case .number: value.asNumber.map(StyleValue.number)
        case .string, .formatted, .image: .string(value.text)
        case .bool: .bool(value.truth)
        case .colour: value.colour.map(StyleValue.colour)
        default: asserted(value)
        }
    }
}
