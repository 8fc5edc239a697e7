extension StyleNode {
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
        case .comparison(let kind, let a, let b):
            guard let a = a.value(in: &context), let b = b.value(in: &context) else { return nil }
            return kind.holds(a, b).map(StyleValue.bool)
        case .membership(let input, let values):
            return input.value(in: &context).map { .bool(values.contains($0)) }
        case .not(let input): return input.value(in: &context)?.bool.map { .bool(!$0) }
        case .all(let parts): return StyleNode.conjunction(of: parts, stopsAt: false, &context)
        case .any(let parts): return StyleNode.conjunction(of: parts, stopsAt: true, &context)
        case .choice(let parts): return StyleNode.choice(parts, &context)
        case .match(let input, let labels, let outputs, let other):
            guard let input = input.value(in: &context) else { return nil }
            return (labels[input].map { outputs[$0] } ?? other).value(in: &context)
        case .coalesce(let parts): return StyleNode.first(of: parts, &context)
        case .step(let input, let stops, let outputs):
            guard let input = input.value(in: &context)?.number else { return nil }
            return outputs[stops.prefix { $0 <= input }.count].value(in: &context)
        case .interpolation(let kind, let input, let stops, let outputs):
            guard let input = input.value(in: &context)?.number else { return nil }
            return StyleNode.between(kind, input, stops, outputs, &context)
        case .binding(let first, let values, let body):
            return StyleNode.bound(first, values, body, &context)
        case .variable(let index): return index < context.variables.count ? context.variables[index] : nil
        case .assertion(let type, let parts): return StyleNode.first(of: parts, &context, type.asserted)
        case .conversion(let type, let parts): return StyleNode.first(of: parts, &context, type.converted)
        case .call(.get, let parts): return StyleNode.member(parts, &context) ?? .null
        case .call(.has, let parts): return .bool(StyleNode.member(parts, &context) != nil)
        case .call(let function, let parts):
            var values: [StyleValue] = []
            for part in parts {
                guard let value = part.value(in: &context) else { return nil }
                values.append(value)
            }
            return function.value(of: values)
        }
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
        of parts: [StyleNode], _ context: inout StyleContext,
        _ accepted: (StyleValue) -> StyleValue? = { $0 == .null ? nil : $0 }
    ) -> StyleValue? {
        for part in parts {
            if let value = part.value(in: &context).flatMap(accepted) { return value }
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
        return StyleInterpolation.mix(a, b, kind.share(input, from: stops[next - 1], to: stops[next]))
    }

    private static func bound(
        _ first: Int, _ values: [StyleNode], _ body: StyleNode, _ context: inout StyleContext
    ) -> StyleValue? {
        let outer = context.variables
        defer { context.variables = outer }
        var inner = outer.prefix(first)
        for value in values { inner.append(value.value(in: &context) ?? .null) }
        context.variables = Array(inner)
        return body.value(in: &context)
    }

    /// Returns the attribute or the object's member to which `get` and `has` refer.
    private static func member(_ parts: [StyleNode], _ context: inout StyleContext) -> StyleValue? {
        guard let name = parts.first?.value(in: &context)?.string else { return nil }
        guard parts.count > 1 else { return context.attribute(named: name) }
        guard case .object(let members) = parts[1].value(in: &context) else { return nil }
        return members[name]
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
        case (.string(let a), .string(let b)): return ordered(a, b)
        default: return nil
        }
    }

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
    func asserted(_ value: StyleValue) -> StyleValue? {
        switch (self, value) {
        case (.number, .number), (.string, .string), (.bool, .bool), (.colour, .colour), (.array, .array),
            (.object, .object):
            value
        default: nil
        }
    }

    /// Converts the value to the type; nil if that is impossible.
    func converted(_ value: StyleValue) -> StyleValue? {
        switch self {
        case .number: value.asNumber.map(StyleValue.number)
        case .string: .string(value.text)
        case .bool: .bool(value.truth)
        case .colour: value.colour.map(StyleValue.colour)
        case .array, .object: asserted(value)
        }
    }
}
