public import RhumbEngine

extension TileLayer {
    /// The words that open its source again, whatever theme it is drawn in.
    public var words: String {
        if let openedBy { return openedBy }
        let plain = plainID
        for prefix in ["source:", "web:", "file:", "region:"] where plain.hasPrefix(prefix) {
            return String(plain.dropFirst(prefix.count))
        }
        return String(plain)
    }

    /// Whether it was opened by an address or by the name of a web source.
    var isNamedOnWeb: Bool { ["web:", "source:", "region:"].contains { plainID.hasPrefix($0) } }

    private var plainID: Substring {
        id.hasPrefix("vector.") ? id.drop { $0 != ":" }.dropFirst() : id[...]
    }
}

/// A source that a person may choose from a list.
public struct SourceChoice: Equatable, Sendable {
    /// What opens it, as on the command line.
    public let words: String
    /// What people call it.
    public let name: String
    /// What else is worth knowing, in a few words.
    public let note: String
    /// The environment variable of a key that is missing; nil if nothing is.
    public var missingKey: String?

    /// A source that has all it needs.
    public init(words: String, name: String, note: String) {
        self.words = words
        self.name = name
        self.note = note
    }
}
