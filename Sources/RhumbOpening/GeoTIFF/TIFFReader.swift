internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// The reason why a part of a TIFF file can't be used.
enum TIFFProblem: Error {
    /// The bytes of the section must be loaded first.
    case missing(FileSection)
    /// The file is damaged; a phrase such as "its first directory is truncated".
    case damaged(String)
    /// The file is valid, but can't be shown; a phrase such as "it has 12 bands".
    case unsupported(String, advice: String)
    /// The file can't be read.
    case unreadable(TileFailure)
    /// A part could not be loaded from the server.
    case notLoaded(RangeFailure)
}

/// The bytes of a TIFF file, as far as they are loaded. Safe to use from any thread.
protocol TIFFBytes: Sendable {
    /// Returns the bytes of a section.
    /// - Throws: `TIFFProblem`; `missing` if they are not loaded.
    func bytes(_ section: FileSection) throws(TIFFProblem) -> [UInt8]
}

/// A file with random access, and the files beside it.
struct LocalTIFFBytes: TIFFBytes {
    let file: any ByteSource
    var sides = TIFFSideFiles()

    func bytes(_ section: FileSection) throws(TIFFProblem) -> [UInt8] {
        let base = section.offset / TIFFFile.baseStep * TIFFFile.baseStep
        let own = FileSection(offset: section.offset - base, length: section.length)
        guard let file = source(base), own.fits(size: file.size) else { throw .damaged("it is truncated") }
        return try converting(
            file.read(offset: own.offset, count: Int(clamping: own.length)), to: TIFFProblem.unreadable)
    }

    /// Returns the file with a base; nil if there is none.
    func source(_ base: UInt64) -> (any ByteSource)? { base == 0 ? file : sides.bytes[base] }
}

/// The directories of a TIFF or BigTIFF file.
struct TIFFFile: Sendable {
    /// A field of a directory: the position of its values.
    struct Field: Sendable {
        let type: UInt16
        let count: UInt64
        let position: UInt64
    }

    let bytes: any TIFFBytes
    /// The offset to add to the sections of a file beside the main one; 0 for the main one. It is a multiple
    /// of `baseStep`, which no position in a file reaches.
    let base: UInt64
    static let baseStep: UInt64 = 1 << 61
    /// True if numbers have their lowest byte first.
    let isLittleEndian: Bool
    private let isBig: Bool
    /// The fields of the directories, by their tags.
    private(set) var directories: [[UInt16: Field]] = []

    /// The maximum number of directories, and of fields in one.
    private static let directoryLimit = 64, fieldLimit: UInt64 = 512

    /// Reads the header and all directories.
    init(_ bytes: any TIFFBytes, base: UInt64 = 0) throws(TIFFProblem) {
        self.bytes = bytes
        self.base = base
        let head = try bytes.bytes(FileSection(offset: 0, length: 16))
        isLittleEndian = head[0] == 0x49
        let version = TIFFFile.number(head[2..<4], isLittleEndian)
        isBig = version == 43
        guard head[0] == head[1], [0x49, 0x4D].contains(head[0]), [42, 43].contains(version) else {
            throw .damaged("its header is invalid")
        }
        var next = TIFFFile.number(isBig ? head[8..<16] : head[4..<8], isLittleEndian)
        var seen: Set<UInt64> = []
        while next != 0, directories.count < TIFFFile.directoryLimit {
            guard seen.insert(next).inserted else { throw .damaged("its directories form a loop") }
            next = try readDirectory(at: next)
        }
        guard !directories.isEmpty else { throw .damaged("it has no directory") }
    }

    /// Reads a directory.
    /// - Returns: The position of the next one; 0 for none.
    private mutating func readDirectory(at start: UInt64) throws(TIFFProblem) -> UInt64 {
        let head = UInt64(isBig ? 8 : 2), size = UInt64(isBig ? 20 : 12), word = UInt64(isBig ? 8 : 4)
        let count = TIFFFile.number(
            try bytes.bytes(FileSection(offset: start, length: head))[...], isLittleEndian)
        guard (1...TIFFFile.fieldLimit).contains(count) else {
            throw .damaged("a directory has \(count) fields")
        }
        let table = try bytes.bytes(FileSection(offset: start + head, length: count * size + word))
        var fields: [UInt16: Field] = [:]
        for index in 0..<count {
            let entry = table[Int(index * size)..<Int((index + 1) * size)], at = entry.startIndex
            let type = UInt16(number(entry[(at + 2)..<(at + 4)]))
            let values = number(entry[(at + 4)..<(at + 4 + Int(word))])
            let (total, overflows) = values.multipliedReportingOverflow(by: TIFFFile.size(of: type))
            guard !overflows else { throw .damaged("a field is too long") }
            let inline = start + head + index * size + 4 + word
            let offset = at + 4 + Int(word)
            let position = total <= word ? inline : number(entry[offset..<(offset + Int(word))])
            fields[UInt16(number(entry[at..<(at + 2)]))] = Field(
                type: type, count: values, position: position)
        }
        directories.append(fields)
        return number(table.suffix(Int(word)))
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { TIFFFile.number(bytes, isLittleEndian) }

    private static func number(_ bytes: ArraySlice<UInt8>, _ isLittleEndian: Bool) -> UInt64 {
        isLittleEndian ? UInt64(littleEndian: bytes) : UInt64(bigEndian: bytes)
    }

    /// Returns the size of a value in bytes; 1 for unknown types.
    private static func size(of type: UInt16) -> UInt64 {
        switch type {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: 1
        }
    }

    // MARK: Values

    /// Returns a whole number of a field; nil if it doesn't exist.
    func number(_ field: Field?, at index: UInt64 = 0) throws(TIFFProblem) -> UInt64? {
        guard let field, index < field.count, ![2, 5, 10, 11, 12].contains(field.type) else { return nil }
        let size = TIFFFile.size(of: field.type)
        let section = FileSection(offset: field.position.saturatingAdd(index * size), length: size)
        return number(try bytes.bytes(section)[...])
    }

    /// Returns all numbers of a field; empty if it doesn't exist.
    /// - Throws: `damaged` if there are more than `limit`.
    func numbers(_ field: Field?, limit: UInt64 = 1 << 16) throws(TIFFProblem) -> [Double] {
        guard let field else { return [] }
        guard field.count <= limit else { throw .damaged("a field has \(field.count) values") }
        let size = Int(TIFFFile.size(of: field.type))
        let all = try bytes.bytes(FileSection(offset: field.position, length: field.count * UInt64(size)))
        return stride(from: 0, to: all.count, by: size).map { at in
            let raw = number(all[at..<(at + size)])
            return switch field.type {
            case 11: Double(Float(bitPattern: UInt32(raw)))
            case 12: Double(bitPattern: raw)
            default: Double(raw)
            }
        }
    }

    /// Returns the text of a field; nil if it doesn't exist.
    func text(_ field: Field?) throws(TIFFProblem) -> String? {
        guard let field, field.type == 2 else { return nil }
        let length = min(field.count, 1 << 16)
        let all = try bytes.bytes(FileSection(offset: field.position, length: length))
        return String(decoding: all.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Returns the bytes of a field; empty if it doesn't exist.
    func raw(_ field: Field?) throws(TIFFProblem) -> [UInt8] {
        guard let field, field.count <= 1 << 20 else { return [] }
        return try bytes.bytes(FileSection(offset: field.position, length: field.count))
    }

    /// Swaps the bytes of numbers to little-endian, if necessary.
    func normalise(_ bytes: inout [UInt8], size: Int) {
        guard !isLittleEndian, size > 1 else { return }
        for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
            bytes[start..<(start + size)].reverse()
        }
    }
}

extension UInt64 {
    fileprivate func saturatingAdd(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
