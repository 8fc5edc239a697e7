import RhumbCore
import RhumbTestSupport
import Testing

/// A table in the manual page about JSON: the keys of a command's output, with their types.
struct JSONSchema {
    struct Key {
        let path: String
        let type: String
        let meaning: String

        var mayBeNull: Bool { meaning.contains("null if") }
        var mayBeAbsent: Bool { meaning.contains("Absent if") }
    }

    private(set) var keys: [String: Key] = [:]
    /// The faults found in samples.
    private(set) var faults: [String] = []
    private var seen: Set<String> = []

    /// The keys that no sample contained.
    var unseen: [String] { keys.keys.filter { !seen.contains($0) }.sorted() }

    /// Compares a command's output, an object or an array of objects, with the table.
    mutating func check(_ output: JSON) {
        for value in output.array ?? [output] { check(value, at: "") }
    }

    private mutating func check(_ value: JSON, at path: String) {
        guard let members = value.object else { return faults.append("\(path): not an object") }
        for name in members.names {
            let full = path.isEmpty ? name : path + "." + name
            let any = path.isEmpty ? "*" : path + ".*"
            guard let key = keys[full] ?? keys[any] else {
                faults.append("\(full): not documented")
                continue
            }
            seen.insert(key.path)
            check(members[name] ?? .null, key, at: full)
        }
        let required = keys.values.filter {
            Self.parent(of: $0.path) == path && !$0.mayBeAbsent && !$0.path.hasSuffix("*")
        }
        for key in required where members[Self.name(of: key.path)] == nil {
            faults.append("\(key.path): absent")
        }
    }

    private mutating func check(_ value: JSON, _ key: Key, at path: String) {
        if value == .null, key.mayBeNull { return }
        switch key.type {
        case "object": check(value, at: path)
        case "objects": for item in value.array ?? [.null] { check(item, at: path) }
        case "result": check(value, at: "")
        case "results": for item in value.array ?? [.null] { check(item, at: "") }
        default: if !Self.isValid(value, key) { faults.append("\(path): \(value.text) is no \(key.type)") }
        }
    }

    private static func isValid(_ value: JSON, _ key: Key) -> Bool {
        func isArray(_ isItem: (JSON) -> Bool) -> Bool { value.array?.allSatisfy(isItem) == true }
        return switch key.type {
        case "string": value.string != nil
        case "boolean": value.bool != nil
        case "integer": value.int != nil
        case "number": value.double.map(isRounded) == true
        case "strings": isArray { $0.string != nil }
        case "integers": isArray { $0.int != nil }
        case "numbers": isArray { $0.double.map(isRounded) ?? ($0 == .null && key.mayBeNull) }
        case "time": value.string?.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) != nil
        case "GeoJSON": value["type"]?.string != nil && areRounded(value)
        case "any": true
        default: false
        }
    }

    /// Returns true for a number with at most seven decimals.
    private static func isRounded(_ number: Double) -> Bool { (number * 1e7).rounded() / 1e7 == number }

    private static func areRounded(_ value: JSON) -> Bool {
        switch value {
        case .number(let number): isRounded(number)
        case .array(let items): items.allSatisfy(areRounded)
        case .object(let members): members.names.allSatisfy { members[$0].map(areRounded) ?? true }
        case .null, .bool, .integer, .unsigned, .string: true
        }
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: ".").map { String(path[..<$0]) } ?? ""
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? path
    }

    // MARK: The manual page

    /// Returns the tables of the page by their headings.
    static func tables() throws -> [String: JSONSchema] {
        let page = String(decoding: try #require(TestFiles.bytes("Assets/manual/json.md")), as: UTF8.self)
        var tables: [String: JSONSchema] = [:], heading = ""
        for line in page.split(separator: "\n") {
            if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
            let cells = cells(line)
            guard cells.count == 3, cells[0].hasPrefix("`") else { continue }
            let path = cells[0].replacing("`", with: "")
            tables[heading, default: JSONSchema()].keys[path] = Key(
                path: path, type: cells[1], meaning: cells[2])
        }
        return tables
    }

    private static func cells(_ line: Substring) -> [String] {
        guard line.hasPrefix("| ") else { return [] }
        return line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
    }
}
