/// The lines that were typed after `:`, the latest last. None is there twice.
public struct LineHistory: Equatable, Sendable {
    /// The lines, at most `limit`; the oldest are dropped.
    public private(set) var lines: [String]
    /// The most lines kept.
    public static let limit = 200

    /// - Parameter lines: The lines, the latest last.
    public init(_ lines: [String] = []) {
        self.lines = []
        for line in lines { add(line) }
    }

    /// Adds a line as the latest; nothing where it is empty or more than one line.
    public mutating func add(_ line: String) {
        guard !line.isEmpty, !line.contains(where: \.isNewline) else { return }
        lines.removeAll { $0 == line }
        lines.append(line)
        if lines.count > LineHistory.limit { lines.removeFirst() }
    }
}

/// Reads the lines typed after `:` in this run and others, or adds one; the response is all of them.
public struct TypedLinesQuery: Query {
    /// The added line; nil to read only.
    public let line: String?

    /// - Parameter line: The added line; nil to read only.
    public init(adding line: String? = nil) { self.line = line }

    public static var scheduling: QueryScheduling { .files }

    public func receive(_ lines: LineHistory, in browser: inout Browser) -> [Effect] {
        browser.typedLines = lines
        return []
    }
}

extension Browser {
    /// Adds a line to those typed after `:`, at once and in the file.
    /// - Parameter line: The line, without credentials.
    public mutating func remember(line: String) -> [Effect] {
        typedLines.add(line)
        return [.ask(TypedLinesQuery(adding: line))]
    }
}
