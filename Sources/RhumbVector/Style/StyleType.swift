/// The types of expressions and their values.
indirect enum StyleType: Hashable, Sendable {
    case null, number, string, bool, colour, object, formatted, image, collator
    /// Any value whose type is known only when it is evaluated.
    case value
    /// The type of an expression that always fails. It can be used as any other.
    case failure
    /// A list. The count is nil if unknown.
    case array(StyleType, count: Int?)

    /// Returns true if a value of another type is one of this type.
    func accepts(_ other: StyleType) -> Bool {
        switch (self, other) {
        case (_, .failure): true
        case (.array(let item, let count), .array(let otherItem, let otherCount)):
            (otherCount == 0 && otherItem == .value || item.accepts(otherItem))
                && (count == nil || count == otherCount)
        case (.value, _): other != .collator
        default: self == other
        }
    }

    /// Returns true if values of another type are checked when they are evaluated.
    func asserts(_ other: StyleType) -> Bool {
        switch self {
        case .number, .string, .bool, .object, .array: other == .value
        default: false
        }
    }

    /// Returns true if values of another type are converted when they are evaluated.
    func converts(_ other: StyleType) -> Bool {
        switch self {
        case .colour, .formatted, .image: other == .value || other == .string
        default: false
        }
    }

    /// True if values between two others exist.
    var isInterpolable: Bool {
        switch self {
        case .number, .colour, .failure: true
        case .array(let item, let count): item == .number && count != nil
        default: false
        }
    }

    var text: String {
        switch self {
        case .null: "null"
        case .number: "a number"
        case .string, .formatted: "a text"
        case .bool: "true or false"
        case .colour: "a colour"
        case .object: "an object"
        case .image: "an image"
        case .collator: "a collator"
        case .value, .failure: "any value"
        case .array(_, nil): "a list"
        case .array(let item, let count?):
            switch item {
            case .number: "a list of \(count) numbers"
            case .string: "a list of \(count) texts"
            default: "a list of \(count) values"
            }
        }
    }

    /// The name in the style specification, the result of `typeof`.
    var name: String {
        switch self {
        case .null: "null"
        case .number: "number"
        case .string: "string"
        case .bool: "boolean"
        case .colour: "color"
        case .object: "object"
        case .formatted: "formatted"
        case .image: "resolvedImage"
        case .collator: "collator"
        case .value: "value"
        case .failure: "error"
        case .array(.value, nil): "array"
        case .array(let item, nil): "array<\(item.name)>"
        case .array(let item, let count?): "array<\(item.name), \(count)>"
        }
    }
}

extension StyleValue {
    var type: StyleType {
        switch self {
        case .null: .null
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .colour: .colour
        case .object: .object
        case .array(let items): .array(StyleValue.itemType(of: items), count: items.count)
        }
    }

    private static func itemType(of items: [StyleValue]) -> StyleType {
        guard let first = items.first?.type else { return .value }
        guard items.count > 1 else { return first }
        // Lists of lists have no common type in the reference implementation.
        if case .array = first { return .value }
        return items.allSatisfy { $0.type == first } ? first : .value
    }
}
