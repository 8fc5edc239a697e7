internal import RhumbBase

/// Parses expressions of the style specification: JSON arrays that begin with an operator.
struct ExpressionParser {
    /// An expression with the type that its values have if there are any.
    struct Typed {
        let node: StyleNode
        let type: StyleType

        init(_ node: StyleNode, _ type: StyleType) {
            self.node = node
            self.type = type
        }

        init(_ value: StyleValue) { self.init(.constant(value), value.type) }
    }

    /// The treatment of a value whose type is known only when it is evaluated.
    enum Annotation { case assertion, conversion, omitted }

    var names: StyleNames
    /// The default of each global state.
    let states: [String: StyleValue]
    /// The first problem found; nil if there is none.
    private(set) var problem: String?
    /// The parts that are read, but differ from the specification.
    private(set) var remarks: [String] = []
    private var scopes: [String: Typed] = [:]
    private var variableCount = 0

    init(names: StyleNames, states: [String: StyleValue] = [:]) {
        self.names = names
        self.states = states
    }

    /// Parses an expression; returns nil and sets `problem` if it is invalid.
    /// - Parameters:
    ///   - type: The required type; nil for any. Values of another type are converted where the style
    ///     specification says so.
    ///   - annotation: nil for the usual one of the type.
    mutating func expression(
        _ json: JSON, _ type: StyleType? = nil, _ annotation: Annotation? = nil
    ) -> Typed? {
        let parsed: Typed?
        switch json {
        case .array(let parts):
            guard let name = parts.first?.string else {
                return fail("a list here must begin with an operator")
            }
            parsed = operation(name, Array(parts.dropFirst()), type)
        case .object: return fail("an object needs \"literal\" before it")
        default: parsed = Typed(StyleValue(json))
        }
        return parsed.flatMap { fitted($0, json, type, annotation) }.flatMap { folded($0, json) }
    }

    /// Parses expressions of one type.
    mutating func expressions(
        _ parts: some Sequence<JSON>, _ type: StyleType?, _ annotation: Annotation? = nil
    ) -> [Typed]? {
        var list: [Typed] = []
        for part in parts {
            guard let next = expression(part, type, annotation) else { return nil }
            list.append(next)
        }
        return list
    }

    mutating func fail(_ text: String) -> Typed? {
        problem = problem ?? text
        return nil
    }

    mutating func remark(_ text: String) { if !remarks.contains(text) { remarks.append(text) } }

    /// Adds the check or conversion that makes an expression one of the wanted type.
    private mutating func fitted(
        _ parsed: Typed, _ json: JSON, _ wanted: StyleType?, _ annotation: Annotation?
    ) -> Typed? {
        guard let wanted else { return parsed }
        if wanted.asserts(parsed.type) {
            return annotated(parsed, wanted, annotation ?? .assertion)
        }
        if wanted.converts(parsed.type) {
            return annotated(parsed, wanted, annotation ?? .conversion)
        }
        if wanted.accepts(parsed.type) { return parsed }
        return fail("\(json.text) is \(parsed.type.text), but \(wanted.text) is needed")
    }

    private func annotated(_ parsed: Typed, _ type: StyleType, _ annotation: Annotation) -> Typed {
        switch annotation {
        case .assertion: Typed(.assertion(type, [parsed.node]), type)
        case .conversion: Typed(.conversion(type, [parsed.node]), type)
        case .omitted: parsed
        }
    }

    /// Evaluates an expression of constants.
    private mutating func folded(_ parsed: Typed, _ json: JSON) -> Typed? {
        guard parsed.node.isFoldable else { return parsed }
        var context = StyleContext(names: [], zoom: 0)
        if let value = parsed.node.value(in: &context) { return Typed(.constant(value), parsed.type) }
        return fail(parsed.type == .colour ? "\(json.text) is not a colour" : "\(json.text) has no value")
    }

    private mutating func operation(_ name: String, _ parts: [JSON], _ type: StyleType?) -> Typed? {
        switch name {
        case "literal":
            guard parts.count == 1 else { return fail("\"literal\" needs one value") }
            return literal(StyleValue(parts[0]), type)
        case "semiliteral": return semiliteral(parts)
        case "let": return binding(parts, type)
        case "var": return variable(parts)
        case "case": return choice(parts, type)
        case "match": return match(parts, type)
        case "coalesce": return coalesce(parts, type)
        case "step": return step(parts, type)
        case "interpolate": return interpolation(parts, type, .rgb)
        case "interpolate-hcl": return interpolation(parts, type, .hcl)
        case "interpolate-lab": return interpolation(parts, type, .lab)
        case "all", "any", "!": return logic(name, parts)
        case "number", "string", "boolean", "object", "array": return assertion(name, parts)
        case "to-number", "to-string", "to-boolean", "to-color": return conversion(name, parts)
        default:
            if let kind = StyleComparison(rawValue: name) { return comparison(kind, parts) }
            if let found = constantOperation(name, parts) { return found }
            return problem == nil ? call(name, parts, type) : nil
        }
    }

    /// Parses operators that name a part of the context.
    private mutating func constantOperation(_ name: String, _ parts: [JSON]) -> Typed? {
        let found: Typed
        switch name {
        case "zoom": found = Typed(.zoom, .number)
        case "line-progress", "heatmap-density", "elevation": found = Typed(.progress, .number)
        case "id": found = Typed(.identifier, .value)
        case "geometry-type": found = Typed(.geometryType, .string)
        case "properties": found = Typed(.attributes, .object)
        case "accumulated": found = Typed(.state(.null), .value)
        case "feature-state":
            guard parts.count == 1, expression(parts[0], .string) != nil else {
                return fail("\"feature-state\" needs the name of a state")
            }
            return Typed(.state(.null), .value)
        case "global-state":
            guard parts.count == 1, let name = parts[0].string else {
                return fail("\"global-state\" needs the name of a state")
            }
            return Typed(.state(states[name] ?? .null), .value)
        case "within", "distance":
            guard parts.count == 1, let relation = StyleRelation(name, parts[0]) else {
                return fail(
                    "\"\(name)\" needs GeoJSON with \(name == "within" ? "polygons" : "a geometry") "
                        + "of at most \(StyleRelation.pointLimit) positions")
            }
            return Typed(.relation(relation), name == "within" ? .bool : .number)
        default: return nil
        }
        return parts.isEmpty ? found : fail("\"\(name)\" takes no values")
    }

    private func literal(_ value: StyleValue, _ type: StyleType?) -> Typed {
        // An empty list is one of whatever is needed.
        if value == .array([]), case .array(_, let count) = type, count ?? 0 == 0 {
            return Typed(.constant(value), type ?? value.type)
        }
        return Typed(value)
    }

    private mutating func semiliteral(_ parts: [JSON]) -> Typed? {
        guard parts.count == 1 else { return fail("\"semiliteral\" needs one value") }
        guard let items = parts[0].array else { return Typed(StyleValue(parts[0])) }
        guard let list = expressions(items, .value) else { return nil }
        let types = Set(list.map(\.type))
        let type = types.count == 1 ? types.first ?? .value : .value
        return Typed(.list(list.map(\.node)), .array(type, count: list.count))
    }

    private mutating func logic(_ name: String, _ parts: [JSON]) -> Typed? {
        guard let nodes = expressions(parts, .bool)?.map(\.node) else { return nil }
        switch name {
        case "all": return Typed(.all(nodes), .bool)
        case "any": return Typed(.any(nodes), .bool)
        default:
            guard nodes.count == 1 else { return fail("\"!\" needs one value") }
            return Typed(.not(nodes[0]), .bool)
        }
    }

    private mutating func binding(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard let body = parts.last, parts.count >= 3, parts.count % 2 == 1 else {
            return fail("\"let\" needs names with values, then a body")
        }
        let outer = scopes, first = variableCount
        var values: [StyleNode] = [], inner = scopes
        for at in stride(from: 0, to: parts.count - 1, by: 2) {
            guard let name = parts[at].string,
                name.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isLetterOrDigit })
            else { return fail("\"let\" needs names of letters, digits and underscores") }
            guard let value = expression(parts[at + 1]) else { return nil }
            let isConstant = value.node.constant != nil
            inner[name] = isConstant ? value : Typed(.variable(first + values.count), value.type)
            values.append(value.node)
        }
        scopes = inner
        variableCount = first + values.count
        defer {
            scopes = outer
            variableCount = first
        }
        return expression(body, type).map { Typed(.binding(first, values, $0.node), $0.type) }
    }

    private mutating func variable(_ parts: [JSON]) -> Typed? {
        guard parts.count == 1, let name = parts[0].string, let bound = scopes[name] else {
            return fail("\"var\" uses a name that no surrounding \"let\" defines")
        }
        return bound
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}

/// Parses expressions with branches or stops. All outputs have the required type, or else that of the first.
extension ExpressionParser {
    mutating func choice(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard parts.count >= 3, parts.count % 2 == 1 else {
            return fail("\"case\" needs conditions with outputs, then one more output")
        }
        var nodes: [StyleNode] = [], type = type == .value ? nil : type
        for (index, part) in parts.enumerated() {
            let isCondition = index % 2 == 0 && index < parts.count - 1
            guard let next = expression(part, isCondition ? .bool : type) else { return nil }
            if !isCondition { type = type ?? next.type }
            nodes.append(next.node)
        }
        return Typed(.choice(nodes), type ?? .value)
    }

    mutating func match(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard parts.count >= 4, parts.count % 2 == 0 else {
            return fail("\"match\" needs a value, labels with outputs, then one more output")
        }
        var labels: [StyleValue: Int] = [:], outputs: [StyleNode] = [], type = type == .value ? nil : type
        for at in stride(from: 1, to: parts.count - 1, by: 2) {
            for label in parts[at].array ?? [parts[at]] {
                let value = StyleValue(label)
                guard isLabel(value), labels.first.map({ $0.key.type == value.type }) ?? true else {
                    return fail("the labels of \"match\" must be whole numbers or texts, all of one type")
                }
                guard labels.updateValue(outputs.count, forKey: value) == nil else {
                    return fail("\"match\" has the label \(label.text) twice")
                }
            }
            guard parts[at].array?.isEmpty != true else {
                return fail("\"match\" has an output without labels")
            }
            guard let output = expression(parts[at + 1], type) else { return nil }
            type = type ?? output.type
            outputs.append(output.node)
        }
        guard let input = expression(parts[0], .value), let other = expression(parts[parts.count - 1], type)
        else { return nil }
        let label = labels.first?.key.type ?? .value
        guard input.type == .value || label.accepts(input.type) else {
            return fail("\"match\" compares \(input.type.text) with labels that are not")
        }
        return Typed(.match(input.node, labels, outputs, other.node), type ?? .value)
    }

    private func isLabel(_ value: StyleValue) -> Bool {
        switch value {
        case .string: true
        case .number(let number): number == number.rounded(.down) && abs(number) < 9_007_199_254_740_992
        default: false
        }
    }

    mutating func coalesce(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard !parts.isEmpty else { return fail("\"coalesce\" needs a value") }
        var nodes: [StyleNode] = [], output = type == .value ? nil : type, isFitting = true
        for (index, part) in parts.enumerated() {
            // A check or conversion would fail for a missing value, so it is done for the result.
            guard let next = expression(part, output, .omitted) else { return nil }
            output = output ?? next.type
            if let type, !type.accepts(next.type) { isFitting = false }
            let isLast = index == parts.count - 1
            nodes.append(next.type == .image && !isLast ? .availableImage(next.node) : next.node)
        }
        return Typed(.coalesce(nodes), isFitting ? output ?? .value : .value)
    }

    mutating func step(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard parts.count >= 4, parts.count % 2 == 0 else {
            return fail("\"step\" needs a value, an output, then stops with outputs")
        }
        let type = type == .value ? nil : type
        guard let input = expression(parts[0], .number), let first = expression(parts[1], type),
            let (stops, outputs, _) = stops(parts.dropFirst(2), type ?? first.type)
        else { return nil }
        return Typed(.step(input.node, stops, [first.node] + outputs), type ?? first.type)
    }

    mutating func interpolation(_ parts: [JSON], _ type: StyleType?, _ space: StyleColour.Space) -> Typed? {
        guard parts.count >= 4, parts.count % 2 == 0 else {
            return fail("\"interpolate\" needs a kind, a value, then stops with outputs")
        }
        guard let curve = curve(parts[0]), let input = expression(parts[1], .number),
            let (stops, outputs, output) = stops(
                parts.dropFirst(2), space != .rgb ? .colour : type == .value ? nil : type)
        else { return nil }
        guard output.isInterpolable else { return fail("\"interpolate\" needs numbers or colours") }
        return Typed(.interpolation(StyleInterpolation(curve, space), input.node, stops, outputs), output)
    }

    private mutating func curve(_ json: JSON) -> StyleInterpolation.Curve? {
        let numbers = (json.array ?? []).dropFirst().compactMap(\.double)
        switch json.array?.first?.string {
        case "linear": return .exponential(base: 1)
        case "exponential" where !numbers.isEmpty: return .exponential(base: numbers[0])
        case "cubic-bezier" where numbers.count == 4 && numbers.allSatisfy { 0...1 ~= $0 }:
            return .bezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
        default:
            _ = fail(
                "\"interpolate\" supports linear, exponential with a base, and cubic-bezier with four numbers "
                    + "from 0 to 1")
            return nil
        }
    }

    private mutating func stops(
        _ parts: ArraySlice<JSON>, _ type: StyleType?
    ) -> (stops: [Double], outputs: [StyleNode], type: StyleType)? {
        var stops: [Double] = [], outputs: [StyleNode] = [], type = type
        for at in stride(from: parts.startIndex, to: parts.endIndex - 1, by: 2) {
            guard let stop = parts[at].double, stop > stops.last ?? -.infinity else {
                _ = fail("stops must be increasing numbers")
                return nil
            }
            guard let output = expression(parts[at + 1], type) else { return nil }
            type = type ?? output.type
            stops.append(stop)
            outputs.append(output.node)
        }
        return (stops, outputs, type ?? .value)
    }
}
