internal import Glibc
internal import RhumbCore
internal import RhumbStore

/// A set in a single file: an uncompressed tar archive (POSIX.1-1988, ustar) of regular files.
package enum TarFile {
    static let blockSize = 512
    private static let magic = Array("ustar\u{0}00".utf8)
    /// The largest size in eleven octal digits. Larger ones are stored in base 256, as by GNU tar.
    private static let largestOctal = 0o77777777777

    /// Returns the header of a file; nil if its path is too long.
    package static func header(_ path: String, size: Int) -> [UInt8]? {
        var name = Substring(path), folder: Substring = ""
        // A long path is split at a slash.
        while name.utf8.count > 100 {
            let rest = path.dropFirst(folder.isEmpty ? 0 : folder.count + 1)
            guard let slash = rest.firstIndex(of: "/") else { return nil }
            folder = path[..<slash]
            name = path[path.index(after: slash)...]
        }
        guard folder.utf8.count <= 155 else { return nil }
        var block = [UInt8](repeating: 0, count: blockSize)
        func set(_ text: some StringProtocol, at start: Int) {
            block.replaceSubrange(start..<start + text.utf8.count, with: text.utf8)
        }
        set(name, at: 0)
        set("0000644\u{0}0000000\u{0}0000000\u{0}", at: 100)
        if size <= largestOctal {
            set(size.digits(11, radix: 8), at: 124)
        } else {
            block.replaceSubrange(128..<136, with: size.littleEndianBytes.reversed())
            block[124] = 0x80
        }
        set(Int.zero.digits(11, radix: 8), at: 136)
        set("0", at: 156)
        block.replaceSubrange(257..<257 + magic.count, with: magic)
        set(folder, at: 345)
        set(checksum(of: block).digits(6, radix: 8) + "\u{0} ", at: 148)
        return block
    }

    /// The sum of a header's bytes, with spaces for the sum itself.
    private static func checksum(of block: [UInt8]) -> Int {
        block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
    }

    /// Reads a header.
    /// - Returns: nil if it is damaged.
    static func entry(_ block: [UInt8]) -> (path: String, size: Int, kind: UInt8)? {
        guard number(block[148..<156]) == checksum(of: block), let size = number(block[124..<136]) else {
            return nil
        }
        let name = text(block[0..<100])
        let folder = block[257..<262].elementsEqual("ustar".utf8) ? text(block[345..<500]) : ""
        return (folder.isEmpty ? name : "\(folder)/\(name)", size, block[156])
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if field.first == 0x80 {
            let digits = field.dropFirst()
            guard digits.dropLast(7).allSatisfy({ $0 == 0 }) else { return nil }
            return Int(bigEndian: digits.suffix(7))
        }
        let digits = field.drop { $0 == 0x20 }.prefix { (48...55).contains($0) }
        guard !digits.isEmpty, digits.count <= 12 else { return nil }
        return digits.reduce(0) { $0 << 3 | Int($1 - 48) }
    }
}

/// Writes a set to a tar archive, which appears under its name when it is complete.
final class TarWriter {
    private let file: PartFile
    private var end = 0

    /// - Throws: `ExportFailure`, also if the file exists.
    init(_ path: String) throws(ExportFailure) {
        file = try PartFile(path, isReplacing: false)
    }

    /// Adds a file and removes it from its folder.
    /// - Throws: `TransferSetFailure`, `ExportFailure`
    func move(_ path: String, from folder: String) throws {
        guard let source = try? FileBytes("\(folder)/\(path)"),
            let header = TarFile.header(path, size: Int(source.size))
        else { throw TransferSetFailure.unreadable(path) }
        try file.write(header, at: end)
        end += header.count
        let size = Int(source.size)
        try source.eachPiece(of: 0..<size) { try file.write($0, at: end + $1) }
        end += (size + TarFile.blockSize - 1) / TarFile.blockSize * TarFile.blockSize
        unlink("\(folder)/\(path)")
    }

    /// Ends the archive with two empty blocks, and publishes it.
    func finish() throws(ExportFailure) {
        try file.write([UInt8](repeating: 0, count: 2 * TarFile.blockSize), at: end)
        try file.publish()
    }
}

/// A tar archive of a set, opened for reading.
package struct TarReader {
    /// The regular files in their order.
    package let paths: [String]
    private let archive: FileBytes
    private let sections: [String: (offset: Int, size: Int)]

    /// Reads the headers. Paths out of the folder, links and devices are refused.
    /// - Throws: `TransferSetFailure`
    package init(_ path: String) throws {
        guard let archive = try? FileBytes(path) else { throw TransferSetFailure.unreadable(path) }
        let end = Int(archive.size)
        var offset = 0, paths: [String] = [], sections: [String: (offset: Int, size: Int)] = [:]
        while true {
            guard end - offset >= TarFile.blockSize else { throw TransferSetFailure.cut(path) }
            let block = try archive.read(offset: UInt64(offset), count: TarFile.blockSize)
            if block.allSatisfy({ $0 == 0 }) { break }
            guard let entry = TarFile.entry(block) else { throw TransferSetFailure.archive(path) }
            offset += TarFile.blockSize
            guard entry.size <= end - offset else { throw TransferSetFailure.cut(path) }
            let start = offset
            offset += (entry.size + TarFile.blockSize - 1) / TarFile.blockSize * TarFile.blockSize
            switch entry.kind {
            case UInt8(ascii: "0"), 0: break
            // Folders are created for their files; extended headers of other programs are not needed.
            case UInt8(ascii: "5"), UInt8(ascii: "x"), UInt8(ascii: "g"): continue
            default: throw TransferSetFailure.path(entry.path)
            }
            let name = entry.path.hasPrefix("./") ? String(entry.path.dropFirst(2)) : entry.path
            guard TransferSet.File.isInside(name), sections[name] == nil else {
                throw TransferSetFailure.path(entry.path)
            }
            paths.append(name)
            sections[name] = (start, entry.size)
        }
        self.archive = archive
        self.paths = paths
        self.sections = sections
    }

    /// Extracts a file into a folder. Does nothing if the archive lacks it.
    /// - Throws: `TileFailure`, `ExportFailure`
    package func extract(_ name: String, to folder: String) throws {
        guard let (offset, size) = sections[name] else { return }
        let destination = "\(folder)/\(name)"
        Folder.make(destination.parentFolder, mode: 0o700)
        let file = try PartFile(destination, isReplacing: false)
        try archive.eachPiece(of: offset..<offset + size) { try file.write($0, at: $1 - offset) }
        try file.publish()
    }
}
