import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@Suite struct `Telling the kind` {
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func box(_ brands: String...) -> [UInt8] {
        let contents = text(brands[0]) + [0, 0, 0, 0] + text(brands.dropFirst().joined())
        return bigEndian(UInt32(contents.count + 8)) + text("ftyp") + contents + text("avif")
    }

    private static let known: [(ImageKind, [UInt8])] = [
        (.png, PNGFixture(.grey, depth: 1, width: 1, height: 1).bytes),
        (.jpeg, Gradient.jpeg),
        (.webp, Gradient.losslessWebP),
        (.webp, Animation.webp),
        (.gif, text("GIF87a")),
        (.gif, text("GIF89a\u{1}\0\u{1}\0")),
        (.avif, box("avif", "mif1", "miaf")),
        (.avif, box("mif1", "avif", "miaf")),
        (.heic, box("heic", "mif1")),
        (.heic, box("mif1", "heic")),
        (.bmp, text("BM") + [0x46, 0, 0, 0, 0, 0, 0, 0, 0x36, 0, 0, 0]),
        (.tiff, [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]),
        (.tiff, [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8]),
        (.tiff, [0x49, 0x49, 0x2B, 0, 8, 0, 0, 0]),
        (.tiff, [0x4D, 0x4D, 0, 0x2B, 0, 8, 0, 0]),
        (.jpegXL, [0xFF, 0x0A, 0x7F]),
        (.jpegXL, [0, 0, 0, 0x0C] + text("JXL \r\n") + [0x87, 0x0A]),
        (.gzip, [0x1F, 0x8B, 0x08, 0]),
        (.svg, text("<svg xmlns=\"http://www.w3.org/2000/svg\"/>")),
        (.svg, text("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- x -->\n<svg/>")),
        (.html, text("\r\n  <!DOCTYPE html><html><svg/></html>")),
        (.html, text("<HTML><body>Forbidden</body></HTML>")),
        (.html, text("<?xml version=\"1.0\"?><!DOCTYPE x><html/>")),
        (.xml, text("<?xml version=\"1.0\"?><ServiceExceptionReport/>")),
        (.json, text(" {\"error\": \"invalid key\"}")),
    ]

    private static let unknown: [[UInt8]] = [
        [], [0x89], text("\u{89}PNG"), [0xFF, 0xD8], text("RIFF\0\0\0\0WAVE"),
        text("BMW and others"),
        box("isom", "mp42"), text("hello"), text("<- back"), [0x1A, 0x0B, 0x78],
        text("    "), [UInt8](repeating: 0, count: 2000), text("\0\0\0\0ftyp"),
    ]

    @Test(arguments: known) func `the kind is detected from the first bytes`(kind: ImageKind, file: [UInt8]) {
        #expect(ImageKind(sniffing: file) == kind)
    }

    @Test(arguments: unknown) func `anything else is unknown`(file: [UInt8]) {
        #expect(ImageKind(sniffing: file) == .unknown)
    }

    @Test func `these tests cover every kind`() {
        #expect(Set(Self.known.map(\.0)).union([.unknown]) == Set(ImageKind.allCases))
    }

    @Test(arguments: known.filter { !$0.0.isDecodable })
    func `a kind that is not decoded is rejected by name`(kind: ImageKind, file: [UInt8]) {
        let refusal = ImageFailure.unsupported(kind: kind.description)
        #expect(throws: refusal) { try SniffingDecoder().decode(file, limits: .tile) }
        #expect(throws: refusal) { try ImageHeader(reading: file) }
    }

    @Test func `an empty file is an empty image`() {
        #expect(throws: ImageFailure.empty) { try SniffingDecoder().decode([], limits: .tile) }
        #expect(throws: ImageFailure.empty) { try ImageHeader(reading: []) }
    }
}
