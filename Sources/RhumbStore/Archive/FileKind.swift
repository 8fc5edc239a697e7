internal import Glibc
internal import RhumbEngine

/// What a file seems to be by its first bytes.
enum FileKind: Equatable {
    case folder
    case sqlite
    case pmtiles
    /// Something else, named with its article: "a zip file".
    case other(String)

    static func of(_ path: String) throws(ArchiveFailure) -> FileKind {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .cannotOpen(path, errno: errno) }
        if facts.st_mode & S_IFMT == S_IFDIR { return .folder }
        let file = try FileBytes(path)
        do throws(TileFailure) {
            return of(try file.read(offset: 0, count: Int(min(file.size, 1024))))
        } catch {
            throw ArchiveFailure(path, .cannotOpen, error.message, "check the file and its disk")
        }
    }

    static func of(_ bytes: [UInt8]) -> FileKind {
        if bytes.isEmpty { return .other("an empty file (0 bytes)") }
        if bytes.starts(with: "SQLite format 3\0".utf8) { return sqlite(bytes) }
        if bytes.starts(with: "PMTiles".utf8) { return .pmtiles }
        if let known = signatures.first(where: { bytes.starts(with: $0.bytes) }) { return .other(known.name) }
        if isWebP(bytes) { return .other("a WebP image") }
        return .other(textKind(bytes) ?? "a file of unknown kind")
    }

    private static func sqlite(_ bytes: [UInt8]) -> FileKind {
        guard bytes.count >= 100 else { return .other("a SQLite database cut short (\(bytes.count) bytes)") }
        let applicationID = Array(bytes[68..<72])
        let isGeoPackage = applicationID.elementsEqual("GPKG".utf8) || applicationID.starts(with: "GP1".utf8)
        return isGeoPackage ? .other("a GeoPackage") : .sqlite
    }

    private static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("PM".utf8) + [1, 0], "a PMTiles archive of version 1 (convert it with \"pmtiles convert\")"),
        (Array("PM".utf8) + [2, 0], "a PMTiles archive of version 2 (convert it with \"pmtiles convert\")"),
        ([0x49, 0x49, 0x2A, 0], "a TIFF or GeoTIFF image"), ([0x4D, 0x4D, 0, 0x2A], "a TIFF or GeoTIFF image"),
        ([0x49, 0x49, 0x2B, 0], "a BigTIFF image"), ([0x4D, 0x4D, 0, 0x2B], "a BigTIFF image"),
        (Array("PK".utf8) + [3, 4], "a zip file"), ([0x1F, 0x8B], "a gzip file"),
        ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard file"), (Array("BZh".utf8), "a bzip2 file"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz file"), ([0x37, 0x7A, 0xBC, 0xAF], "a 7-Zip file"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
        (Array("GIF8".utf8), "a GIF image"), (Array("%PDF".utf8), "a PDF document"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    private static func isWebP(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8)
    }

    private static func textKind(_ bytes: [UInt8]) -> String? {
        guard !bytes.contains(where: { $0 < 9 }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).lowercased().drop { $0.isWhitespace }
        if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            return "an HTML page (perhaps an error page that was saved in its place)"
        }
        if text.hasPrefix("<?xml") || text.hasPrefix("<") { return "an XML text" }
        if text.hasPrefix("{") || text.hasPrefix("[") { return "a JSON text" }
        if text.hasPrefix("version https://git-lfs") { return "a Git LFS pointer (run \"git lfs pull\")" }
        return bytes.contains(where: { $0 > 126 }) ? nil : "a text"
    }
}
