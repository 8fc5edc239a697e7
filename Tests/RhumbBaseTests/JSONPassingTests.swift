import RhumbBase
import Testing

/// Tests parsing numbers and members of JSON without decoding strings.
struct JSONPassingTests {
    @Test(arguments: [
        "0", "-0", "7", "-7.5", "43.73121", "7.418912", "0.1", "1.7976931348623157e308", "123456789012345678",
        "9007199254740993", "0.30000000000000004",
        "43.700123456789012", "1e3", "12.5E-2", "0.000000000000000001", "99999999999999999999.5", "3.0",
    ])
    func `a number is parsed as it is by itself`(text: String) throws {
        var parser = JSONParser(bytes: Array("[\(text)]".utf8), depthLimit: 8, memoryLimit: 1 << 20),
            found: [Double?] = []
        try parser.elements { parser throws(JSONFailure) in found.append(try parser.double()) }
        try parser.end()
        #expect(found == [Double(text)])
    }

    @Test(arguments: ["01", "1.", ".5", "-", "1.2.3", "1e", "+1", "--1", "1_0"])
    func `a text that is not a number is rejected`(text: String) {
        var parser = JSONParser(bytes: Array("[\(text)]".utf8), depthLimit: 8, memoryLimit: 1 << 20)
        #expect(throws: JSONFailure.self) {
            try parser.elements { parser throws(JSONFailure) in _ = try parser.double() }
            try parser.end()
        }
    }

    @Test func `members are found by their names, and others skipped, including other values`() throws {
        func read(_ text: String) throws -> [Int: Double?] {
            var parser = JSONParser(bytes: Array(text.utf8), depthLimit: 8, memoryLimit: 1 << 20),
                found: [Int: Double?] = [:]
            try parser.members(named: ["a", "longer"]) { parser, place throws(JSONFailure) in
                found[place] = try parser.double()
            }
            try parser.end()
            return found
        }
        #expect(try read(#" { "b" : [1,{"a":2}] , "longer":3 ,"a": 4.5, "lon":1 } "#) == [0: 4.5, 1: 3])
        #expect(try read("{}").isEmpty && read("[1,2]").isEmpty && read("null").isEmpty)
        for text in [#"{"a""#, #"{"a":1"#, #"{"a":1,}"#, #"{a:1}"#, #"{"a" 1}"#] {
            #expect(throws: JSONFailure.self) { try read(text) }
        }
    }
}
