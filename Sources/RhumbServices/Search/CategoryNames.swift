internal import CDefaults

/// The names of a category, or of one of its classes, with the classes that tiles use for it.
///
/// `Assets/categories.tsv` has a line for each entry. Its fields are separated by tabs:
///
///     entry     "category" or "class"
///     category  a case of `PlaceCategory`
///     classes   the classes in OpenMapTiles, Protomaps, Shortbread and Mapbox Streets, mostly those of
///               OpenStreetMap, separated by spaces; "|" precedes those that are only related
///     names     by ISO 639-1 language code, the usual one first, such as "en:pharmacy,chemist;de:Apotheke"
struct CategoryNames: Sendable {
    let category: PlaceCategory
    let classes: [String]
    /// The classes that the names mean; the others are related. Empty for all.
    let mainClasses: [String]
    let names: [String: [String]]

    /// The names of the categories, one entry for each.
    static var categories: [CategoryNames] { entries["category"] ?? [] }

    /// The names of classes within a category.
    static var classes: [CategoryNames] { entries["class"] ?? [] }

    private static let entries: [Substring: [CategoryNames]] = {
        let bytes = rhumb_asset_categories()
        let text = String(
            decoding: UnsafeBufferPointer(start: bytes.start, count: bytes.count), as: UTF8.self)
        let rows = text.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        let categories = Dictionary(uniqueKeysWithValues: PlaceCategory.allCases.map { ("\($0)", $0) })
        return rows.reduce(into: [:]) { entries, row in
            guard row.count == 4, let category = categories[String(row[1])] else { return }
            entries[row[0], default: []].append(CategoryNames(category, classes: row[2], names: row[3]))
        }
    }()

    private init(_ category: PlaceCategory, classes: Substring, names: Substring) {
        self.category = category
        let parts = classes.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
        self.classes = parts.flatMap(\.self)
        mainClasses = parts.count > 1 ? parts[0] : []
        self.names = names.split(separator: ";").reduce(into: [:]) { names, entry in
            let parts = entry.split(separator: ":")
            if parts.count == 2 { names[String(parts[0])] = parts[1].split(separator: ",").map(String.init) }
        }
    }

    /// Returns the usual name in a language; nil if there is none.
    func name(in language: String) -> String? { names[language]?.first }
}
