/// The lines of a row whose quoted fields have line breaks.
struct QuotedRow: Sendable {
    /// The lines so far, with line feeds between them.
    private(set) var bytes: [UInt8]
    /// The number of the first line.
    let line: Int
    private var ends: [FieldEnd]

    /// The maximum size in bytes.
    static let limit = 1 << 20

    /// Returns nil for a line that ends outside quotes.
    /// - Parameter separators: The separators that the table may have.
    init?(_ bytes: Bytes, line: Int, separators: [UInt8]) {
        guard bytes.contains(UInt8(ascii: "\"")) else { return nil }
        ends = separators.map { FieldEnd(bytes, separator: $0) }
        guard ends.contains(where: \.isQuoted) else { return nil }
        self.bytes = Array(bytes)
        self.line = line
    }

    /// Adds the next line.
    /// - Returns: True if the row is complete.
    mutating func append(_ line: Bytes) -> Bool {
        bytes.append(0x0A)
        bytes.append(contentsOf: line)
        for at in ends.indices { ends[at].read(line) }
        return !ends.contains(where: \.isQuoted)
    }

    /// The state at the end of a line.
    private struct FieldEnd: Sendable {
        private enum State { case start, plain, quoted, behindQuote }
        private var state = State.start
        private let separator: UInt8

        init(_ line: Bytes, separator: UInt8) {
            self.separator = separator
            read(line)
        }

        var isQuoted: Bool { state == .quoted }

        mutating func read(_ line: Bytes) {
            for byte in line {
                let isQuote = byte == UInt8(ascii: "\"")
                switch state {
                case .quoted: if isQuote { state = .behindQuote }
                case .behindQuote where isQuote, .start where isQuote: state = .quoted
                case .start where byte == 0x20: break
                default: state = byte == separator ? .start : .plain
                }
            }
        }
    }
}
