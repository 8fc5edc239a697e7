import Testing

@testable import RhumbOverlays

struct Windows1252Tests {
    private func decoded(_ bytes: [UInt8]) -> String? {
        bytes.withUnsafeBufferPointer { Windows1252.utf8($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `each byte has the character of windows-1252, or the replacement character`() {
        let special = "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ"
        #expect(decoded(Array(0x80...0x9F)) == special)
        for byte in UInt8(0xA0)...0xFF {
            #expect(decoded([0x41, byte, 0x41]) == "A\(Character(Unicode.Scalar(byte)))A")
        }
    }

    @Test func `text that is UTF-8 already is left as it is`() {
        #expect(decoded(Array("plain".utf8)) == nil && decoded(Array("Äußeres €".utf8)) == nil)
    }
}
