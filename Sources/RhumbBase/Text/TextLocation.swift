/// A place in a text as editors count it, both from 1.
public struct TextLocation: Hashable, Sendable, CustomStringConvertible {
    /// Counted by line feeds.
    public let line: Int
    /// Unicode scalars in the line.
    public let column: Int

    /// - Parameters:
    ///   - offset: in bytes from 0; one beyond the end is taken for the end.
    ///   - bytes: the text, UTF-8.
    public init(offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = before.count { $0 == 0x0A } + 1
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }

    public var description: String { "line \(line), column \(column)" }
}
