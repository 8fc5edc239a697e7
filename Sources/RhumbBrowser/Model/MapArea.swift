public import RhumbCore

/// A named set of stored maps with the settings to show them: regions, packages, overlays, style, grid and
/// bookmarks.
public struct MapArea: Equatable, Sendable {
    /// The name on the command line.
    public let id: String
    /// The ids of regions and packages.
    public var regions: [String] = []
    /// The specifiers of the overlays, bottom to top.
    public var overlays: [String] = []
    /// The specifier of the base map; nil for the map of the first region.
    public var map: String?
    /// The text of the style choice; nil for the standard one.
    public var style: String?
    /// The word of the coordinate grid; nil for none.
    public var grid: String?
    /// The letters of bookmarks.
    public var bookmarks = ""

    /// Creates an area without members.
    /// - Returns: nil if the name is empty, contains other characters than letters, digits, `-`, `_` and `.`,
    ///   or begins with `-` or `.`.
    public init?(id: String) {
        guard let first = id.first, first != "-", first != ".", id.utf8.count <= 64,
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || "-_.".contains($0) })
        else { return nil }
        self.id = id
    }
}

extension MapArea {
    /// The area as JSON, both for the file and for output.
    public var json: JSON {
        [
            "id": .string(id), "regions": .array(regions.map { .string($0) }),
            "overlays": .array(overlays.map { .string($0) }),
            "map": .text(map), "style": .text(style),
            "grid": .text(grid), "bookmarks": .string(bookmarks),
        ]
    }

    /// Parses an area; nil if it has no valid name. Invalid members are left out.
    public init?(_ json: JSON) {
        self.init(id: json["id"]?.string ?? "")
        regions = (json["regions"]?.array ?? []).compactMap(\.string)
        overlays = (json["overlays"]?.array ?? []).compactMap(\.string)
        map = json["map"]?.string
        style = json["style"]?.string
        grid = json["grid"]?.string.flatMap { GridKind(rawValue: $0) == nil ? nil : $0 }
        bookmarks = (json["bookmarks"]?.string ?? "").filter(Bookmark.isLetter)
    }

    /// The members in a line, such as "2 regions, 1 overlay, mgrs".
    public var summary: String {
        let parts = [
            AmountText.count(regions.count, "region"),
            overlays.isEmpty ? nil : AmountText.count(overlays.count, "overlay"), style, grid,
            bookmarks.isEmpty ? nil : AmountText.count(bookmarks.count, "bookmark"),
        ]
        return SafeText.sanitised(parts.compactMap(\.self).joined(separator: ", "), limit: 200)
    }
}
