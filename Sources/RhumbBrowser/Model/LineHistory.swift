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
