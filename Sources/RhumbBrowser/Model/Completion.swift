internal import RhumbCore

/// A word for the command line, with its meaning.
public struct Completion: Equatable, Sendable {
    /// The word to type.
    public let text: String
    /// Its meaning in a few words, safe for a terminal.
    public let help: String

    /// Creates a completion.
    public init(_ text: String, _ help: String = "") {
        self.text = SafeText.harmless(text)
        self.help = SafeText.sanitised(help, limit: 200)
    }
}

/// A query for words from outside the browser, such as file names.
public struct CompletionQuestion: Query {
    /// The kind of words.
    public enum Kind: Equatable, Sendable {
        /// The names of sources, and files and folders that may be maps.
        case sources
        /// The names of styles, and files that may be styles.
        case styles
        /// Folders.
        case folders
        /// The names of routing engines.
        case engines
        /// The names of search services.
        case searchServices
    }

    /// The kind of words.
    public let kind: Kind
    /// The folder whose files are listed, with a trailing slash; empty for the folder in which the program
    /// was started.
    public let folder: String

    /// Creates a query for names of a kind, and files of a folder.
    public init(_ kind: Kind, folder: String) { (self.kind, self.folder) = (kind, folder) }

    public typealias Response = [Completion]

    /// - Parameter word: The typed text, which names the folder.
    init(_ kind: Kind, typed word: String) {
        self.init(kind, folder: word.lastIndex(of: "/").map { String(word[...$0]) } ?? "")
    }
}

/// The words that may follow a command.
struct ArgumentWords: Sendable {
    /// The known words.
    var words: [Completion] = []
    /// The separators of several words; empty for a single word.
    var separators = ""
    /// The kind of words to query; nil for none.
    var outside: CompletionQuestion.Kind?

    init(_ words: [Completion] = [], separators: String = "", outside: CompletionQuestion.Kind? = nil) {
        self.words = words
        self.separators = separators
        self.outside = outside
    }

    /// Returns the start of the word at the end of a text.
    func start(in text: Substring) -> Substring.Index {
        text.lastIndex { separators.contains($0) }.map { text.index(after: $0) } ?? text.startIndex
    }
}
