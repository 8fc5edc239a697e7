/// The kind of a file, detected by its first bytes.
public enum FileSignature: Sendable, Equatable {
    case png, jpeg, gif, webp, avif, heic, bmp, tiff, bigTIFF, jpegXL
    case gzip, zip, zstandard, bzip2, xz, sevenZip
    case sqlite
    /// PMTiles in this version of the format.
    case pmTiles(version: UInt8)
    /// VersaTiles in this version of the format, as two digits.
    case versatiles(version: String)
    case pdf, elf

    /// - Parameter bytes: The beginning of the file. 64 bytes suffice for images in containers.
    @inlinable
    public init?(_ bytes: some Collection<UInt8>) { self.init(head: Array(bytes.prefix(64))) }

    @usableFromInline
    init?(head: [UInt8]) {
        if let match = Self.marks.first(where: { head.starts(with: $0.bytes) }) {
            self = match.kind
        } else if head.starts(with: "PMTiles".utf8) {
            self = .pmTiles(version: head.dropFirst(7).first ?? 3)
        } else if head.starts(with: "versatiles_v".utf8), head.count >= 14 {
            self = .versatiles(version: String(decoding: head[12..<14], as: UTF8.self))
        } else if let kind = Self.container(head) {
            self = kind
        } else {
            return nil
        }
    }

    private static let marks: [(kind: FileSignature, bytes: [UInt8])] = [
        (.png, [0x89, 0x50, 0x4E, 0x47]), (.jpeg, [0xFF, 0xD8, 0xFF]), (.gif, Array("GIF8".utf8)),
        (.tiff, [0x49, 0x49, 0x2A, 0]), (.tiff, [0x4D, 0x4D, 0, 0x2A]),
        (.bigTIFF, [0x49, 0x49, 0x2B, 0]), (.bigTIFF, [0x4D, 0x4D, 0, 0x2B]),
        (.jpegXL, [0xFF, 0x0A]), (.jpegXL, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        (.gzip, [0x1F, 0x8B]), (.zip, Array("PK".utf8) + [3, 4]), (.zstandard, [0x28, 0xB5, 0x2F, 0xFD]),
        (.bzip2, Array("BZh".utf8)), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        (.sevenZip, [0x37, 0x7A, 0xBC, 0xAF]),
        (.sqlite, Array("SQLite format 3\0".utf8)),
        (.pmTiles(version: 1), Array("PM".utf8) + [1, 0]), (.pmTiles(version: 2), Array("PM".utf8) + [2, 0]),
        (.pdf, Array("%PDF".utf8)), (.elf, [0x7F, 0x45, 0x4C, 0x46]),
    ]

    private static func container(_ head: [UInt8]) -> FileSignature? {
        guard head.count >= 12 else { return nil }
        if head.starts(with: "RIFF".utf8) && head[8..<12].elementsEqual("WEBP".utf8) { return .webp }
        if head[4..<8].elementsEqual("ftyp".utf8) { return ofBrands(head) }
        return head.starts(with: "BM".utf8) && head[6..<10].allSatisfy { $0 == 0 } ? .bmp : nil
    }

    /// Detects the brands of an ISO 14496-12 `ftyp` box: the major brand at 8, compatible ones from 16 to the
    /// end of the box. AVIF is tested first, because its files name HEIF's general brands, too.
    private static func ofBrands(_ head: [UInt8]) -> FileSignature? {
        let size = Int(bigEndian: head.prefix(4))
        let starts = [8] + stride(from: 16, to: min(head.count, size), by: 4)
        let brands = starts.map { head[$0..<min($0 + 4, head.count)] }
        func names(_ wanted: [String]) -> Bool {
            brands.contains { brand in wanted.contains { brand.elementsEqual($0.utf8) } }
        }
        if names(["avif", "avis"]) { return .avif }
        return names(["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]) ? .heic : nil
    }
}
