internal import RhumbBase

/// Parses expressions of the style specification: JSON arrays that begin with an operator.
struct ExpressionParser {
    var names: StyleNames
    /// The first problem found; nil if there is none.
    private(set) var problem: String?
    private var scopes: [String: Int] = [:]
    private var variableCount = 0

    init(names: StyleNames) { self.names = names }

    /// Parses an expression; returns nil and sets `problem` if it is invalid.
    /// - Parameter type: The required type, if known. Colour names are then parsed only once.
    mutating func expression(_ json: JSON, _ type: StyleType? = nil) -> StyleNode? {
        switch json {
        case .array(let parts):
            guard let name = parts.first?.string else {
                return fail("a list here must begin with an operator")
            }
            return operation(name, parts.dropFirst(), type).flatMap { checked($0, json, type) }
        case .object: return fail("an object needs \"literal\" before it")
        default: return constant(json, type)
        }
    }

    mutating func fail(_ words: String) -> StyleNode? {
        problem = problem ?? words
        return nil
    }

    /// Rejects a node whose type is known and can't be used as the wanted one.
    private mutating func checked(_ node: StyleNode, _ json: JSON, _ wanted: StyleType?) -> StyleNode? {
        guard let wanted, let type = node.type, !type.serves(as: wanted) else { return node }
        return fail("\(json.text) is \(type.words), but \(wanted.words) is needed")
    }

    private mutating func constant(_ json: JSON, _ type: StyleType?) -> StyleNode? {
        guard type == .colour, let text = json.string else {
            return checked(.constant(StyleValue(json)), json, type)
        }
        guard let colour = StyleColour(css: text) else { return fail("\"\(text)\" is not a colour") }
        return .constant(.colour(colour))
    }

    private mutating func operation(
        _ name: String, _ parts: ArraySlice<JSON>, _ type: StyleType?
    ) -> StyleNode? {
        let first = parts.startIndex
        switch name {
        case "literal":
            guard parts.count == 1 else { return fail("\"literal\" needs one value") }
            return .constant(StyleValue(parts[first]))
        case "zoom": return .zoom
        case "line-progress", "heatmap-density": return .progress
        case "id": return .identifier
        case "geometry-type": return .geometryType
        case "properties": return .attributes
        case "get", "has":
            if parts.count == 1, let attribute = parts[first].string {
                let number = names.number(of: attribute)
                return name == "get" ? .attribute(number) : .hasAttribute(number)
            }
        case "==", "!=", "<", "<=", ">", ">=": return comparison(name, parts)
        case "!":
            guard parts.count == 1 else { return fail("\"!\" needs one value") }
            return expression(parts[first], .bool).map(StyleNode.not)
        case "all": return list(parts, .bool).map(StyleNode.all)
        case "any": return list(parts, .bool).map(StyleNode.any)
        case "none": return list(parts, .bool).map { .not(.any($0)) }
        case "coalesce": return list(parts, type).map(StyleNode.coalesce)
        case "case": return choice(parts, type)
        case "match": return match(parts, type)
        case "step": return step(parts, type)
        case "interpolate", "interpolate-hcl", "interpolate-lab": return interpolation(parts, type)
        case "let": return binding(parts, type)
        case "var": return variable(parts)
        case "number", "string", "boolean", "object", "array": return assertion(name, parts)
        case "to-number", "to-string", "to-boolean", "to-color": return conversion(name, parts)
        case "format": return formatted(parts)
        case "image":
            guard let name = parts.first else { return fail("\"image\" needs a name") }
            return expression(name, .string)
        default: break
        }
        return call(name, parts)
    }

    private mutating func call(_ name: String, _ parts: ArraySlice<JSON>) -> StyleNode? {
        guard let function = StyleFunction(rawValue: name) else {
            return fail("unknown operator \"\(name)\"")
        }
        // Ignores the options of number-format, which only change how digits are grouped.
        let parts = function == .numberFormat ? parts.prefix(1) : parts
        guard function.arity.contains(parts.count) else {
            return fail("\"\(name)\" has \(parts.count) values")
        }
        return list(parts, function.argumentType).map { .call(function, $0) }
    }

    mutating func list(_ parts: some Sequence<JSON>, _ type: StyleType?) -> [StyleNode]? {
        var nodes: [StyleNode] = []
        for part in parts {
            guard let node = expression(part, type) else { return nil }
            nodes.append(node)
        }
        return nodes
    }

    private mutating func comparison(_ name: String, _ parts: ArraySlice<JSON>) -> StyleNode? {
        // Accepts and ignores a third value, which would be a collator.
        guard parts.count == 2 || parts.count == 3, let kind = StyleComparison(rawValue: name),
            let sides = list(parts.prefix(2), nil)
        else { return fail("\"\(name)\" needs two values") }
        return .comparison(kind, sides[0], sides[1])
    }

    private mutating func assertion(_ name: String, _ parts: ArraySlice<JSON>) -> StyleNode? {
        let types: [String: StyleType] = [
            "number": .number, "string": .string, "boolean": .bool, "object": .object,
        ]
        guard let type = types[name] else {
            // An item type and a length may precede an array's value.
            guard let value = parts.last, let node = expression(value) else {
                return fail("\"array\" needs a value")
            }
            return .assertion(.array, [node])
        }
        return list(parts, nil).map { .assertion(type, $0) }
    }

    private mutating func conversion(_ name: String, _ parts: ArraySlice<JSON>) -> StyleNode? {
        let types: [String: StyleType] = ["to-number": .number, "to-string": .string, "to-boolean": .bool]
        return list(parts, nil).map { .conversion(types[name] ?? .colour, $0) }
    }

    /// Parses texts that alternate with objects for their formats, and ignores the formats.
    private mutating func formatted(_ parts: ArraySlice<JSON>) -> StyleNode? {
        list(parts.filter { $0.object == nil }, .string).map { .call(.concat, $0) }
    }

    private mutating func binding(_ parts: ArraySlice<JSON>, _ type: StyleType?) -> StyleNode? {
        guard let body = parts.last, parts.count % 2 == 1 else {
            return fail("\"let\" needs names with values, then a body")
        }
        let outer = scopes, first = variableCount
        var values: [StyleNode] = [], inner = scopes
        let pairs = Array(parts.dropLast())
        for at in stride(from: 0, to: pairs.count, by: 2) {
            guard let name = pairs[at].string else { return fail("\"let\" needs strings as names") }
            guard let value = expression(pairs[at + 1]) else { return nil }
            inner[name] = first + values.count
            values.append(value)
        }
        scopes = inner
        variableCount = first + values.count
        defer {
            scopes = outer
            variableCount = first
        }
        return expression(body, type).map { .binding(first, values, $0) }
    }

    private mutating func variable(_ parts: ArraySlice<JSON>) -> StyleNode? {
        guard let name = parts.first?.string, let index = scopes[name] else {
            return fail("\"var\" uses a name that no surrounding \"let\" defines")
        }
        return .variable(index)
    }
}
