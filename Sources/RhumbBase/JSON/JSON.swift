/// A JSON value (RFC 8259). Objects keep the order of their members.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A whole number that fits; the parser also returns it for "4.0".
    case integer(Int)
    /// A larger whole number that fits.
    case unsigned(UInt64)
    /// Any other number.
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// The member of an object; nil for another kind of value, or if the member is missing.
    public subscript(key: String) -> JSON? { object?[key] }

    /// Its members; nil for another kind of value.
    public var object: JSONObject? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Its elements; nil for another kind of value.
    public var array: [JSON]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// Its text; nil for another kind of value.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Its truth value; nil for another kind of value.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// An integer, or a number that is one ("4.0"); nil for another kind of value.
    public var int: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// An integer of at least 0; nil for another kind of value.
    public var unsigned: UInt64? {
        if case .unsigned(let value) = self { value } else { int.flatMap(UInt64.init(exactly:)) }
    }

    /// Any number; nil for another kind of value.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}

/// Values that may be missing, which become `null`.
extension JSON {
    /// A whole number.
    package static func count(_ value: Int?) -> JSON { value.map(JSON.integer) ?? .null }
    /// A text.
    package static func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
    /// A time in ISO 8601.
    package static func time(_ value: UnixSeconds?) -> JSON { text(value?.iso8601) }
}

/// The members of a JSON object, in order, each name once.
public struct JSONObject: Sendable, Hashable {
    /// The names in order.
    public private(set) var names: [String] = []
    private var values: [String: JSON] = [:]

    /// Creates an object without members.
    public init() {}

    /// The number of members.
    public var count: Int { names.count }
    /// True if it has no members.
    public var isEmpty: Bool { names.isEmpty }

    /// The member with a name. Setting an existing member keeps its position, setting a new one appends it,
    /// and setting nil removes it.
    public subscript(name: String) -> JSON? {
        get { values[name] }
        set {
            let old = values.updateOrRemove(newValue, name)
            if newValue == nil {
                names.removeAll { $0 == name }
            } else if old == nil {
                names.append(name)
            }
        }
    }
}

extension Dictionary {
    fileprivate mutating func updateOrRemove(_ value: Value?, _ key: Key) -> Value? {
        guard let value else { return removeValue(forKey: key) }
        return updateValue(value, forKey: key)
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(_ value: UInt64) { self = Int(exactly: value).map(JSON.integer) ?? .unsigned(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// An object with these members in this order. The last value of a repeated name counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var members = JSONObject()
        for (name, value) in elements { members[name] = value }
        self = .object(members)
    }
}
