public import RhumbCore

/// A line that the user types, with its cursor.
public struct LineEditor: Equatable, Sendable {
    /// The typed characters.
    public private(set) var text: [Character]
    /// The position of the cursor: 0…text.count.
    public private(set) var cursor: Int
    /// The maximum number of characters.
    public static let limit = 500

    /// Creates a line with the cursor at its end.
    public init(_ text: String = "") {
        self.text = Array(text)
        cursor = self.text.count
    }

    /// The typed text.
    public var string: String { String(text) }

    /// Handles a key.
    /// - Returns: True if the key edits the line.
    public mutating func type(_ key: Key) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .backspace: deleteBackward()
        case .delete, .control("d"): if cursor < text.count { text.remove(at: cursor) }
        case .arrow(.left, _), .control("b"): cursor = max(cursor - 1, 0)
        case .arrow(.right, _), .control("f"): cursor = min(cursor + 1, text.count)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("k"): text.removeSubrange(cursor...)
        case .control("u"):
            text.removeSubrange(..<cursor)
            cursor = 0
        case .control("w"): deleteWord()
        default: return false
        }
        return true
    }

    /// Replaces characters with a text, and moves the cursor to the end of the text.
    mutating func replace(_ range: Range<Int>, with string: String) {
        text.removeSubrange(range)
        cursor = range.lowerBound
        insert(string)
    }

    private mutating func insert(_ string: String) {
        let clean = Array(string.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 })
        let characters = Array(String(String.UnicodeScalarView(clean)))
            .prefix(max(LineEditor.limit - text.count, 0))
        text.insert(contentsOf: characters, at: cursor)
        cursor += characters.count
    }

    private mutating func deleteBackward() {
        guard cursor > 0 else { return }
        cursor -= 1
        text.remove(at: cursor)
    }

    private mutating func deleteWord() {
        while cursor > 0 && text[cursor - 1] == " " { deleteBackward() }
        while cursor > 0 && text[cursor - 1] != " " { deleteBackward() }
    }
}

/// The lines typed after `:`, latest last, without duplicates.
public struct LineHistory: Equatable, Sendable {
    /// The lines, at most `limit`; the oldest are dropped.
    public private(set) var lines: [String]
    /// The maximum number of lines.
    public static let limit = 200

    /// - Parameter lines: The lines, latest last.
    public init(_ lines: [String] = []) {
        self.lines = []
        for line in lines { add(line) }
    }

    /// Adds a line as the latest. Empty texts and texts of several lines are ignored.
    public mutating func add(_ line: String) {
        guard !line.isEmpty, !line.contains(where: \.isNewline) else { return }
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > LineHistory.limit { lines.removeFirst() }
    }
}

/// A query that reads the lines typed after `:` in this run and others, or adds one. The response has all
/// lines.
public struct TypedLinesQuery: Query {
    /// The line to add; nil to read only.
    public let line: String?

    /// - Parameter line: The line to add; nil to read only.
    public init(adding line: String? = nil) { self.line = line }

    public static var scheduling: QueryScheduling { .files }

    public typealias Response = LineHistory
}
