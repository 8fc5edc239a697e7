@testable import RhumbBase
import Testing

/// Records the elements of a document, with the value of the attribute "a" and the text of each.
private struct Recorder: XMLHandler {
    var line = 1
    var begun: [String] = [], ended: [String] = []

    mutating func begin(_ name: XMLName, _ attributes: XMLAttributes, _ path: [XMLName]) {
        guard let value = attributes[XMLName("a")] else { return }
        begun.append(String(decoding: value, as: UTF8.self))
    }

    mutating func end(_ name: XMLName, text: UnsafeBufferPointer<UInt8>, _ path: [XMLName]) {
        if name == XMLName("t") { ended.append(String(decoding: text, as: UTF8.self)) }
    }
}

struct XMLParserTests {
    /// Reads a document in pieces.
    private func read(
        _ bytes: [UInt8], pieces: Int = .max
    ) -> (begun: [String], ended: [String], failure: XMLFailure?) {
        let parser = XMLParser()
        var recorder = Recorder(), start = 0
        do throws(XMLFailure) {
            while start < bytes.count {
                let end = start + min(pieces, bytes.count - start)
                try bytes[start..<end].withUnsafeBufferPointer { piece throws(XMLFailure) in
                    try parser.read(piece, &recorder)
                }
                start = end
            }
            try parser.finish(&recorder)
        } catch {
            return (recorder.begun, recorder.ended, error)
        }
        return (recorder.begun, recorder.ended, nil)
    }

    private func read(_ text: String) -> (begun: [String], ended: [String], failure: XMLFailure?) {
        read(Array(text.utf8))
    }

    @Test(arguments: [1, 5, .max])
    func `attributes may contain any character, also as a reference`(pieces: Int) {
        let text = #"<r><t a="x > y"/><t a='"/>'/><t a = "&#65;&lt;&#x42;"/></r>"#
        #expect(read(Array(text.utf8), pieces: pieces).begun == ["x > y", #""/>"#, "A<B"])
    }

    @Test func `the text of an element is joined around comments and elements`() {
        #expect(read("<r><t>a<!-- c -->b<i>no</i>c<![CDATA[<&lt;>]]>&amp;d</t></r>").ended == ["abc<&lt;>&d"])
        #expect(read("<p:r xmlns:p='u'><p:t>1</p:t><q:t>2</q:t></p:r>").ended == ["1", "2"])
    }

    @Test(
        arguments: [
            ("ISO-8859-1", [0xE9], "é"), ("windows-1252", [0x80, 0x93], "€“"), ("cp1252", [0xE9], "é"),
            ("windows-1251", [0xC4], "Д"), ("windows-1250", [0x9A], "š"), ("ISO-8859-2", [0xB1], "ą"),
            ("KOI8-R", [0xE4], "Д"), ("Shift_JIS", [0x93, 0x8C], "東"), ("EUC-KR", [0xB0, 0xA1], "가"),
            ("EUC-JP", [0x8F, 0xB0, 0xA1], "丂"), ("GB18030", [0x81, 0x30, 0x8B, 0x31], "õ"),
            ("utf8", [0xE6, 0x9D, 0xB1], "東"), ("UTF8", [0xF0, 0x9F, 0x90, 0x8E], "\u{1F40E}"),
            ("GB2312", [0xB1, 0xB1], "北"), ("us-ascii", [0x41], "A"), ("UTF-8", [0xC3, 0xA9], "é"),
        ] as [(String, [UInt8], String)])
    func `text is decoded as the document declares`(encoding: String, bytes: [UInt8], text: String) {
        let head = "<?xml version='1.0' encoding='\(encoding)'?><r><t>".utf8
        for pieces in [1, .max] {
            #expect(read(head + bytes + Array("</t></r>".utf8), pieces: pieces).ended == [text])
        }
    }

    @Test(arguments: ["UTF-16", "utf-16le", "ISO-10646-UCS-2", "utf-8", ""])
    func `UTF-16 is read in both byte orders, with and without a mark, whatever is declared`(
        declared: String
    ) {
        let encoding = declared.isEmpty ? "" : " encoding='\(declared)'"
        let units = Array("<?xml version='1.0'\(encoding)?><r><t>Žižkov 東</t></r>".utf16)
        let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for bytes in [[0xFF, 0xFE] + little, [0xFE, 0xFF] + big, little, big] {
            for pieces in [1, .max] {
                #expect(read(bytes, pieces: pieces).ended == ["Žižkov 東"])
            }
        }
    }

    @Test func `an empty document fails at its start`() {
        #expect(read("").failure?.offset == 0 && read("\n ").failure?.offset == 2)
    }

    @Test func `UTF-32 is refused by its name`() {
        let little = "<r/>".utf8.flatMap { [$0, 0, 0, 0] as [UInt8] }
        let big = "<r/>".utf8.flatMap { [0, 0, 0, $0] as [UInt8] }
        let documents: [[UInt8]] = [[0xFF, 0xFE, 0, 0] + little, little, [0, 0, 0xFE, 0xFF] + big, big]
        for bytes in documents {
            for pieces in [1, .max] {
                let problem = read(bytes, pieces: pieces).failure?.problem
                #expect(problem?.contains("UTF-32 is not supported") == true)
            }
        }
    }

    @Test func `a text whose declaration names UTF-16, white space and a mark before it are accepted`() {
        #expect(read("<?xml version='1.0' encoding='utf-16'?><r><t>é</t></r>").ended == ["é"])
        #expect(read("\u{FEFF}\r\n <?xml version='1.0'?><r><t>é</t></r>").ended == ["é"])
        #expect(read("\n\n<r><t></r>").failure?.line == 3)
    }

    @Test func `the mark of UTF-8 outweighs the declared encoding`() {
        let text = "\u{FEFF}<?xml version='1.0' encoding='ISO-8859-1'?><r><t>é</t></r>"
        #expect(read(text).ended == ["é"])
    }

    @Test func `an attribute named encoding is not a declaration`() {
        #expect(read("<?xml version='1.0'?><r encoding='x'><t>é</t></r>").ended == ["é"])
    }

    @Test(arguments: [1, 7, .max])
    func `invalid bytes in UTF-8 are replaced, and control characters become spaces`(pieces: Int) {
        for head in ["", "<?xml version='1.0'?>", "<?xml version='1.0' encoding='UTF-8'?>"] {
            let text: [UInt8] = [
                0x4B, 0xE4, 0x73, 0x65, 0x20, 0xC3, 0xA9, 0x01, 0xF0, 0x9F, 0x90, 0x8E, 0xE2,
            ]
            let bytes = Array("\(head)<r><t>".utf8) + text + Array("</t></r>\0\0".utf8)
            #expect(read(bytes, pieces: pieces).ended == ["K\u{FFFD}se é \u{1F40E}\u{FFFD}"])
            #expect(read(bytes, pieces: pieces).failure == nil)
        }
    }

    @Test(arguments: [1, 3, .max])
    func `references to characters that XML doesn't allow are removed`(pieces: Int) {
        let text = "<r a='&#0;x'><t>a&#x1B;b&#27;c&#9;d&#65;e&#xD800;f&amp;&#x110000;g</t></r>"
        let bytes = Array(text.utf8)
        #expect(read(bytes, pieces: pieces).ended == ["abc\tdAef&g"])
        #expect(read(bytes, pieces: pieces).begun == ["x"])
    }

    @Test func `an unknown encoding is named`() {
        for encoding in ["x-unknown", "UTF-7", "ISO-2022-JP"] {
            let failure = read("<?xml version='1.0' encoding='\(encoding)'?><r/>").failure
            #expect(failure?.problem.contains("its encoding \(encoding) is not supported") == true)
        }
    }

    @Test func `an undeclared entity remains as it is, and declarations are rejected`() {
        #expect(read("<r><t>a&nbsp;b</t></r>").ended == ["a&nbsp;b"])
        let external = "<!DOCTYPE r SYSTEM 'http://127.0.0.1:9/r.dtd'><r><t>x</t></r>"
        #expect(read(external).ended == ["x"])
        for declaration in [
            "<!ENTITY e 'E'>", "<!ENTITY e SYSTEM 'file:///etc/passwd'>", "<!ENTITY % e SYSTEM 'x.dtd'>%e;",
            "<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>",
        ] {
            let found = read("<!DOCTYPE r [\(declaration)]><r><t>&e;</t></r>")
            #expect(found.ended == [] && found.failure?.problem.contains("declares entities") == true)
        }
    }

    @Test func `after an error, the open elements end, and the place of the error is known`() {
        let wrong = read("<r><t>1</t>\n<t>2<u></t></r>")
        #expect(wrong.ended == ["1", "2"])
        #expect(wrong.failure?.problem == "an end tag does not match its element")
        #expect(wrong.failure?.line == 2)
        #expect(read("<r><t>1").ended == ["1"])
        #expect(read("<r><t>1").failure?.problem == XMLParser.truncated)
        #expect(read("").failure?.problem == XMLParser.truncated)
        #expect(read("<r/>more").failure?.problem == "text after the end of the document")
        #expect(read(String(repeating: "<a>", count: 100)).failure?.problem == "nested deeper than 64")
    }
}
