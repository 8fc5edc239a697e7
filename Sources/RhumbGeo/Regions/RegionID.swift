/// The name by which users refer to a region in commands and file names: 1–64 ASCII letters, digits, ".", "_"
/// and "-", beginning with a letter or digit.
public struct RegionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The id as the user entered it.
    public let text: String

    /// - Throws: `RegionIDFailure`
    public init(_ text: String) throws(RegionIDFailure) {
        guard let first = text.unicodeScalars.first else { throw .empty }
        guard text.unicodeScalars.count <= 64 else { throw .tooLong }
        let odd = text.unicodeScalars.first {
            !RegionID.isAlphanumeric($0) && !"._-".unicodeScalars.contains($0)
        }
        if let odd { throw .character(odd) }
        guard RegionID.isAlphanumeric(first) else { throw .beginning(first) }
        self.text = text
    }

    /// Creates an id from a name. Characters that an id may not have become "-"; an empty id becomes
    /// "region".
    public init(from name: String) {
        let parts = name.unicodeScalars.split { !RegionID.isAlphanumeric($0) }
        let joined = parts.map { String($0).lowercased() }.joined(separator: "-").prefix(64)
        text = joined.isEmpty ? "region" : String(joined)
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    public var description: String { text }

    public static func < (a: RegionID, b: RegionID) -> Bool { a.text < b.text }
}

/// The reason why a text isn't a region id.
public enum RegionIDFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case tooLong
    case character(Unicode.Scalar)
    case beginning(Unicode.Scalar)

    public var description: String { "a region's id \(problem); use letters, digits, \".\", \"_\" and \"-\"" }

    private var problem: String {
        switch self {
        case .empty: "is empty"
        case .tooLong: "has more than 64 characters"
        case .character(let scalar):
            "can't contain the character U+\(String(scalar.value, radix: 16, uppercase: true))"
        case .beginning(let scalar): "can't begin with \"\(Character(scalar))\""
        }
    }
}
