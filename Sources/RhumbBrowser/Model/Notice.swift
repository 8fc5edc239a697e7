internal import RhumbCore

/// One line for the person, shown for a while and kept in the list of messages.
public struct Notice: Equatable, Sendable {
    /// A sentence about what went wrong and what to do, harmless to a terminal.
    public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String
        /// Takes out of a sentence what a terminal would not print.
        public init(_ sentence: String) { description = SafeText.sanitised(sentence, limit: 400) }
    }

    /// The sentence shown.
    public let text: String
    /// Whether something went wrong.
    public let isProblem: Bool
    /// When it was made, on the program's clock.
    public let time: Duration

    init(_ text: String, isProblem: Bool, time: Duration) {
        self.text = SafeText.sanitised(text, limit: 400)
        self.isProblem = isProblem
        self.time = time
    }

    /// How long a notice stays on the map.
    public static let life = Duration.seconds(4)
}

/// The notices of this run, latest last.
public struct Notices: Equatable, Sendable {
    /// At most `limit`; older ones are dropped.
    public private(set) var all: [Notice] = []
    /// The most that are kept.
    public static let limit = 200

    /// None yet.
    public init() {}

    mutating func add(_ text: String, isProblem: Bool, at time: Duration) {
        let notice = Notice(text, isProblem: isProblem, time: time)
        if let last = all.last, last.text == notice.text, time - last.time < Notice.life { return }
        all.append(notice)
        if all.count > Notices.limit { all.removeFirst() }
    }

    /// The notice to show now, if any.
    public func current(at time: Duration) -> Notice? {
        all.last.flatMap { time - $0.time < Notice.life ? $0 : nil }
    }
}
