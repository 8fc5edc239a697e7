internal import RhumbCore
internal import RhumbEngine

/// A message to the user, shown for a while and stored in the list of messages.
public struct Notice: Equatable, Sendable {
    /// A sentence about an error and how to resolve it, safe for a terminal.
    public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
        /// The sentence.
        public let description: String
        /// The wrong word in the typed text; nil for none.
        public let word: String?
        /// Creates a problem. Characters that a terminal would interpret are removed.
        public init(_ sentence: String, word: String? = nil) {
            description = SafeText.sanitised(sentence, limit: 400)
            self.word = word
        }
    }

    /// The event as a sentence, without its location.
    public let cause: String
    /// The location of the last occurrence; empty if unknown or part of the sentence.
    public private(set) var location: String
    /// True for a problem.
    public let isProblem: Bool
    /// The time of the last occurrence, on the program's clock.
    public private(set) var time: Duration
    /// The number of occurrences.
    public private(set) var count = 1
    /// The time at which it was shown on the map.
    fileprivate var shownAt: Duration
    /// The number that identifies the notice in a run. A repeated notice has the same number.
    fileprivate var number = 0

    init(_ cause: String, location: String = "", isProblem: Bool, time: Duration) {
        self.cause = SafeText.sanitised(cause, limit: 400)
        self.location = SafeText.sanitised(location, limit: 400)
        self.isProblem = isProblem
        self.time = time
        shownAt = time
    }

    /// The count, the event and the last location, such as "12 tiles: the server refuses (HTTP 403) ·
    /// https://tiles.example/1/2/3.png".
    public var text: String { text(at: location) }

    /// The text for the map, with only the hosts of addresses in problems.
    public var shortText: String {
        let short = text(at: URLReference(location).host ?? location)
        return isProblem ? short.withHostsOnly : short
    }

    private func text(at location: String) -> String {
        let often = count > 1 ? "\(AmountText.count(count)) \(location.isEmpty ? "times" : "tiles"): " : ""
        return often + cause + (location.isEmpty ? "" : " · \(location)")
    }

    /// True if it is about the network that is missing.
    private var isAboutNetwork: Bool { cause.hasPrefix(RecoverySuggestion.noNetwork) }

    /// The time that a notice of usual length stays on the map.
    public static let life = Duration.seconds(4)
    /// The reading time per character.
    private static let readingTime = Duration.milliseconds(50)

    /// The time that it stays on the map.
    public var duration: Duration { max(Notice.life, Notice.readingTime * shortText.count) }

    /// Returns true if another notice says the same. Without a network, many requests fail for one reason.
    fileprivate func saysTheSame(as other: Notice) -> Bool {
        text == other.text || isAboutNetwork && other.isAboutNetwork
    }

    /// The time after which a repeated event is shown again.
    static let quiet = Duration.seconds(60)

    /// The words of the cause with numbers replaced, so that notices that differ only in numbers, such as
    /// seconds to wait, are of one kind. HTTP status codes are not replaced.
    fileprivate var kind: [Substring] {
        if isAboutNetwork { return [RecoverySuggestion.noNetwork[...]] }
        var kind: [Substring] = []
        for word in cause.split(separator: " ") {
            kind.append(word.allSatisfy(\.isNumber) && kind.last != "HTTP" ? "#" : word)
        }
        return kind
    }

    fileprivate func repeated(by next: Notice, isTotal: Bool) -> Notice {
        var notice = next
        if !isTotal, !isAboutNetwork { notice.count += count }
        notice.number = number
        notice.shownAt = next.time - shownAt < Notice.quiet ? shownAt : next.time
        return notice
    }
}

/// The notices of this run, latest last.
public struct Notices: Equatable, Sendable {
    /// The notices, at most `limit`; older ones are dropped.
    public private(set) var all: [Notice] = []
    /// The maximum number of notices.
    public static let limit = 200
    /// The number of the notice on the map; nil for none.
    private var shown: Int?
    private var lastNumber = 0
    /// True if a key caused the notice on the map. The next key dismisses it.
    private(set) var followsKey = false

    /// Creates an empty list.
    public init() {}

    /// Adds a notice about a single event. It replaces the last notice if that one is recent and says the
    /// same.
    /// - Parameter isShown: If false, it is only in the list.
    mutating func add(_ text: String, isProblem: Bool, at time: Duration, isShown: Bool = true) {
        let notice = Notice(text, isProblem: isProblem, time: time)
        if let last = all.last, last.saysTheSame(as: notice), time - last.time < Notice.life {
            all.removeLast()
        }
        append(notice)
        if isShown { show() }
    }

    /// Removes the notice from the map if it was shown before a time, such as that of a key that opens a
    /// panel.
    mutating func hide(before time: Duration) {
        guard let notice = all.first(where: { $0.number == shown }), notice.shownAt < time else { return }
        shown = nil
    }

    /// Adds a notice about an event that may recur. Notices of one kind become one with a count.
    /// - Parameter isTotal: True if the sentence has the count.
    mutating func add(recurring notice: Notice, isTotal: Bool = false) {
        let kind = notice.kind
        let before = all.firstIndex { $0.isProblem == notice.isProblem && $0.kind == kind }.map {
            all.remove(at: $0)
        }
        append(before?.repeated(by: notice, isTotal: isTotal) ?? notice)
        if all.last?.shownAt == notice.time { show() }
    }

    private mutating func append(_ notice: Notice) {
        all.append(notice)
        if all.count > Notices.limit { all.removeFirst() }
        guard notice.number == 0 else { return }
        lastNumber += 1
        all[all.count - 1].number = lastNumber
    }

    /// Shows the last notice in place of the one on the map.
    private mutating func show() { (shown, followsKey) = (all.last?.number, false) }

    /// Returns the notice on the map; nil for none.
    public func current(at time: Duration) -> Notice? {
        all.last { $0.number == shown }.flatMap { time - $0.shownAt < $0.duration ? $0 : nil }
    }

    /// Hides the notice on the map. It stays in the list.
    mutating func dismiss() { shown = nil }

    /// Handles a key: dismisses the notice that the previous key caused, and records whether this key caused
    /// one. The release of a mouse button dismisses nothing.
    /// - Parameters:
    ///   - before: The notices before the key.
    ///   - time: The time of the key press.
    mutating func follow(_ key: Key, after before: Notices, at time: Duration) {
        let isNew = current(at: time) != before.current(at: time)
        if isNew { followsKey = true } else if before.followsKey, !key.isRelease { dismiss() }
    }
}

extension Key {
    /// True for the release of a mouse button.
    fileprivate var isRelease: Bool {
        if case .mouse(let event) = self { event.action == .release } else { false }
    }
}

/// The texts of notices that belong to no panel.
enum NoticesText {
    static func copied(_ text: String, isSure: Bool) -> String {
        let lines = text.split(separator: "\n", maxSplits: 1)
        return "Copied \(lines.first ?? "")\(lines.count > 1 ? " …" : "")"
            + (isSure ? "" : " (if your terminal allows it; also printed on exit)")
    }

    static func opening(_ map: String) -> String { "Opening \(map) …" }

    static let pasted = "The pasted text is no place. Press / to search for it."

    /// Returns the answer to an unknown key.
    static func unknown(_ key: String, nearest: (keys: String, help: String)?) -> String {
        let near = nearest.map { ", but \($0.keys) is: \($0.help)" } ?? ""
        return "\(key) is not a key\(near). ? lists the keys."
    }

    static let networkBack = "Network is back"
    static let isOffline = "You are offline. Press o to go online."
    static let noNetwork = "\(RecoverySuggestion.noNetwork)showing saved tiles only"
    static let offline = "Offline: showing saved tiles only"
    static let online = "Online"
    static let goOnline = "Go online?"
    static let startedOffline = "Rhumb was started offline, so nothing was requested so far."

    static func added(_ map: String) -> String { "Added \(map) to the map" }

    static func detail(_ level: Int, _ map: String) -> String {
        "Tile detail \(level > 0 ? "+" : "")\(level) for \(map)"
    }

    static func style(_ name: String) -> String { "Style: \(name)" }

    static let noWayBack = "Nothing to go back to"
    static let noWayForward = "Nothing to go forward to"
    static let daylight = "Day and night appear at lower zooms. Press 0 for the whole world."
    static let hillshadeOff = "Hillshade is off"
    static let noHillshade = "Hillshade is already off"

    static func hills(of source: String) -> String { "Show hills from \(source)?" }

    static let hillsOn = "Shading and contours are on"
    static let noHeights = "No heights are stored here"

    static func contours(_ spacing: ContourSpacing) -> String {
        let unit = spacing.isInFeet ? "ft" : "m"
        return spacing.distance.map { "Contours every \($0.decimals(0)) \(unit)" }
            ?? "Contours follow the zoom"
    }

    static let hillsOff = "Shading and contours are off"
    static let noHills = "Shading and contours are already off"
    static let contoursOff = "Contours are off"
    static let contourWords =
        "contours: expected auto, off or a distance from 1 to 5000, e.g. contours 20"

    static func ambiguous(_ command: String, _ names: String) -> String {
        "\(command) is ambiguous: \(names)"
    }

    static func unknown(_ command: String, nearest: String?) -> String {
        "unknown command \(command); \(nearest.map { "did you mean \($0)?" } ?? "press Tab for a list")"
    }

    static let commandExample = "zoom 12  ·  open FILE  ·  units imperial  ·  Tab: list"
}
