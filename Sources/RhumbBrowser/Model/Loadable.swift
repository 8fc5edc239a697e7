/// A question that is answered asynchronously. It is asked only once until it changes or the answer expires.
struct Loadable<Question: Equatable & Sendable, Answer: Sendable>: Sendable {
    /// The last question; nil for none.
    private(set) var asked: Question?
    /// The question that `answer` belongs to. This is an older one while the latest is pending.
    private(set) var answered: Question?
    private(set) var answer: Answer?
    private var time = Duration.zero

    /// The answer to the last question; nil before it arrives.
    var current: Answer? { asked == answered ? answer : nil }

    /// Asks a question if it is new or the last answer is too old.
    /// - Parameter lifetime: The lifetime of answers; nil until the question changes.
    /// - Returns: True if the question must be sent now.
    mutating func ask(_ question: Question, at now: Duration, lifetime: Duration? = nil) -> Bool {
        let isOld = lifetime.map { now - time >= $0 } ?? false
        guard asked != question || isOld else { return false }
        asked = question
        time = now
        return true
    }

    /// Accepts an answer, unless another question was asked since.
    /// - Returns: True if it was accepted.
    @discardableResult
    mutating func receive(_ answer: Answer, to question: Question) -> Bool {
        guard asked == question else { return false }
        self.answer = answer
        answered = question
        return true
    }

    /// Marks the answer as outdated, so that the question is asked again.
    mutating func expire() { asked = nil }
}
