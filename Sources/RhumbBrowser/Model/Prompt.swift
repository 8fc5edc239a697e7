internal import RhumbCore

/// A question on the bottom line that is answered by typing.
public struct Prompt: Sendable {
    typealias Answer = @Sendable (inout Browser, String) throws(Notice.Problem) -> [Effect]

    /// What stands before the line.
    let label: String
    /// What could be typed; shown while nothing is.
    let example: String
    /// What is typed.
    public internal(set) var line = LineEditor()
    /// Whether Enter answers with nothing typed, too.
    var mayBeEmpty = false
    /// What was wrong with the last try; goes away with the next change.
    public internal(set) var complaint: Notice.Problem?
    /// What helps with typing.
    var aid = TypingAid.none
    /// Takes keys before the line does.
    /// - Returns: nil when the key is the line's.
    var press: (@Sendable (inout Browser, Key) -> [Effect]?)?
    /// Called when what was typed has changed.
    var follow: (@Sendable (inout Browser) -> [Effect])?
    /// What the words do.
    let answer: Answer

    init(
        label: String, example: String, line: LineEditor = LineEditor(), mayBeEmpty: Bool = false,
        press: (@Sendable (inout Browser, Key) -> [Effect]?)? = nil,
        follow: (@Sendable (inout Browser) -> [Effect])? = nil, answer: @escaping Answer
    ) {
        self.label = label
        self.example = example
        self.line = line
        self.mayBeEmpty = mayBeEmpty
        self.press = press
        self.follow = follow
        self.answer = answer
    }

    /// The characters of the line that the complaint is about: the word it names, else all.
    public var wrongPart: Range<Int>? {
        guard let complaint else { return nil }
        let all = 0..<line.text.count
        guard let word = complaint.word.map(Array.init), !word.isEmpty else { return all }
        let start = all.dropLast(word.count - 1).last { line.text[$0...].starts(with: word) }
        return start.map { $0..<$0 + word.count } ?? all
    }
}

/// What helps with typing a line.
enum TypingAid: Equatable, Sendable {
    case none
    /// A list above the line, with a row chosen.
    case list(Listed, row: Int)
    /// An older line stands in place of the draft that was being typed.
    case past(row: Int, draft: String)

    /// What a list shows: what the word before the cursor could become, or the lines typed before.
    enum Listed: Equatable, Sendable { case words, lines }
}
