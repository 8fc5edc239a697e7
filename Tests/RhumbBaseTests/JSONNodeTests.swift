import RhumbCore
import RhumbTestSupport
import Testing

struct JSONNodeTests {
    private func node(_ text: String) throws -> JSONNode { try JSONNode.parse(Array(text.utf8)) }
    private func text(_ node: JSONNode) -> String { String(decoding: node.bytes, as: UTF8.self) }

    @Test(arguments: [
        "null", "1.0", "1e2", "-0", #""\u00e9\/""#, "[]", "[1, 2.50]", "{}",
        #"{"b" :1,  "a":[null,{"c":""}]}"#, #"{"a":1,"a":2}"#,
    ])
    func `unchanged members are written as they were read`(text: String) throws {
        let read = try node(" \n" + text + "\n")
        #expect(self.text(read) == text)
        #expect(try read.value == JSON.parse(text))
    }

    @Test(arguments: ["", "[1 2]", "{a:1}", #"{"a":1,}"#, "1 2", "[", #""\x""#, "truex"])
    func `invalid text is rejected with the parser's reason and position`(text: String) throws {
        let failure = try #require(throws: JSONFailure.self) { try JSON.parse(text) }
        #expect(throws: failure) { try JSONNode.parse(Array(text.utf8)) }
    }

    @Test func `nesting and memory are limited`() {
        let deep = Array(
            (String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)).utf8)
        #expect(throws: JSONFailure.self) { try JSONNode.parse(deep) }
        #expect(throws: JSONFailure.self) { try JSONNode.parse(Array("[1,2,3]".utf8), memoryLimit: 100) }
    }

    @Test func `a changed member leaves the others as they were written`() throws {
        var style = try node(#"{"a": 1.0,"b":[1,  2],"c":null}"#)
        style["a"] = JSONNode("x")
        style["d"] = JSONNode(["e": 1])
        style["c"] = nil
        #expect(text(style) == "{\n  \"a\": \"x\",\n  \"b\": [1,  2],\n  \"d\": {\n    \"e\": 1\n  }\n}")
    }

    @Test(
        arguments: [
            ([], 2), (["a"], 3), (["a", 1], 13), (["a", 1, "b"], 14), (["a", 7], 3), (["x"], 2),
            (["a", 1, "c", "d"], 13),
        ] as [([JSONStep], Int)])
    func `a path leads to a member's name or an element, as far as it exists`(
        path: [JSONStep], offset: Int
    ) throws {
        #expect(try node(#"  {"a" : [10,{"b":2}]}"#).offset(of: path) == offset)
    }

    @Test func `a value that is only spelled differently is written in the old spelling`() throws {
        let old =
            #"{"version": 8.0, "sources": {"a": {"zoom": 1.50}}, "layers": [{"id":"x", "w": [1.0,2e1]}]}"#
        let new = #"{"layers":[{"w":[1,20],"id":"x"}],"sources":{"a":{"zoom":1.5}},"version":8}"#
        #expect(text(try node(new).written(like: node(old))) == old)
    }

    @Test func `changed members are replaced, and the rest is spelled as before`() throws {
        let old = try node(#"{"a":1.0,"layers":[{"id":"x","w":2.0,"v":3.0},{"id":"y","z":0.10}],"gone":1}"#)
        let new = try node(
            #"{"layers":[{"id":"new"},{"id":"y","z":0.1},{"id":"x","v":3,"w":4}],"a":1,"more":[]}"#)
        let written = new.written(like: old)
        #expect(
            written.value == [
                "a": 1,
                "layers": [["id": "new"], ["id": "y", "z": .number(0.1)], ["id": "x", "w": 4, "v": 3]],
                "more": [],
            ])
        #expect(["1.0", #"{"id":"y","z":0.10}"#, #""v": 3.0"#].allSatisfy { text(written).contains($0) })
    }

    @Test func `merging any two values gives the newer one`() throws {
        var random = SplitMix(seed: 3)
        for _ in 0..<400 {
            let old = value(&random, 3)
            let new = value(&random, 3)
            let written = JSONNode(new).written(like: JSONNode(old))
            #expect(sorted(written.value) == sorted(new), "\(old.text) \(new.text)")
        }
    }

    private func value(_ random: inout SplitMix, _ depth: Int) -> JSON {
        switch Int.random(in: depth > 0 ? 0...5 : 0...2, using: &random) {
        case 0: return .integer(Int.random(in: 0...2, using: &random))
        case 1: return .bool(.random(using: &random))
        case 2: return nil
        case 3:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth - 1) })
        default:
            var members = JSONObject()
            for name in ["id", "a", "b"].shuffled(using: &random).prefix(
                Int.random(in: 0...3, using: &random))
            {
                members[name] =
                    name == "id"
                    ? .string("\(Int.random(in: 0...2, using: &random))") : value(&random, depth - 1)
            }
            return .object(members)
        }
    }

    /// Sorts members by name, because their order has no meaning.
    private func sorted(_ json: JSON) -> JSON {
        switch json {
        case .array(let values): .array(values.map(sorted))
        case .object(let members):
            .object(members.names.sorted().reduce(into: JSONObject()) { $0[$1] = members[$1].map(sorted) })
        default: json
        }
    }
}
