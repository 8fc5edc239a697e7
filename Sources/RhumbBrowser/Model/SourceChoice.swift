/// A source that the user may choose from a list.
public struct SourceChoice: Equatable, Sendable {
    /// The words that open it on the command line.
    public let words: String
    /// The name.
    public let name: String
    /// A note in a few words.
    public let note: String
    /// The environment variable of a missing key; nil if no key is missing.
    public var missingKey: String?

    /// Creates a source without a missing key.
    public init(words: String, name: String, note: String) {
        self.words = words
        self.name = name
        self.note = note
    }
}
