internal import RhumbCore

/// A word that may stand on the command line, with what it means.
public struct Completion: Equatable, Sendable {
    /// The word as it is typed.
    public let text: String
    /// What it means, in a few words; harmless to a terminal.
    public let help: String

    /// A word and what it means.
    public init(_ text: String, _ help: String = "") {
        self.text = SafeText.harmless(text)
        self.help = SafeText.sanitised(help, limit: 100)
    }
}

/// Which words are asked for that the program does not know by itself.
public struct CompletionQuestion: Query {
    /// What the words name.
    public enum Kind: Equatable, Sendable {
        /// Names of sources, and files and folders that may be maps.
        case sources
        /// Names of styles, and files that may be some.
        case styles
        /// Folders.
        case folders
    }

    /// What the words name.
    public let kind: Kind
    /// The folder that files are listed of, with the slash at its end; empty: the one the program was
    /// started in.
    public let folder: String

    /// A question for names of a kind, and for what lies in a folder.
    public init(_ kind: Kind, folder: String) { (self.kind, self.folder) = (kind, folder) }

    /// Has the words offered while the line is typed.
    public func receive(_ words: [Completion], in browser: inout Browser) -> [Effect] {
        browser.outsideWords.learn(words, to: self)
        return []
    }

    /// - Parameter word: what is typed so far; its folder is what counts.
    init(_ kind: Kind, typed word: String) {
        self.init(kind, folder: word.lastIndex(of: "/").map { String(word[...$0]) } ?? "")
    }
}

/// The words that may follow a command.
struct ArgumentWords: Sendable {
    /// Those that are known.
    var words: [Completion] = []
    /// What parts several words; empty: there is one.
    var separators = ""
    /// What others are asked for.
    var outside: CompletionQuestion.Kind?

    init(_ words: [Completion] = [], separators: String = "", outside: CompletionQuestion.Kind? = nil) {
        self.words = words
        self.separators = separators
        self.outside = outside
    }

    /// Where the word at the end of a text begins.
    func start(in text: Substring) -> Substring.Index {
        text.lastIndex { separators.contains($0) }.map { text.index(after: $0) } ?? text.startIndex
    }
}
