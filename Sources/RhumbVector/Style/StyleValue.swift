internal import RhumbBase
internal import RhumbCells

/// A value of an expression.
public enum StyleValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case colour(StyleColour)
    case array([StyleValue])
    case object([String: StyleValue])
}

extension StyleValue {
    /// Converts a JSON value.
    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .number(Double(value))
        case .unsigned(let value): self = .number(Double(value))
        case .number(let value): self = .number(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map(StyleValue.init))
        case .object(let members):
            var object: [String: StyleValue] = [:]
            for name in members.names { object[name] = members[name].map(StyleValue.init) }
            self = .object(object)
        }
    }

    @inline(__always)
    init(_ value: VectorValue?) {
        switch value {
        case .string(let text): self = .string(text)
        case .number(let number): self = .number(number)
        case .integer(let number): self = .number(Double(number))
        case .unsigned(let number): self = .number(Double(number))
        case .bool(let flag): self = .bool(flag)
        case .nested(let json): self.init(json)
        case nil: self = .null
        }
    }

    var number: Double? { if case .number(let value) = self { value } else { nil } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var array: [StyleValue]? { if case .array(let values) = self { values } else { nil } }

    /// The value as a colour, also parsed from a text or a list of channels; nil if it isn't one.
    var colour: StyleColour? {
        switch self {
        case .colour(let colour): colour
        case .string(let text): StyleColour(css: text)
        case .array(let channels): StyleColour(channels: channels)
        default: nil
        }
    }

    /// The result of `to-boolean`.
    var truth: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .number(let value): value != 0 && !value.isNaN
        case .string(let text): !text.isEmpty
        case .colour, .array, .object: true
        }
    }

    /// The result of `to-string`.
    var text: String {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .number(let value): StyleValue.text(of: value)
        case .string(let text): text
        case .colour(let colour): StyleValue.text(of: colour)
        case .array, .object: json.text
        }
    }

    /// The result of `to-number`; nil if the value can't be converted.
    var asNumber: Double? {
        switch self {
        case .null: 0
        case .bool(let value): value ? 1 : 0
        case .number(let value): value
        case .string(let text): StyleValue.number(in: text)
        case .array(let items): StyleValue.number(in: items.map(\.text).joined(separator: ","))
        case .colour, .object: nil
        }
    }

    private static func number(in text: String) -> Double? {
        let text = text.trimmed
        if text.isEmpty { return 0 }
        let radices = ["0x": 16, "0o": 8, "0b": 2]
        if let radix = radices[text.prefix(2).lowercased()] {
            let digits = text.dropFirst(2)
            guard !digits.hasPrefix("+") else { return nil }
            return UInt64(digits, radix: radix).map(Double.init)
        }
        if let infinity = ["Infinity": Double.infinity, "+Infinity": .infinity, "-Infinity": -.infinity][text]
        {
            return infinity
        }
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text)
    }

    /// Writes a number as JavaScript does.
    private static func text(of value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
        return "\(value)".replacing("e-0", with: "e-")
    }

    private static func text(of colour: StyleColour) -> String {
        let rgb = colour.rgb
        return "rgba(\(rgb.red),\(rgb.green),\(rgb.blue),\(text(of: colour.alpha)))"
    }

    private var json: JSON {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let value): .number(value)
        case .string(let text): .string(text)
        case .colour: .string(text)
        case .array(let values): .array(values.map(\.json))
        case .object(let members):
            .object(
                members.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = $1.value.json })
        }
    }
}
