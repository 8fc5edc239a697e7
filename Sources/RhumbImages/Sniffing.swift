extension ImageKind {
    /// The kind told from a file's first bytes; at most the first 1024 are looked at, and
    /// `.unknown` is the answer where they fit nothing.
    public init(sniffing bytes: [UInt8]) {
        let head = bytes.prefix(1024)
        self = Self.ofSignature(head) ?? Self.ofContainer(head) ?? Self.ofText(head) ?? .unknown
    }

    private static let signatures: [(ImageKind, [UInt8])] = [
        (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        (.jpeg, [0xFF, 0xD8, 0xFF]),
        (.gif, Array("GIF87a".utf8)),
        (.gif, Array("GIF89a".utf8)),
        (.gzip, [0x1F, 0x8B]),
        (.tiff, [0x49, 0x49, 0x2A, 0x00]),
        (.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
        (.tiff, [0x49, 0x49, 0x2B, 0x00]),
        (.tiff, [0x4D, 0x4D, 0x00, 0x2B]),
        (.jpegXL, [0xFF, 0x0A]),
        (.jpegXL, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
    ]

    private static func ofSignature(_ head: ArraySlice<UInt8>) -> ImageKind? {
        signatures.first { head.starts(with: $0.1) }?.0
    }

    private static func ofContainer(_ head: ArraySlice<UInt8>) -> ImageKind? {
        guard head.count >= 12 else { return nil }
        if head.starts(with: "RIFF".utf8) && head[8..<12].elementsEqual("WEBP".utf8) {
            return .webp
        }
        if head[4..<8].elementsEqual("ftyp".utf8) { return ofBrands(head) }
        let reserved = head[6..<10]
        return head.starts(with: "BM".utf8) && reserved.allSatisfy { $0 == 0 } ? .bmp : nil
    }

    /// ISO 14496-12 `ftyp`: the major brand at 8, compatible ones from 16 to the box's end.
    /// AVIF is looked for first, because its files name HEIF's general brands too.
    private static func ofBrands(_ head: ArraySlice<UInt8>) -> ImageKind? {
        let size = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let end = min(head.count, size)
        let starts = [8] + stride(from: 16, to: end, by: 4)
        let brands = starts.map { head[$0..<min($0 + 4, head.count)] }
        func names(_ wanted: [String]) -> Bool {
            brands.contains { brand in wanted.contains { brand.elementsEqual($0.utf8) } }
        }
        if names(["avif", "avis"]) { return .avif }
        return names(["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"]) ? .heic : nil
    }

    private static func ofText(_ head: ArraySlice<UInt8>) -> ImageKind? {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.hasPrefix("{") || start.hasPrefix("[") { return .json }
        guard start.hasPrefix("<") else { return nil }
        if start.hasPrefix("<svg") { return .svg }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .html }
        guard start.hasPrefix("<?xml") || start.hasPrefix("<!") else { return nil }
        if start.contains("<svg") { return .svg }
        return start.contains("<html") ? .html : .xml
    }
}
