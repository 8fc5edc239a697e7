internal import RhumbCore
internal import RhumbEngine

/// Reads parts of a file. If they are in the order of the file, they are read in long pieces.
struct ByteWindow {
    private let source: any ByteSource
    /// The end of the bytes that may be read in advance.
    private let limit: UInt64
    private var start: UInt64 = 0
    private var end: UInt64 = 0
    /// The bytes from `start` to `end`, then unused ones.
    private var bytes: [UInt8] = []
    private var ahead = leastAhead

    private static let leastAhead: UInt64 = 64 << 10
    /// The longest piece. Those of local files remain in the processor's cache until they are used.
    private static let mostAhead: UInt64 = 256 << 10, mostAheadRemote: UInt64 = 4 << 20

    /// - Parameter limit: The end of the last part.
    init(_ source: any ByteSource, until limit: UInt64) {
        self.source = source
        self.limit = limit
    }

    /// Returns a part. Parts before the last one are read alone.
    mutating func read(_ section: FileSection) throws(TileFailure) -> ArraySlice<UInt8> {
        guard section.offset >= start else {
            return try source.read(offset: section.offset, count: Int(section.length))[...]
        }
        if section.end > end {
            let most = source.isRemote ? Self.mostAheadRemote : Self.mostAhead
            ahead = section.offset <= end + Self.leastAhead ? min(ahead * 2, most) : Self.leastAhead
            let rest = max(min(source.size, limit), section.end) - section.offset
            let count = max(section.length, min(ahead, rest))
            start = section.offset
            end = start
            try source.read(offset: start, count: Int(count), into: &bytes)
            end = start + count
        }
        let at = Int(section.offset - start)
        return bytes[at..<at + Int(section.length)]
    }
}
