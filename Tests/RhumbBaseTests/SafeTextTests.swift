import RhumbCore
import RhumbTestSupport
import Testing

struct SafeTextTests {
    /// Transliterates character by character, using only Unicode's tables.
    private func plainly(_ text: String, limit: Int) -> String {
        var words: [String] = [""]
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                words.append("")
            } else if isHarmless(scalar) {
                words[words.count - 1].unicodeScalars.append(scalar)
            }
        }
        let joined = words.filter { !$0.isEmpty }.joined(separator: " ").unicodeScalars
        guard joined.count > limit else { return String(joined) }
        return String(String.UnicodeScalarView(joined.prefix(limit))) + "…"
    }

    private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .format: scalar == "\u{200D}"
        default: true
        }
    }

    @Test func `every Latin character is classified as in Unicode's tables`() {
        for value in 0..<0x300 as Range<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)b"
            #expect(SafeText.sanitised(text) == plainly(text, limit: 500), "U+\(String(value, radix: 16))")
        }
    }

    @Test(arguments: 0..<200) func `texts of all kinds are transliterated as in Unicode's tables`(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let letters: [Unicode.Scalar] = [
            "a", "Z", " ", "~", "é", "\u{AD}", "\u{A0}", "\t", "\u{7F}", "東", "\u{202E}", "\u{200D}",
            "\u{1B}",
        ]
        let usual = seed.isMultiple(of: 2) ? 4 : letters.count
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &random) {
            text.append(letters[Int.random(in: 0..<usual, using: &random)])
        }
        #expect(
            SafeText.sanitised(String(text), limit: 100) == plainly(String(text), limit: 100),
            "\(Array(text))")
    }

    @Test(arguments: [("abcdef", "abc…"), ("abc", "abc"), ("ab cd", "ab …"), ("äbcd", "äbc…"), ("", "")])
    func `a long text ends with an ellipsis`(text: String, expected: String) {
        #expect(SafeText.sanitised(text, limit: 3) == expected)
    }

    @Test func `escapes preserve a JSON text's value, and show harmful characters`() throws {
        let value: JSON = ["name\u{202E}": .string("a\u{1B}[31m\u{9B}b\u{AD}\u{200C}\u{E000}\u{E0001}東é\n")]
        let escaped = SafeText.escaped(value.text)
        #expect(try JSON.parse(escaped) == value)
        #expect(
            SafeText.harmless(escaped) == escaped && escaped.contains("\\u202e") && escaped.contains("東é"))
        #expect(SafeText.escaped("a\tb\n\u{1B}]0;x\u{7}") == "a\tb\n\\u001b]0;x\\u0007")
    }
}
