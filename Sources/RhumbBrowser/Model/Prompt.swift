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
    /// What was wrong with the last try; goes away with the next key.
    public internal(set) var complaint: String?
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
        (self.label, self.example, self.line, self.mayBeEmpty) = (label, example, line, mayBeEmpty)
        (self.press, self.follow, self.answer) = (press, follow, answer)
    }
}
