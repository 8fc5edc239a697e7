import RhumbCore
import Testing

@testable import RhumbHTTP

struct ContentMisfitTests {
    private static let svg = "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>"

    @Test(
        arguments: [
            (Array("GIF89a".utf8), "a GIF image"),
            (Array("\0\0\0\u{14}ftypavif\0\0\0\0avif".utf8), "an AVIF image"),
            (Array(svg.utf8), "an SVG image"), ([0xFF, 0x0A], "a JPEG XL image"),
            (Array("II*\0".utf8), "a TIFF image"),
        ] as [([UInt8], String)])
    func `an image in a format that is not drawn is named, and blamed on no captive portal`(
        body: [UInt8], name: String
    ) throws {
        let found = try #require(ExpectedContent.imageTile.misfit(body, contentType: nil))
        let sentence = ContentMisfit(found, body).sentence(expecting: .imageTile)
        #expect(sentence.contains(name) && sentence.contains("not drawn"), "\(sentence)")
        #expect(!sentence.contains("captive portal"))
    }

    @Test(
        arguments: [
            (.imageTile, "<?xml version=\"1.0\"?><ServiceException/>", "an XML document instead of an image"),
            (.imageTile, "{}", "a JSON document instead of an image"),
            (.vectorTile, "GIF89a", "a GIF image instead of a vector tile"),
            (.imageTile, "no layer", "data of an unknown format instead of an image"),
        ] as [(ExpectedContent, String, String)])
    func `other contents are named together with the expected one`(
        expected: ExpectedContent, text: String, words: String
    ) throws {
        let body = Array(text.utf8), found = try #require(expected.misfit(body, contentType: nil))
        let sentence = ContentMisfit(found, body).sentence(expecting: expected)
        #expect(sentence.contains(words) && !sentence.contains("captive portal"), "\(sentence)")
    }

    @Test func `a web page may be that of a captive portal`() throws {
        let body = Array("<!doctype html>".utf8)
        let found = try #require(ExpectedContent.imageTile.misfit(body, contentType: nil))
        let sentence = ContentMisfit(found, body).sentence(expecting: .imageTile)
        #expect(sentence.contains("an HTML page") && sentence.contains("captive portal"), "\(sentence)")
    }
}
