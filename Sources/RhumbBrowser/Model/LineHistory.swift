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
