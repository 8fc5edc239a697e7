import RhumbCore
import RhumbTestSupport
import Testing

struct JSONTests {
    @Test(
        arguments: [
            ("null", JSON.null), (" true ", true), ("false", false), ("0", 0), ("-12", -12),
            ("1.5e2", 150), ("4.0", 4), ("-0.25", .number(-0.25)),
            ("9223372036854775808", .unsigned(9_223_372_036_854_775_808)),
            (#""a\n\"\\\/\u00e9""#, .string("a\n\"\\/é")), (#""\ud83d\ude00""#, "😀"),
            ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]), (#"{"b":1,"a":[null]}"#, ["b": 1, "a": [nil]]),
            ("\u{FEFF}1", 1), (#"{"a":1,"a":2}"#, ["a": 2]),
        ] as [(String, JSON)])
    func `valid text is parsed to its value`(text: String, value: JSON) throws {
        #expect(try JSON.parse(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "truex", "01", "1.", ".5", "-", "+1", "1e", "[1,]", "[1 2]", "[", "{", "{a:1}",
        #"{"a"}"#, #"{"a":1,}"#, #"{"a":1"#, #""abc"#, "\"a\nb\"", #""\x""#, #""\u12g4""#, #""\ud800""#,
        #""\ud800\u0041""#, #""\udc00""#, "1 2", "NaN", "1e999", "'a'",
    ])
    func `invalid text is rejected`(text: String) {
        #expect(throws: JSONFailure.self) { try JSON.parse(text) }
    }

    @Test func `an error states its position`() {
        let failure = #expect(throws: JSONFailure.self) { try JSON.parse("[1 2]") }
        #expect(failure?.problem == "an array needs ',' or ']' here" && failure?.offset == 3)
    }

    @Test func `text that is not UTF-8 is rejected`() {
        #expect(throws: JSONFailure.self) { try JSON.parse([0x22, 0xC3, 0x28, 0x22]) }
        #expect(throws: JSONFailure.self) { try JSON.parse([0x22, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func `nesting is limited`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(throws: Never.self) { try JSON.parse(nested(64)) }
        #expect(throws: JSONFailure.self) { try JSON.parse(nested(65)) }
        #expect(throws: JSONFailure.self) { try JSON.parse(nested(1_000_000)) }
    }

    @Test func `members keep their order, and a repeated name its first position`() throws {
        let value = try JSON.parse(#"{"z":1,"a":2,"m":3,"a":4}"#)
        #expect(value.text == #"{"z":1,"a":4,"m":3}"#)
    }

    @Test func `a removed member is removed from the order`() {
        var members = JSONObject()
        members["a"] = 1
        members["b"] = 2
        members["a"] = nil
        #expect(members.names == ["b"] && members["a"] == nil && members.count == 1)
    }

    @Test(
        arguments: [
            (JSON.number(4), "4"), (.number(0.1), "0.1"), (.number(.infinity), "null"),
            (.number(.nan), "null"),
            (.string("\u{61C}\u{200B}\u{200F}\u{FEFF}\u{FFF9}"), #""\u061c\u200b\u200f\ufeff\ufff9""#),
            (.string("\u{2066}\u{E0041}é😀"), #""\u2066\udb40\udc41é😀""#),
            (.string("\u{1B}[2J\u{9B}\u{7F}\u{202E}"), #""\u001b[2J\u009b\u007f\u202e""#),
            (.string("é 😀 \"\\\t"), #""é 😀 \"\\\t""#),
        ] as [(JSON, String)])
    func `written JSON is harmless and valid`(value: JSON, text: String) {
        #expect(value.text == text)
    }

    @Test func `written JSON is read back unchanged`() throws {
        let value: JSON = ["a": [1, 2.5, nil, true, "x\u{1}"], "b": [:], "c": ["d": []]]
        #expect(try JSON.parse(value.text) == value)
        #expect(try JSON.parse(value.indentedText) == value)
        #expect((["a": [1]] as JSON).indentedText == "{\n  \"a\": [\n    1\n  ]\n}")
    }

    @Test func `whole numbers are integers`() {
        #expect(JSON.number(4).int == 4 && JSON.number(4.5).int == nil && JSON.number(1e300).int == nil)
        #expect(JSON.integer(3).double == 3 && JSON.string("3").double == nil)
    }

    @Test func `any truncated or changed text is either parsed or rejected`() {
        var random = SplitMix(seed: 41)
        let whole = Array(#"{"a":[1,2.5e3,"\u00e9\ud83d\ude00"],"b":{"c":null}}"#.utf8)
        for length in whole.indices {
            #expect(throws: JSONFailure.self) { try JSON.parse(Array(whole[..<length])) }
        }
        for _ in 0..<2000 {
            var changed = whole
            changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            guard let value = try? JSON.parse(changed) else { continue }
            #expect((try? JSON.parse(value.text).text) == value.text)
        }
    }
}
