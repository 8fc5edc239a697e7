import RhumbCore
import RhumbTestSupport
import Testing

struct ContentTests {
    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 13], .png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBP".utf8), .webp), (Array("RIFFxxxxWAVE".utf8), .unknown),
            ([0x1F, 0x8B, 8], .gzip), (Array("GIF89a".utf8), .gif), (Array("<!DOCTYPE html>".utf8), .html),
            (Array(" \r\n\t<HTML>".utf8), .html), ([0xEF, 0xBB, 0xBF] + Array("<html>".utf8), .html),
            (Array("<?xml version".utf8), .xml), (Array(" {\"a\":1}".utf8), .json), (Array("[]".utf8), .json),
            ([], .unknown), ([0x1A, 2, 3], .unknown), ([0x89], .unknown),
        ] as [([UInt8], ContentKind)])
    func `a body is recognised by its first bytes`(body: [UInt8], kind: ContentKind) {
        #expect(ContentKind(of: body) == kind)
    }

    @Test func `a login page is not a tile, whatever its content type`() {
        let page = Array("<html><body>Log in".utf8)
        for expected in [ExpectedContent.imageTile, .vectorTile, .document, .archiveRange] {
            #expect(expected.misfit(page, contentType: "image/png") == "html")
        }
    }

    @Test(
        arguments: [
            ([], nil), (VectorTileFixture([("l", [])]).bytes, nil), ([0x1F, 0x8B, 8], nil),
            ([0x1A, 2, 3], "invalid vector tile data"), ([0xFF, 0xFF], "invalid vector tile data"),
            ([0x89, 0x50, 0x4E, 0x47], "png"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "jpeg"), (Array("{\"error\":1}".utf8), "json"),
            (Array("<?xml?>".utf8), "xml"),
        ] as [([UInt8], String?)])
    func `a vector tile has no signature, but must be readable as one`(body: [UInt8], misfit: String?) {
        #expect(ExpectedContent.vectorTile.misfit(body, contentType: nil) == misfit)
    }

    @Test(
        arguments: [
            (Array("PMTiles".utf8) + [3], nil), (Array("versatiles_v02".utf8), nil),
            ([0x49, 0x49, 0x2A, 0], nil),
            ([0x4D, 0x4D, 0, 0x2B], nil), (Array("<html>x</html>".utf8), "html"),
            (Array("x".utf8), "a file of another kind"), ([], "a file of another kind"),
        ] as [([UInt8], String?)])
    func `an archive begins with a known signature`(body: [UInt8], misfit: String?) {
        #expect(ExpectedContent.archiveStart.misfit(body, contentType: nil) == misfit)
    }

    @Test func `only an image is accepted as an image`() {
        #expect(ExpectedContent.imageTile.misfit([0x89, 0x50, 0x4E, 0x47], contentType: "text/html") == nil)
        #expect(ExpectedContent.imageTile.misfit([], contentType: "image/png") == "nothing")
        #expect(ExpectedContent.imageTile.misfit([1, 2, 3], contentType: nil) == "an unknown image format")
        #expect(ExpectedContent.document.misfit(Array("{}".utf8), contentType: nil) == nil)
    }

    @Test(arguments: [
        ("bytes 0-9/100", 10, true), ("bytes 0-9/*", 10, true), ("BYTES 0-9/100", 10, true),
        ("bytes 0-4/5", 5, true), ("bytes 0-4/*", 5, true), ("bytes 0-4/100", 5, false),
        ("bytes 0-9/100", 9, false),
        ("bytes 1-10/100", 10, false), ("bytes 9-0/100", 10, false), ("bytes */100", 0, false),
        ("bytes 0-18446744073709551615/9", 10, false), ("items 0-9/100", 10, false), ("0-9/100", 10, false),
        ("", 10, false),
    ])
    func `a partial response must have the requested range`(header: String, count: Int, fits: Bool) throws {
        let range = try #require(ByteRange(offset: 0, count: 10))
        #expect(range.isAnswered(byContentRange: header, bodyCount: count) == fits)
    }

    @Test func `a range is written with its last byte included`() {
        #expect(ByteRange(offset: 127, count: 16_257)?.header == "bytes=127-16383")
        #expect(ByteRange(offset: 5, count: 0) == nil)
        #expect(ByteRange(offset: .max, count: 2) == nil)
    }
}
