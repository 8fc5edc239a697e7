internal import RhumbBase

/// A range of bytes of a remote file, at least one byte long.
public struct ByteRange: Hashable, Sendable {
    /// The offset of the first byte.
    public let offset: UInt64
    /// The number of bytes.
    public let count: UInt64

    /// Creates a range; nil if it is empty or its end overflows.
    public init?(offset: UInt64, count: UInt64) {
        guard count > 0, !offset.addingReportingOverflow(count).overflow else { return nil }
        self.offset = offset
        self.count = count
    }

    /// The value of a `Range` header (RFC 9110, 14.2).
    public var header: String { "bytes=\(offset)-\(offset + count - 1)" }

    /// Parses a `Content-Range` header into the sent range and, if given, the complete length; nil if it is
    /// invalid.
    public static func parse(contentRange text: String) -> (sent: ByteRange, whole: UInt64?)? {
        let fields = text.trimmed.split(separator: " ")
        guard fields.count == 2, fields[0].equalsIgnoringCase("bytes") else { return nil }
        let parts = fields[1].split(separator: "/")
        let ends = parts.first?.split(separator: "-").map { UInt64($0) } ?? []
        guard parts.count == 2, ends.count == 2, let first = ends[0], let last = ends[1], last >= first,
            let sent = ByteRange(offset: first, count: (last - first).saturatingIncrement)
        else { return nil }
        return (sent, UInt64(parts[1]))
    }

    /// Returns true if a 206 with that header is for this range, or for as much of it as the file has. A part
    /// from the start of a file whose length the server doesn't know may be shorter, too.
    /// - Parameter bodyCount: The length of the body in bytes; nil while it arrives.
    public func isAnswered(byContentRange text: String?, bodyCount: Int? = nil) -> Bool {
        guard let text, let (sent, whole) = ByteRange.parse(contentRange: text) else { return false }
        guard sent.offset == offset, bodyCount.map({ sent.count == UInt64($0) }) ?? true else { return false }
        let isWhole = whole.map { $0 == sent.offset + sent.count } ?? (offset == 0)
        return sent.count == count || sent.count < count && isWhole
    }
}

extension UInt64 {
    fileprivate var saturatingIncrement: UInt64 { self == .max ? self : self + 1 }
}
