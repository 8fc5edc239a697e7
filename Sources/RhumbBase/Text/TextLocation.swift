/// A position in a text as in editors, counted from 1.
public struct TextLocation: Hashable, Sendable, CustomStringConvertible {
    /// The line, counted by line feeds.
    public let line: Int
    /// The column, counted in Unicode scalars.
    public let column: Int

    /// - Parameters:
    ///   - offset: The offset in bytes from 0. An offset beyond the end counts as the end.
    ///   - bytes: The text in UTF-8.
    public init(offset: Int, in bytes: [UInt8]) {
        let before = bytes.prefix(offset)
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = before.count { $0 == 0x0A } + 1
        column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    }

    public var description: String { "line \(line), column \(column)" }
}
