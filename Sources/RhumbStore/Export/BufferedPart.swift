/// A part of a file that grows by appending, written in pieces of about a megabyte.
struct BufferedPart {
    private let file: PartFile
    private let start: Int
    private var written = 0
    private var buffer: [UInt8] = []

    init(_ file: PartFile, from start: Int) {
        self.file = file
        self.start = start
    }

    /// The number of bytes appended.
    var count: Int { written + buffer.count }

    mutating func append(_ bytes: [UInt8]) throws(ExportFailure) {
        buffer += bytes
        if buffer.count >= 1 << 20 { try flush() }
    }

    mutating func flush() throws(ExportFailure) {
        try file.write(buffer, at: start + written)
        written += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Returns previously appended bytes. The offset is relative to the part's start.
    func read(at offset: Int, count: Int) -> [UInt8] {
        if offset >= written { return Array(buffer[(offset - written)..<(offset - written + count)]) }
        return file.read(at: start + offset, count: count)
    }

    /// All bytes, in pieces of a megabyte.
    var pieces: some Sequence<[UInt8]> {
        stride(from: 0, to: count, by: 1 << 20).lazy.map { [self] offset in
            read(at: offset, count: min(1 << 20, count - offset))
        }
    }
}
