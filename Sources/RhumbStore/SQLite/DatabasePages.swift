internal import RhumbCore
internal import RhumbEngine

/// The pages of a SQLite database and its write-ahead log, read without SQLite, which refuses a whole table
/// for one damaged page. See https://www.sqlite.org/fileformat2.html.
struct DatabasePages {
    /// The size of a page in bytes.
    let size: Int
    /// The number of pages. They are counted from 1.
    let count: Int
    private let file: FileBytes
    private let log: FileBytes?
    /// The offsets in the log of the newest committed pages.
    private let logged: [Int: UInt64]

    /// - Parameter usualSize: The size of a page if the header is damaged.
    /// - Throws: `ArchiveFailure` if the file can't be opened.
    init(_ path: String, usualSize: Int) throws(ArchiveFailure) {
        let file = try FileBytes(path), log = try? FileBytes(path + "-wal")
        let header = DatabasePages.bytes(file, 0, 100), named = header.bigEndian(16, 2)
        let size = named == 1 ? 65536 : named
        let isPlausible = (512...65536).contains(size) && size.nonzeroBitCount == 1
        self.size = isPlausible ? size : usualSize
        let commits = log.map { WriteAheadLog($0, pageSize: isPlausible ? size : usualSize) }
        self.file = file
        self.log = log
        logged = commits?.pages ?? [:]
        let stored = (Int(clamping: file.size) + self.size - 1) / self.size
        count = commits?.databaseSize ?? stored
    }

    /// Returns a page, with zeros in place of bytes that can't be read.
    func page(_ number: Int) -> [UInt8] {
        if let log, let offset = logged[number] { return Self.bytes(log, offset, size) }
        return Self.bytes(file, UInt64(number - 1) * UInt64(size), size)
    }

    fileprivate static func bytes(_ file: FileBytes, _ offset: UInt64, _ count: Int) -> [UInt8] {
        let available = offset < file.size ? min(count, Int(clamping: file.size - offset)) : 0
        let read = (try? file.read(offset: offset, count: available)) ?? []
        return read + [UInt8](repeating: 0, count: count - read.count)
    }
}

/// The committed pages of a write-ahead log.
private struct WriteAheadLog {
    /// The offsets of the newest pages by page number.
    private(set) var pages: [Int: UInt64] = [:]
    /// The number of pages of the database after the last commit; nil for no commit.
    private(set) var databaseSize: Int?

    init(_ log: FileBytes, pageSize: Int) {
        let header = DatabasePages.bytes(log, 0, 32), magic = header.bigEndian(0, 4)
        guard magic & ~1 == 0x377F_0682, header.bigEndian(8, 4) == pageSize else { return }
        var sum = Checksum(isBigEndian: magic & 1 == 1)
        sum.add(header[..<24])
        guard sum.isEqual(to: header, at: 24) else { return }
        var offset = UInt64(32), pending: [Int: UInt64] = [:]
        while offset + UInt64(24 + pageSize) <= log.size {
            let frame = DatabasePages.bytes(log, offset, 24 + pageSize)
            guard frame[8..<16] == header[16..<24] else { return }
            sum.add(frame[..<8])
            sum.add(frame[24...])
            guard sum.isEqual(to: frame, at: 16) else { return }
            pending[frame.bigEndian(0, 4)] = offset + 24
            let committed = frame.bigEndian(4, 4)
            if committed > 0 {
                pages.merge(pending) { $1 }
                pending = [:]
                databaseSize = committed
            }
            offset += UInt64(frame.count)
        }
    }

    /// The running checksum of a log.
    private struct Checksum {
        let isBigEndian: Bool
        private var sums: (UInt32, UInt32) = (0, 0)

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for at in stride(from: 0, to: bytes.count - 7, by: 8) {
                    sums.0 &+= word(bytes, at) &+ sums.1
                    sums.1 &+= word(bytes, at + 4) &+ sums.0
                }
            }
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }

        func isEqual(to bytes: [UInt8], at offset: Int) -> Bool {
            bytes.bigEndian(offset, 4) == Int(sums.0) && bytes.bigEndian(offset + 4, 4) == Int(sums.1)
        }
    }
}

extension [UInt8] {
    /// Returns an unsigned integer of up to 7 bytes; 0 beyond the end.
    func bigEndian(_ offset: Int, _ length: Int) -> Int {
        guard offset >= 0, offset + length <= count else { return 0 }
        return Int(bigEndian: self[offset..<offset + length])
    }

    /// Returns a variable-length integer of SQLite and its length; nil beyond the end.
    func varint(_ offset: Int) -> (value: Int, length: Int)? {
        var value: UInt64 = 0
        for at in 0..<9 {
            guard offset >= 0, offset + at < count else { return nil }
            let byte = self[offset + at]
            if at == 8 { return (Int(truncatingIfNeeded: value << 8 | UInt64(byte)), 9) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return (Int(truncatingIfNeeded: value), at + 1) }
        }
        return nil
    }
}
