/// A source that a person may choose from a list.
public struct SourceChoice: Equatable, Sendable {
    /// The words that open it on the command line.
    public let words: String
    /// The name.
    public let name: String
    /// A note in a few words.
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
