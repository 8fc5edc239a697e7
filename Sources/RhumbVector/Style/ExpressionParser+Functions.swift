internal import RhumbBase

/// Parses the values of properties. Functions, the syntax that predates expressions, are rewritten as such.
extension ExpressionParser {
    /// The kind of values of a property.
    struct Form {
        let type: StyleType
        /// True if functions mix values between their stops.
        let isInterpolated: Bool
        /// True if `{name}` in a text stands for an attribute.
        let hasTokens: Bool
        /// The allowed texts; empty for any.
        let texts: [String]
    }

    /// Parses the value of a property in any syntax.
    mutating func property(_ json: JSON, _ form: Form) -> StyleNode? {
        let type = form.type
        var value = json
        if json.object != nil {
            guard let rewritten = rewritten(json, form) else { return nil }
            value = rewritten
        } else if let parts = json.array {
            let isPlain = parts.first?.string == nil
            if case .array = type, isPlain { value = ["literal", json] }
        } else if form.hasTokens, let text = json.string {
            value = ExpressionParser.tokens(text)
        }
        if type == .formatted, value.double != nil || value.bool != nil {
            return .constant(.string(StyleValue(value).text))
        }
        guard let node = expression(value, type, type == .string ? .conversion : nil)?.node else {
            return nil
        }
        if let text = node.constant?.string, !form.texts.isEmpty, !form.texts.contains(text) {
            return fail("\(value.text) is none of \(form.texts.joined(separator: ", "))")?.node
        }
        guard node.usesZoomAsSpecified else {
            return fail("\"zoom\" may only be the input of one \"step\" or \"interpolate\" around all else")?
                .node
        }
        return node
    }

    /// Rewrites a function: an object with stops by zoom, by an attribute, or by both.
    private mutating func rewritten(_ json: JSON, _ form: Form) -> JSON? {
        let attribute = json["property"]?.string
        guard let stops = json["stops"]?.array, !stops.isEmpty else {
            if json["type"]?.string == "identity" || json["stops"] == nil, let attribute {
                return identity(attribute, json["default"], form)
            }
            return fault("a function needs \"stops\"")
        }
        let pairs = stops.compactMap(\.array).filter { $0.count == 2 }
            .map { Stop(input: $0[0], output: ExpressionParser.quoted($0[1])) }
        guard pairs.count == stops.count else { return fault("a stop must be a list of two values") }
        let function = Function(
            kind: json["type"]?.string ?? usualKind(pairs, form),
            base: json["base"]?.double ?? 1, space: json["colorSpace"]?.string ?? "rgb",
            fallback: json["default"].map(ExpressionParser.quoted), form: form)
        guard ["rgb", "hcl", "lab"].contains(function.space) else {
            return fault("the colour space \"\(function.space)\" is unknown")
        }
        guard pairs[0].input.object != nil else {
            return attribute.map { ramp(byAttribute: $0, pairs, function) } ?? ramp(byZoom: pairs, function)
        }
        guard let attribute else { return fault("a function by zoom and value needs a \"property\"") }
        return surface(attribute, pairs, function)
    }

    private struct Stop {
        let input: JSON
        let output: JSON

        /// The value of the attribute.
        var value: JSON { input.object == nil ? input : input["value"] ?? .null }
    }

    private func usualKind(_ stops: [Stop], _ form: Form) -> String {
        if stops.contains(where: { $0.value.double == nil }) { return "categorical" }
        return form.isInterpolated ? "exponential" : "interval"
    }

    private struct Function {
        let kind: String
        let base: Double
        let space: String
        /// The value for features without the attribute; nil for the default of the property.
        let fallback: JSON?
        let form: Form

        /// The beginning of an interpolation.
        func curve(_ base: Double, _ input: JSON) -> [JSON] {
            let name = space == "rgb" ? "interpolate" : "interpolate-\(space)"
            return [.string(name), base == 1 ? ["linear"] : ["exponential", .number(base)], input]
        }
    }

    private mutating func fault(_ problem: String) -> JSON? {
        _ = fail(problem)
        return nil
    }

    private func identity(_ attribute: String, _ fallback: JSON?, _ form: Form) -> JSON {
        let get: JSON = ["get", .string(attribute)]
        let fallbacks = fallback.map { [ExpressionParser.quoted($0)] } ?? []
        switch form.type {
        case .string where fallback != nil && !form.texts.isEmpty:
            return .array(["match", get, .array(form.texts.map(JSON.string)), get] + fallbacks)
        case .number, .string, .bool: return .array([.string(form.type.name), get] + fallbacks)
        case .colour: return fallbacks.isEmpty ? get : .array(["to-color", get] + fallbacks)
        case .array(let item, let count):
            return .array(["array", .string(item.name), .count(count), get] + fallbacks)
        default: return fallbacks.isEmpty ? get : .array(["coalesce", get] + fallbacks)
        }
    }

    private mutating func ramp(byZoom stops: [Stop], _ function: Function) -> JSON? {
        let stops = function.form.hasTokens ? stops.map(replacingTokens) : stops
        guard function.kind != "categorical" else { return fault("stops by zoom can't be categorical") }
        return ramp(["zoom"], stops, function, base: function.base)
    }

    private func replacingTokens(_ stop: Stop) -> Stop {
        Stop(input: stop.input, output: stop.output.string.map(ExpressionParser.tokens) ?? stop.output)
    }

    private func ramp(byAttribute name: String, _ stops: [Stop], _ function: Function) -> JSON {
        let get: JSON = ["get", .string(name)]
        guard function.kind != "categorical" else { return choice(get, stops, function) }
        let ramp = ramp(["number", get], stops, function, base: function.base)
        guard let fallback = function.fallback else { return ramp }
        return ["case", ["==", ["typeof", get], "number"], ramp, fallback]
    }

    private func choice(_ get: JSON, _ stops: [Stop], _ function: Function) -> JSON {
        var seen: Set<JSON> = [], parts: [JSON] = ["case"]
        for stop in stops where seen.insert(stop.input).inserted {
            parts += [["==", get, stop.input], stop.output]
        }
        return .array(parts + [function.fallback ?? ExpressionParser.missing])
    }

    /// Rewrites stops in ascending order. Of equal ones, the first counts.
    private func ramp(_ input: JSON, _ stops: [Stop], _ function: Function, base: Double) -> JSON {
        var parts = function.kind == "interval" ? ["step", input] : function.curve(base, input)
        var last: JSON?
        for stop in stops where stop.input != last {
            if function.kind != "interval" || last != nil { parts.append(stop.input) }
            parts.append(stop.output)
            last = stop.input
        }
        // A step needs at least one stop.
        if function.kind == "interval", parts.count == 3 { parts += [0, parts[2]] }
        return .array(parts)
    }

    /// Rewrites stops by zoom and attribute: a ramp over the attribute for each zoom.
    private mutating func surface(_ attribute: String, _ stops: [Stop], _ function: Function) -> JSON? {
        var zooms: [Double] = [], rows: [Double: [Stop]] = [:]
        for stop in stops {
            guard let zoom = stop.input["zoom"]?.double else {
                return fault("a stop's zoom must be a number")
            }
            if rows[zoom] == nil { zooms.append(zoom) }
            rows[zoom, default: []].append(Stop(input: stop.value, output: stop.output))
        }
        let row = Function(
            kind: function.kind, base: 1, space: "rgb", fallback: function.fallback, form: function.form)
        let ramps = zooms.map { zoom in
            Stop(input: .number(zoom), output: ramp(byAttribute: attribute, rows[zoom] ?? [], row))
        }
        let kind = function.form.isInterpolated ? "exponential" : "interval"
        let whole = Function(
            kind: kind, base: function.base, space: function.space, fallback: nil, form: function.form)
        return ramp(["zoom"], ramps, whole, base: function.base)
    }

    /// A part of a function that has no value.
    private static let missing: JSON = ["error", "no value"]

    /// Marks a list or object as a value.
    private static func quoted(_ json: JSON) -> JSON {
        json.array != nil || json.object != nil ? ["literal", json] : json
    }

    /// Rewrites a text in which `{name}` stands for an attribute.
    private static func tokens(_ text: String) -> JSON {
        var parts: [JSON] = ["concat"], literal = "", rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            literal += rest[..<open]
            let name = rest[rest.index(after: open)...].prefix { $0 != "{" && $0 != "}" }
            guard !name.isEmpty, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
                literal += "{"
                rest = rest[rest.index(after: open)...]
                continue
            }
            if !literal.isEmpty { parts.append(.string(literal)) }
            parts.append(["get", .string(String(name))])
            literal = ""
            rest = rest[rest.index(after: name.endIndex)...]
        }
        if parts.count == 1 { return .string(text) }
        return .array(literal.isEmpty && rest.isEmpty ? parts : parts + [.string(literal + rest)])
    }
}
