internal import Rhumb

/// A list of facts, each with a name for display and a JSON key.
struct FactSheet {
    private var rows: [(name: String, text: String)] = []
    private var object = JSONObject()

    /// Adds a fact.
    /// - Parameters:
    ///   - key: The JSON key.
    ///   - name: The name for display; nil to omit the fact from the text.
    ///   - value: The JSON value; nil to use the text.
    mutating func add(_ key: String, _ name: String?, _ text: String, _ value: JSON? = nil) {
        object[key] = value ?? .string(text)
        if let name { rows.append((name, SafeText.sanitised(text, limit: 400))) }
    }

    /// Adds the facts of another sheet: below the others in the text, and as a nested object in JSON.
    mutating func add(_ key: String, _ sheet: FactSheet) {
        object[key] = sheet.json
        rows += sheet.rows
    }

    var json: JSON { .object(object) }

    /// The facts as text, one per line, with the names in a column.
    var text: String {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        return rows.reduce(into: "") { text, row in
            text += "\(row.name.padded(to: width))\(row.text.isEmpty ? "-" : row.text)\n"
        }
    }
}
