internal import RhumbCore

/// The files in a ZIP archive, stored or compressed with deflate.
package struct Zip {
    /// A file in the archive.
    package struct Entry {
        package let name: String
        fileprivate let method: Int, packed: Int, unpacked: Int, header: Int
    }

    /// The reason why a file can't be extracted.
    package enum Failure: Error { case damaged, tooLarge, unknownPacking }

    package let entries: [Entry]
    private let bytes: [UInt8]
    private static let mostEntries = 10_000
    private static let entryMark = 0x0201_4B50

    /// - Throws: `damaged` if the archive has no valid central directory.
    package init(_ bytes: [UInt8]) throws(Failure) {
        self.bytes = bytes
        let marks = stride(from: bytes.count - 22, through: max(bytes.count - 66_000, 0), by: -1)
        guard bytes.count >= 22,
            let end = marks.first(where: { bytes[$0] == 0x50 && Zip.number(bytes, $0, 4) == 0x0605_4B50 })
        else { throw .damaged }
        let size = Zip.number(bytes, end + 12, 4), start = Zip.number(bytes, end + 16, 4)
        // Bytes before the archive shift its offsets.
        let shift = Zip.number(bytes, start, 4) == Self.entryMark ? 0 : end - size - start
        var at = start + shift, entries: [Entry] = []
        for _ in 0..<min(Zip.number(bytes, end + 10, 2), Self.mostEntries) {
            guard at + 46 <= bytes.count, Zip.number(bytes, at, 4) == Self.entryMark else { throw .damaged }
            let length = Zip.number(bytes, at + 28, 2)
            guard at + 46 + length <= bytes.count else { throw .damaged }
            entries.append(
                Entry(
                    name: String(decoding: bytes[at + 46..<at + 46 + length], as: UTF8.self),
                    method: Zip.number(bytes, at + 10, 2),
                    packed: Zip.number(bytes, at + 20, 4), unpacked: Zip.number(bytes, at + 24, 4),
                    header: Zip.number(bytes, at + 42, 4) + shift))
            at += 46 + length + Zip.number(bytes, at + 30, 2) + Zip.number(bytes, at + 32, 2)
        }
        self.entries = entries
    }

    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
        guard at >= 0, at + count <= bytes.count else { return 0 }
        return Int(littleEndian: bytes[at..<at + count])
    }

    /// Returns a file's unpacked bytes, without relying on the declared size.
    /// - Parameter limit: The maximum size in bytes; larger files throw `tooLarge`.
    package func unpacked(_ entry: Entry, limit: Int) throws(Failure) -> [UInt8] {
        // Deflate makes data at most 1032 times smaller.
        guard entry.unpacked / 1032 <= entry.packed, entry.packed <= bytes.count else { throw .damaged }
        guard entry.unpacked <= limit else { throw .tooLarge }
        let start =
            entry.header + 30 + Self.number(bytes, entry.header + 26, 2)
            + Self.number(bytes, entry.header + 28, 2)
        guard Self.number(bytes, entry.header, 4) == 0x0403_4B50, start + entry.packed <= bytes.count else {
            throw .damaged
        }
        let packed = Array(bytes[start..<start + entry.packed])
        switch entry.method {
        case 0: return packed
        case 8:
            return try converting(Gzip.inflated(packed, expecting: entry.unpacked, limit: limit)) {
                (error: Gzip.Failure) in error == .tooLarge ? Failure.tooLarge : .damaged
            }
        default: throw .unknownPacking
        }
    }
}
