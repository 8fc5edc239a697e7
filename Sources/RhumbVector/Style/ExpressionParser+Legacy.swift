internal import RhumbBase

/// Parses the syntax that predates expressions: filters with plain attribute names, functions with stops, and
/// texts with names in braces.
extension ExpressionParser {
    /// Parses a filter in either syntax.
    mutating func filter(_ json: JSON) -> StyleNode? {
        if let flag = json.bool { return .constant(.bool(flag)) }
        return ExpressionParser.isLegacyFilter(json) ? legacyFilter(json) : expression(json, .bool)
    }

    /// Returns true if a filter uses the old syntax. The result applies to the whole filter.
    static func isLegacyFilter(_ json: JSON) -> Bool {
        guard let parts = json.array, let name = parts.first?.string else { return false }
        switch name {
        case "!in", "!has", "none": return true
        case "has": return parts.count == 2 && ["$type", "$id"].contains(parts[1].string)
        case "in":
            return parts.count >= 3 && parts[1].string != nil && (parts[2].array == nil || parts.count > 3)
        case "==", "!=", "<", "<=", ">", ">=":
            return parts.count != 3 || (parts[1].array == nil && parts[2].array == nil)
        case "all", "any": return parts.dropFirst().contains { $0.bool == nil && isLegacyFilter($0) }
        default: return false
        }
    }

    private mutating func legacyFilter(_ json: JSON) -> StyleNode? {
        guard let parts = json.array, let name = parts.first?.string else {
            return json.bool.map { .constant(.bool($0)) }
                ?? fail(
                    "a filter must be a list that begins with an "
                        + "operator")
        }
        switch name {
        case "all", "any", "none":
            var nodes: [StyleNode] = []
            for part in parts.dropFirst() {
                let isOld = ExpressionParser.isLegacyFilter(part) || part.array?.first?.string == "has"
                guard let node = isOld ? legacyFilter(part) : filter(part) else { return nil }
                nodes.append(node)
            }
            return name == "all" ? .all(nodes) : name == "any" ? .any(nodes) : .not(.any(nodes))
        default: return legacyTest(name, parts)
        }
    }

    private mutating func legacyTest(_ name: String, _ parts: [JSON]) -> StyleNode? {
        guard parts.count > 1, let key = parts[1].string else {
            return fail(
                "\"\(name)\" needs an attribute name "
                    + "first")
        }
        let values = parts.dropFirst(2).map(StyleValue.init)
        let subject: StyleNode =
            key == "$type" ? .geometryType : key == "$id" ? .identifier : .attribute(names.number(of: key))
        switch name {
        case "in": return .membership(subject, Set(values))
        case "!in": return .not(.membership(subject, Set(values)))
        case "has", "!has":
            let has: StyleNode =
                key.hasPrefix("$")
                ? .comparison(.unequal, subject, .constant(.null)) : .hasAttribute(names.number(of: key))
            return name == "has" ? has : .not(has)
        default:
            guard let kind = StyleComparison(rawValue: name), values.count == 1 else {
                return fail("the filter \"\(name)\" is unknown or has too many values")
            }
            return .comparison(kind, subject, .constant(values[0]))
        }
    }

    /// Parses a function: an object with stops by zoom, by an attribute, or by both.
    mutating func function(_ json: JSON, _ type: StyleType?) -> StyleNode? {
        let attribute = json["property"]?.string.map { StyleNode.attribute(names.number(of: $0)) }
        let kind = json["type"]?.string
        if kind == "identity", let attribute { return withDefault(attribute, json, type) }
        guard let stops = json["stops"]?.array, !stops.isEmpty else {
            return fail("a function needs \"stops\"")
        }
        var inputs: [JSON] = [], outputs: [JSON] = []
        for stop in stops {
            guard let pair = stop.array, pair.count == 2 else {
                return fail("a stop must be a list of two values")
            }
            inputs.append(pair[0])
            outputs.append(pair[1])
        }
        guard let attribute else { return ramp(.zoom, inputs, outputs, json, type) }
        if inputs.contains(where: { $0.object != nil }) {
            return surface(attribute, inputs, outputs, json, type)
        }
        return ramp(attribute, inputs, outputs, json, type).flatMap { withDefault($0, json, type) }
    }

    private mutating func withDefault(_ node: StyleNode, _ json: JSON, _ type: StyleType?) -> StyleNode? {
        guard let given = json["default"] else { return node }
        return output(given, type).map { .coalesce([node, $0]) }
    }

    /// Parses an output of a function, which is a plain value or list.
    private mutating func output(_ json: JSON, _ type: StyleType?) -> StyleNode? {
        json.array == nil && json.object == nil ? expression(json, type) : .constant(StyleValue(json))
    }

    private mutating func ramp(
        _ input: StyleNode, _ inputs: [JSON], _ outputs: [JSON], _ json: JSON, _ type: StyleType?
    ) -> StyleNode? {
        var nodes: [StyleNode] = []
        for value in outputs {
            guard let node = type == .string ? tokens(value) : output(value, type) else { return nil }
            nodes.append(node)
        }
        let isSmooth = type == .number || type == .colour || type == .array
        let stops = inputs.compactMap(\.double)
        let usual = stops.count < inputs.count ? "categorical" : isSmooth ? "exponential" : "interval"
        let kind = json["type"]?.string ?? usual
        guard kind != "categorical" else {
            let labels = Dictionary(zip(inputs.map(StyleValue.init), inputs.indices)) { first, _ in first }
            return .match(input, labels, nodes, .constant(.null))
        }
        guard stops.count == inputs.count, zip(stops, stops.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            return fail("the stops of a function must increase")
        }
        if kind == "interval" { return .step(input, Array(stops.dropFirst()), nodes) }
        return .interpolation(.exponential(base: json["base"]?.double ?? 1), input, stops, nodes)
    }

    /// Parses stops by zoom and attribute: a ramp over the attribute for each zoom.
    private mutating func surface(
        _ attribute: StyleNode, _ inputs: [JSON], _ outputs: [JSON], _ json: JSON, _ type: StyleType?
    ) -> StyleNode? {
        var zooms: [Double] = [], ramps: [StyleNode] = []
        let pairs = inputs.indices.map {
            (inputs[$0]["zoom"]?.double, inputs[$0]["value"] ?? .null, outputs[$0])
        }
        for zoom in Set(pairs.compactMap(\.0)).sorted() {
            let here = pairs.filter { $0.0 == zoom }
            guard let node = ramp(attribute, here.map(\.1), here.map(\.2), json, type),
                let whole = withDefault(node, json, type)
            else { return nil }
            zooms.append(zoom)
            ramps.append(whole)
        }
        guard !zooms.isEmpty else { return fail("a stop's zoom must be a number") }
        guard type == .number || type == .colour || type == .array else {
            return .step(.zoom, Array(zooms.dropFirst()), ramps)
        }
        return .interpolation(.exponential(base: json["base"]?.double ?? 1), .zoom, zooms, ramps)
    }

    /// Parses a text in which `{name}` stands for an attribute.
    mutating func tokens(_ json: JSON) -> StyleNode? {
        guard let text = json.string, text.contains("{") else { return expression(json, .string) }
        var parts: [StyleNode] = [], rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.constant(.string(String(rest[..<open])))) }
            parts.append(.attribute(names.number(of: String(rest[rest.index(after: open)..<close]))))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.constant(.string(String(rest)))) }
        return .call(.concat, parts)
    }
}
