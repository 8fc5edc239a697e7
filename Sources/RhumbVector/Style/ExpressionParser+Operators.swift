internal import RhumbBase

/// Parses operators that compute with the values of their arguments.
extension ExpressionParser {
    mutating func call(_ name: String, _ parts: [JSON], _ type: StyleType?) -> Typed? {
        switch name {
        case "at": return element(parts, type)
        case "in", "index-of": return search(name, parts)
        case "slice": return slice(parts)
        case "length": return length(parts)
        case "format": return formatted(parts)
        case "image":
            guard parts.count == 1 else { return fail("\"image\" needs a name") }
            return expression(parts[0], .string).map { Typed($0.node, .image) }
        case "number-format": return numberFormat(parts)
        case "collator": return collator(parts)
        default: break
        }
        guard let function = StyleFunction(rawValue: name), let signature = function.signature else {
            return fail("unknown operator \"\(name)\"")
        }
        guard signature.count.contains(parts.count) else {
            return fail("\"\(name)\" has \(parts.count) values")
        }
        var nodes: [StyleNode] = []
        for (index, part) in parts.enumerated() {
            guard let argument = expression(part, signature.type(ofArgument: index)) else { return nil }
            nodes.append(argument.node)
        }
        if nodes.count == 1, let attribute = nodes[0].constant?.string {
            if function == .get { return Typed(.attribute(names.number(of: attribute)), .value) }
            if function == .has { return Typed(.hasAttribute(names.number(of: attribute)), .bool) }
        }
        return Typed(.call(function, nodes), signature.result)
    }

    mutating func comparison(_ kind: StyleComparison, _ parts: [JSON]) -> Typed? {
        guard parts.count == 2 || parts.count == 3, let sides = expressions(parts.prefix(2), .value) else {
            return fail("\"\(kind.rawValue)\" needs two values")
        }
        for (side, json) in zip(sides, parts) where !kind.compares(side.type) {
            return fail("\"\(kind.rawValue)\" can't compare \(json.text), which is \(side.type.text)")
        }
        let types = Set(sides.map(\.type)).subtracting([.value, .failure])
        guard types.count < 2 else {
            return fail(
                "\"\(kind.rawValue)\" can't compare \(sides[0].type.text) with \(sides[1].type.text)")
        }
        var nodes = sides.map(\.node)
        if kind.needsOrder, let type = types.first {
            nodes = sides.map { $0.type == .value ? .assertion(type, [$0.node]) : $0.node }
        }
        guard parts.count == 3 else { return Typed(.comparison(kind, nodes[0], nodes[1]), .bool) }
        guard types.isEmpty || types == [.string] || sides.contains(where: { $0.type == .value }) else {
            return fail("a collator compares texts only")
        }
        guard let collator = expression(parts[2], .collator) else { return nil }
        return Typed(.collation(kind, nodes[0], nodes[1], collator.node), .bool)
    }

    mutating func assertion(_ name: String, _ parts: [JSON]) -> Typed? {
        let types: [String: StyleType] = ["number": .number, "string": .string, "boolean": .bool]
        guard !parts.isEmpty else { return fail("\"\(name)\" needs a value") }
        guard name == "array" else {
            let type = types[name] ?? .object
            return expressions(parts, .value).map { Typed(.assertion(type, $0.map(\.node)), type) }
        }
        var item = StyleType.value, count: Int?
        if parts.count > 1 {
            guard let type = parts[0].string.flatMap({ types[$0] }) else {
                return fail("the items of \"array\" must be \"string\", \"number\" or \"boolean\"")
            }
            item = type
        }
        if parts.count > 2, parts[1] != .null {
            guard let length = parts[1].int, length >= 0 else {
                return fail("the length of \"array\" must be a whole number")
            }
            count = length
        }
        let type = StyleType.array(item, count: count)
        return expressions(parts.dropFirst(min(parts.count - 1, 2)), .value)
            .map { Typed(.assertion(type, $0.map(\.node)), type) }
    }

    mutating func conversion(_ name: String, _ parts: [JSON]) -> Typed? {
        let types: [String: StyleType] = ["to-number": .number, "to-string": .string, "to-boolean": .bool]
        let type = types[name] ?? .colour
        guard parts.count == 1 || parts.count > 1 && (type == .number || type == .colour) else {
            return fail("\"\(name)\" has \(parts.count) values")
        }
        return expressions(parts, .value).map { Typed(.conversion(type, $0.map(\.node)), type) }
    }

    private mutating func element(_ parts: [JSON], _ type: StyleType?) -> Typed? {
        guard parts.count == 2 else { return fail("\"at\" has \(parts.count) values") }
        guard let index = expression(parts[0], .number),
            let list = expression(parts[1], .array(type ?? .value, count: nil))
        else { return nil }
        var item = StyleType.value
        if case .array(let type, _) = list.type { item = type }
        return Typed(.call(.at, [index.node, list.node]), item)
    }

    private mutating func search(_ name: String, _ parts: [JSON]) -> Typed? {
        guard parts.count == 2 || parts.count == 3 && name == "index-of" else {
            return fail("\"\(name)\" has \(parts.count) values")
        }
        guard let needle = expression(parts[0], .value), let subject = expression(parts[1], .value) else {
            return nil
        }
        guard [.bool, .string, .number, .null, .value].contains(needle.type) else {
            return fail("\"\(name)\" can't look for \(parts[0].text), which is \(needle.type.text)")
        }
        var nodes = [needle.node, subject.node]
        if parts.count == 3 {
            guard let start = expression(parts[2], .number) else { return nil }
            nodes.append(start.node)
        }
        return name == "in" ? Typed(.call(.in, nodes), .bool) : Typed(.call(.indexOf, nodes), .number)
    }

    private mutating func slice(_ parts: [JSON]) -> Typed? {
        guard parts.count == 2 || parts.count == 3 else { return fail("\"slice\" has \(parts.count) values") }
        guard let subject = subject(of: "slice", parts[0]),
            let limits = expressions(parts.dropFirst(), .number)
        else { return nil }
        var type = subject.type
        if case .array(let item, _) = type { type = .array(item, count: nil) }
        return Typed(.call(.slice, [subject.node] + limits.map(\.node)), type)
    }

    private mutating func length(_ parts: [JSON]) -> Typed? {
        guard parts.count == 1 else { return fail("\"length\" has \(parts.count) values") }
        return subject(of: "length", parts[0]).map { Typed(.call(.length, [$0.node]), .number) }
    }

    /// Parses a text or list.
    private mutating func subject(of name: String, _ json: JSON) -> Typed? {
        guard let subject = expression(json, .value) else { return nil }
        switch subject.type {
        case .array, .string, .value, .failure: return subject
        default: return fail("\(json.text) is \(subject.type.text), but a text or list is needed")
        }
    }

    /// Parses texts that alternate with objects for their formats, and ignores the formats.
    private mutating func formatted(_ parts: [JSON]) -> Typed? {
        var nodes: [StyleNode] = [], mayFormat = false
        for part in parts {
            if part.object != nil, mayFormat {
                guard readFormat(part) else { return nil }
                mayFormat = false
                continue
            }
            guard let section = expression(part, .value) else { return nil }
            mayFormat = true
            switch section.type {
            case .image: remark("images in texts are left out")
            case .string, .value, .null, .failure: nodes.append(section.node)
            default: return fail("\"format\" needs texts, but \(part.text) is \(section.type.text)")
            }
        }
        guard !parts.isEmpty else { return fail("\"format\" needs a text") }
        return Typed(.call(.concat, nodes), .formatted)
    }

    private mutating func readFormat(_ json: JSON) -> Bool {
        let types: [(String, StyleType)] = [
            ("font-scale", .number), ("text-font", .array(.string, count: nil)), ("text-color", .colour),
            ("vertical-align", .string),
        ]
        for (name, type) in types {
            guard let option = json[name] else { continue }
            guard let value = expression(option, type) else { return false }
            if name == "vertical-align", let text = value.node.constant?.string,
                !["bottom", "center", "top"].contains(text)
            {
                return fail("\"vertical-align\" is bottom, center or top, not \(option.text)") != nil
            }
        }
        return true
    }

    private mutating func numberFormat(_ parts: [JSON]) -> Typed? {
        guard parts.count == 2, let options = parts[1].object else {
            return fail("\"number-format\" needs a number and an object with options")
        }
        guard let number = expression(parts[0], .number) else { return nil }
        var nodes = [number.node]
        for (name, type) in StyleNumberFormat.options {
            guard let option = options[name] else {
                nodes.append(.constant(.null))
                continue
            }
            guard let node = expression(option, type)?.node else { return nil }
            nodes.append(node)
        }
        guard options["currency"] == nil || options["unit"] == nil else {
            return fail("\"number-format\" has a currency and a unit")
        }
        return Typed(.call(.numberFormat, nodes), .string)
    }

    private mutating func collator(_ parts: [JSON]) -> Typed? {
        guard parts.count == 1, let options = parts[0].object else {
            return fail("\"collator\" needs an object with options")
        }
        guard let isCaseSensitive = expression(options["case-sensitive"] ?? false, .bool),
            let isAccentSensitive = expression(options["diacritic-sensitive"] ?? false, .bool)
        else { return nil }
        var locale = StyleNode.constant(.null)
        if let option = options["locale"] {
            guard let node = expression(option, .string)?.node else { return nil }
            if let name = node.constant?.string, !StyleCollator.knows(name) {
                remark("\"collator\" doesn't know the rules of \"\(name)\"; it compares by Unicode order")
            }
            locale = node
        }
        return Typed(.call(.collator, [isCaseSensitive.node, isAccentSensitive.node, locale]), .collator)
    }
}

extension StyleComparison {
    /// Returns true if values of a type can be compared.
    fileprivate func compares(_ type: StyleType) -> Bool {
        switch type {
        case .string, .number, .value, .failure: true
        case .bool, .null: !needsOrder
        default: false
        }
    }
}
