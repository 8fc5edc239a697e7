internal import RhumbCore

/// A question in the bottom line that the user answers by typing.
public struct Prompt: Sendable {
    typealias Answer = @Sendable (Browser, String) throws(Notice.Problem) -> [Action]

    /// The label before the line.
    let label: String
    /// An example, shown while the line is empty.
    let example: String
    /// The typed line.
    public internal(set) var line = LineEditor()
    /// True if an empty line is a valid answer.
    var mayBeEmpty = false
    /// The problem with the last answer. The next change clears it.
    public internal(set) var complaint: Notice.Problem?
    /// The effect of Enter in a panel, if it is not that of the panel; nil otherwise.
    var enterVerb: String?
    /// The aid for typing.
    var aid = TypingAid.none
    /// The handling of keys, changes and the answer.
    let owner: Owner

    /// The part of the program that a prompt belongs to.
    enum Owner: Sendable {
        /// The line after `:`.
        case commandLine
        /// The filter of the open panel.
        case filter
        /// The topmost panel with a prompt.
        case panel
        /// A prompt whose keys only edit the line.
        case line(Answer)
    }

    /// The characters of the line that are wrong: the word that the complaint names, or the whole line.
    public var wrongPart: Range<Int>? {
        guard let complaint else { return nil }
        let all = 0..<line.text.count
        guard let word = complaint.word.map(Array.init), !word.isEmpty else { return all }
        let start = all.dropLast(word.count - 1).last { line.text[$0...].starts(with: word) }
        return start.map { $0..<$0 + word.count } ?? all
    }
}

extension Prompt {
    /// Creates a prompt whose keys only edit the line.
    init(label: String, example: String, line: LineEditor = LineEditor(), answer: @escaping Answer) {
        self.init(label: label, example: example, line: line, owner: .line(answer))
    }
}

/// An aid for typing a line.
enum TypingAid: Equatable, Sendable {
    case none
    /// A list above the line, with a selected row.
    case list(Listed, row: Int)
    /// An older line, shown in place of the draft.
    case past(row: Int, draft: String)

    /// The contents of a list: completions of the word before the cursor, or earlier lines.
    enum Listed: Equatable, Sendable { case words, lines }
}
