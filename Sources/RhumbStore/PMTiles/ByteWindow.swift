internal import RhumbCore
internal import RhumbEngine

/// Reads parts of a file. If they are in the order of the file, they are read in long pieces.
struct ByteWindow {
    private let source: any ByteSource
    private var start: UInt64 = 0
    private var bytes: [UInt8] = []
    private var ahead = leastAhead

    private static let leastAhead: UInt64 = 64 << 10
    private static let mostAhead: UInt64 = 4 << 20

    init(_ source: any ByteSource) { self.source = source }

    private var end: UInt64 { start + UInt64(bytes.count) }

    /// Returns a part. Parts before the last one are read alone.
    mutating func read(_ section: FileSection) throws(TileFailure) -> ArraySlice<UInt8> {
        guard section.offset >= start else {
            return try source.read(offset: section.offset, count: Int(section.length))[...]
        }
        if section.end > end {
            ahead = section.offset <= end + Self.leastAhead ? min(ahead * 2, Self.mostAhead) : Self.leastAhead
            let rest = max(source.size, section.end) - section.offset
            bytes = try source.read(
                offset: section.offset, count: Int(max(section.length, min(ahead, rest))))
            start = section.offset
        }
        let at = Int(section.offset - start)
        return bytes[at..<at + Int(section.length)]
    }
}
