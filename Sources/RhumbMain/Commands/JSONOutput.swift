internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The JSON that commands print: indented, with members in a fixed order, numbers with at most seven
/// decimals, and ranges as two members. Metadata from users is printed unchanged.
enum JSONOutput {
    static func text(of value: JSON) -> String { uniform(value).indentedText + "\n" }

    private static func uniform(_ value: JSON) -> JSON {
        switch value {
        case .number(let number): .number(number.rounded(7))
        case .array(let values): .array(values.map(uniform))
        case .object(let members): .object(uniform(members))
        case .null, .bool, .integer, .unsigned, .string: value
        }
    }

    private static func uniform(_ members: JSONObject) -> JSONObject {
        var result = JSONObject()
        for name in members.names {
            guard let value = members[name] else { continue }
            if let (lowest, highest) = ends[name], value == .null || value.pair != nil {
                result[lowest] = value.pair?.0 ?? .null
                result[highest] = value.pair?.1 ?? .null
            } else {
                result[name] = name == "metadata" ? value : uniform(value)
            }
        }
        return result
    }

    /// The ranges that file formats store as [lowest, highest], with the names of the members for both ends.
    private static let ends = [
        "zooms": ("minZoom", "maxZoom"), "proposal": ("minZoom", "maxZoom"),
        "columns": ("minColumn", "maxColumn"),
        "rows": ("minRow", "maxRow"),
    ]
}

extension Invocation {
    /// Prints lines of text or, with --json, a value.
    func print(
        _ lines: @autoclosure () -> [String], _ json: @autoclosure () -> JSON
    ) throws(Notice.Problem) {
        guard !self[.json] else { return try print(json()) }
        try Output.print(lines().joined(separator: "\n") + "\n")
    }

    /// Prints facts as text or, with --json, as an object.
    func print(_ sheet: FactSheet) throws(Notice.Problem) {
        guard !self[.json] else { return try print(sheet.json) }
        try Output.print(sheet.text)
    }

    func print(_ json: JSON) throws(Notice.Problem) {
        try Output.print(JSONOutput.text(of: json))
    }
}

extension JSON {
    /// Returns a length or height in metres, rounded to decimetres.
    static func metres(_ value: Double?) -> JSON { value.map { .number($0.rounded(1)) } ?? .null }

    /// Returns a duration in seconds or a speed in metres per second, rounded to three decimals.
    static func thousandths(_ value: Double?) -> JSON { value.map { .number($0.rounded(3)) } ?? .null }

    /// Returns sentences as objects with a `message` member.
    static func messages(_ sentences: [String]) -> JSON { .array(sentences.map { ["message": .string($0)] }) }

    /// Returns an object with further members at its end. Other values are returned unchanged.
    func adding(_ members: KeyValuePairs<String, JSON>) -> JSON {
        guard case .object(var object) = self else { return self }
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    /// The ends of a range stored as an array of two integers; nil for other values.
    fileprivate var pair: (JSON, JSON)? {
        guard let values = array, values.count == 2, values.allSatisfy({ $0.int != nil }) else { return nil }
        return (values[0], values[1])
    }
}
