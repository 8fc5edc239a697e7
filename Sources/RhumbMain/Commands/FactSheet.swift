internal import Rhumb

/// Facts in order, each with a name for people and one for programs.
struct FactSheet {
    private var rows: [(name: String, text: String)] = []
    private var object = JSONObject()

    /// - Parameters:
    ///   - key: the name for programs.
    ///   - name: the name for people; nil: they are not told.
    ///   - value: for programs; nil: the text.
    mutating func add(_ key: String, _ name: String?, _ text: String, _ value: JSON? = nil) {
        object[key] = value ?? .string(text)
        if let name { rows.append((name, SafeText.sanitised(text, limit: 400))) }
    }

    /// Adds another sheet's facts: for people below these, for programs as an object of its own.
    mutating func add(_ key: String, _ sheet: FactSheet) {
        object[key] = sheet.json
        rows += sheet.rows
    }

    var json: JSON { .object(object) }

    /// A line for each fact, the names in a column.
    var text: String {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        return rows.reduce(into: "") { text, row in
            let gap = String(repeating: " ", count: width - row.name.count)
            text += "\(row.name)\(gap)\(row.text.isEmpty ? "-" : row.text)\n"
        }
    }
}
