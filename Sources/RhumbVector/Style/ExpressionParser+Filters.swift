internal import RhumbBase

/// Parses filters, also in the syntax that predates expressions: lists with plain attribute names.
extension ExpressionParser {
    /// Parses a filter in either syntax.
    mutating func filter(_ json: JSON) -> StyleNode? {
        guard ExpressionParser.syntax(of: json) != .old else { return oldFilter(json) }
        guard let parts = json.array, let name = parts.first?.string, name == "all" || name == "any",
            parts.contains(where: { ExpressionParser.syntax(of: $0) == .old && $0.array != nil })
        else { return expression(json, .bool)?.node }
        // As an expression, the old part would compare two texts of the style.
        remark("the filter mixes the old syntax with expressions, which other programs reject")
        return combined(name, parts.dropFirst().map { filter($0) })
    }

    private func combined(_ name: String, _ parts: [StyleNode?]) -> StyleNode? {
        let nodes = parts.compactMap(\.self)
        guard nodes.count == parts.count else { return nil }
        return name == "all" ? .all(nodes) : name == "any" ? .any(nodes) : .not(.any(nodes))
    }

    /// The syntax of a filter. Either one means that both give the same result.
    enum FilterSyntax { case old, expression, either }

    /// Returns the syntax of a filter, which applies to the whole of it.
    static func syntax(of json: JSON) -> FilterSyntax {
        if json.bool != nil { return .either }
        guard let parts = json.array, let name = parts.first?.string else { return .old }
        switch name {
        case "!in", "!has", "none": return .old
        case "has":
            if parts.count < 2 || ["$type", "$id"].contains(parts[1].string) { return .old }
            return parts.count == 2 ? .either : .expression
        case "in":
            return parts.count >= 3 && (parts[1].string == nil || parts[2].array != nil) ? .expression : .old
        case "==", "!=", "<", "<=", ">", ">=":
            return parts.count != 3 || parts[1].array != nil || parts[2].array != nil ? .expression : .old
        case "all", "any":
            let syntaxes = parts.dropFirst().map(syntax)
            if syntaxes.contains(.expression) { return .expression }
            return syntaxes.contains(.old) ? .old : .either
        default: return .expression
        }
    }

    private mutating func oldFilter(_ json: JSON) -> StyleNode? {
        guard let parts = json.array, let name = parts.first?.string else {
            return json.bool.map { .constant(.bool($0)) }
                ?? fail("a filter must be a list that begins with an operator")?.node
        }
        if parts.count == 1 { return .constant(.bool(name != "any")) }
        switch name {
        case "all", "any", "none":
            return combined(
                name,
                parts.dropFirst().map {
                    ExpressionParser.syntax(of: $0) == .expression ? filter($0) : oldFilter($0)
                })
        default: return oldTest(name, parts)
        }
    }

    private mutating func oldTest(_ name: String, _ parts: [JSON]) -> StyleNode? {
        guard let key = parts[1].string else {
            return fail("\"\(name)\" needs an attribute name first")?.node
        }
        let values = parts.dropFirst(2).map(StyleValue.init), attribute = names.number(of: key)
        let subject: StyleNode =
            key == "$type" ? .geometryType : key == "$id" ? .identifier : .attribute(attribute)
        switch name {
        case "has", "!has":
            let has: StyleNode =
                switch key {
                case "$type": .constant(.bool(true))
                case "$id": .comparison(.unequal, .identifier, .constant(.null))
                default: .hasAttribute(attribute)
                }
            return name == "has" ? has : .not(has)
        case "in", "!in":
            let isIn = present(key, .membership(subject, Set(values)), values)
            return name == "in" ? isIn : .not(isIn)
        default:
            guard let kind = StyleComparison(rawValue: name), values.count == 1 else {
                return fail("the filter \"\(name)\" is unknown or has too many values")?.node
            }
            let equals = present(key, .comparison(.equal, subject, .constant(values[0])), values)
            switch kind {
            case .equal: return equals
            case .unequal: return .not(equals)
            // Values that have no order are not a fault, but don't pass.
            default: return .holds(.comparison(kind, subject, .constant(values[0])))
            }
        }
    }

    /// Excludes features without the attribute, which aren't equal to null.
    private mutating func present(_ key: String, _ test: StyleNode, _ values: [StyleValue]) -> StyleNode {
        guard values.contains(.null), !key.hasPrefix("$") else { return test }
        return .all([.hasAttribute(names.number(of: key)), test])
    }
}
