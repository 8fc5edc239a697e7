internal import RhumbCore

/// One line for the person, shown for a while and kept in the list of messages.
public struct Notice: Equatable, Sendable {
    /// A sentence about what went wrong and what to do, harmless to a terminal.
    public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String
        /// The word of what was typed that is wrong; nil: none by itself.
        public let word: String?
        /// Takes out of a sentence what a terminal would not print.
        public init(_ sentence: String, word: String? = nil) {
            description = SafeText.sanitised(sentence, limit: 400)
            self.word = word
        }
    }

    /// What happened: a sentence, without where.
    public let cause: String
    /// Where it happened last; empty where that is not known, or is in the sentence.
    public private(set) var place: String
    /// Whether something went wrong.
    public let isProblem: Bool
    /// When it happened last, on the program's clock.
    public private(set) var time: Duration
    /// How often it happened.
    public private(set) var count = 1
    /// When it was shown on the map.
    fileprivate var shownAt: Duration

    init(_ cause: String, place: String = "", isProblem: Bool, time: Duration) {
        self.cause = SafeText.sanitised(cause, limit: 400)
        self.place = SafeText.sanitised(place, limit: 400)
        self.isProblem = isProblem
        self.time = time
        shownAt = time
    }

    /// How often, what, and where last: "12 tiles: the server refuses (HTTP 403) · https://tiles.example/1/2/3.png".
    public var text: String {
        let often = count > 1 ? "\(AmountText.count(count)) \(place.isEmpty ? "times" : "tiles"): " : ""
        return often + cause + (place.isEmpty ? "" : " · \(place)")
    }

    /// How long a notice stays on the map.
    public static let life = Duration.seconds(4)

    /// What happens on and on is shown again after so long.
    static let quiet = Duration.seconds(60)

    /// The same for notices that differ in numbers alone, such as seconds to wait; not in the codes of HTTP.
    fileprivate var kind: [Substring] {
        var kind: [Substring] = []
        for word in cause.split(separator: " ") { kind.append(word.allSatisfy(\.isNumber) && kind.last != "HTTP" ? "#" : word) }
        return kind
    }

    fileprivate func repeated(by next: Notice) -> Notice {
        var notice = next
        notice.count += count
        notice.shownAt = next.time - shownAt < Notice.quiet ? shownAt : next.time
        return notice
    }
}

/// The notices of this run, latest last.
public struct Notices: Equatable, Sendable {
    /// At most `limit`; older ones are dropped.
    public private(set) var all: [Notice] = []
    /// The most that are kept.
    public static let limit = 200

    /// None yet.
    public init() {}

    /// Adds what a person is told once, such as what came of a key.
    mutating func add(_ text: String, isProblem: Bool, at time: Duration) {
        let notice = Notice(text, isProblem: isProblem, time: time)
        if let last = all.last, last.text == notice.text, time - last.time < Notice.life { return }
        append(notice)
    }

    /// Adds what may happen on and on: notices of one kind are one, with a count.
    mutating func add(recurring notice: Notice) {
        let kind = notice.kind
        let before = all.firstIndex { $0.isProblem == notice.isProblem && $0.kind == kind }.map { all.remove(at: $0) }
        append(before?.repeated(by: notice) ?? notice)
    }

    private mutating func append(_ notice: Notice) {
        all.append(notice)
        if all.count > Notices.limit { all.removeFirst() }
    }

    /// The notice to show now, if any.
    public func current(at time: Duration) -> Notice? {
        all.filter { time - $0.shownAt < Notice.life }.max { $0.shownAt < $1.shownAt }
    }
}
