import RhumbCommandLine
import RhumbCore
import Testing

struct ConfigurationTests {
    private func words(_ text: String, completing hand: [String] = []) throws -> [String] {
        try Configuration(Array(text.utf8), path: "config.json").arguments(completing: Invocation(hand))
    }

    @Test func `names are those of the long options, and comments are ignored`() throws {
        let text = """
            // mine
            { "units": "imperial", // miles
              "zoom": 3.5, "no-mouse": true, "offline": false, "over": ["http://a", "b"] }
            """
        #expect(
            try words(text) == [
                "--units", "imperial", "--zoom", "3.5", "--no-mouse", "--over", "http://a", "--over", "b",
            ])
    }

    @Test func `options of another command are ignored`() throws {
        #expect(try words("{\"timeout\": 5, \"colors\": \"256\"}") == ["--colors", "256"])
    }

    @Test(arguments: [
        ("{\"colour\": 1}", "\"colour\""), ("{\"zoom\": 99}", "from -5 to 24"),
        ("{\"zoom\": true}", "a string or a number"),
        ("{\"offline\": \"yes\"}", "true or false"), ("{\n\n\"zoom\" 3}", "line 3"), ("[1]", "object"),
        ("", "line 1"),
        ("{\"units\": \"\\u001b[0m\"}", "metric, imperial"), ("{\"zoom\" 3}", "line 1, column 9"),
        ("{\"unit\": 1}", "did you mean \"units\"?"), ("{\"zoom\": [1, 2]}", "a string or a number"),
        ("{\"help\": true}", "for the command line"), ("{\"output\": \"a\"}", "for the command line"),
        ("{\"zoom\": 3, \"width\": \"7km\"}", "mutually exclusive"), ("{\"timeout\": -1}", "from 0 to 3600"),
    ])
    func `a mistake is reported with the file and the position`(text: String, hint: String) {
        do {
            _ = try words(text)
            Issue.record("it was understood")
        } catch let error as UsageError {
            #expect(error.description.contains(hint) && error.description.contains("config.json"))
        } catch { Issue.record("another error: \(error)") }
    }

    @Test(arguments: [
        (["--zoom", "3"], "{\"width\": \"7km\"}"),
        (["--bbox", "0,0,9,9"], "{\"center\": \"60,22\", \"zoom\": 5}"),
        (["-c", "60,22 7km"], "{\"zoom\": 5}"), (["--over", "a"], "{\"over\": [\"b\", \"c\"]}"),
        (["--units", "metric"], "{\"units\": \"imperial\"}"),
    ])
    func `an option on the command line overrides conflicting ones in the file`(
        hand: [String], text: String
    ) throws {
        #expect(try words(text, completing: hand) == [])
        #expect(try words(text) != [])
    }

    @Test func `every line of the printed example is valid without its comment marks`() throws {
        let lines = Configuration.example.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        let settings = lines.indices.filter { lines[$0].hasPrefix("    // \"") }
        #expect(settings.count > 20)
        for at in settings {
            var changed = lines
            changed[at] = "    " + changed[at].dropFirst(7)
            let text = changed.joined(separator: "\n")
            let meant = try CommandTable.commands.flatMap { command in
                try words(text, completing: command.text.split(separator: " ").map(String.init) + ["--help"])
            }
            let configuration = try Configuration(Array(text.utf8), path: "config.json")
            #expect(
                !meant.isEmpty || configuration.sources != nil || !configuration.keys.isEmpty,
                "\(changed[at])")
        }
    }

    @Test(arguments: [
        ("{\n  \"units\": \"metric\",\n  \"colour\": 1\n}", "config.json, line 3, column 3: unknown option"),
        ("{ // zoom\n\"zoom\": 99 }", "config.json, line 2, column 1: invalid value \"99\" for \"zoom\""),
        ("{\"over\": [\"zoom\"],\n\"zoom\": true}", "config.json, line 2, column 1: \"zoom\" must be"),
        ("{\"keys\": {\"zoom\": \"a\"},\n \"zoom\": -9}", "config.json, line 2, column 2"),
        ("{\n\"keys\": 1}", "config.json, line 2, column 1: \"keys\" must be"),
        ("{\"zoom\": 3,\n\"width\": \"7km\"}", "config.json, line 2, column 1"),
    ])
    func `an invalid setting is reported with its line`(text: String, beginning: String) {
        let error = #expect(throws: UsageError.self) { try words(text) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
    }

    @Test func `an element of an array has a position of its own`() throws {
        let text = """
            { // "sources": [
            "keys": {},
            "sources": [{"id": [1, 2], "url": "],"},
              {}
             ]}
            """
        let configuration = try Configuration(Array(text.utf8), path: "config.json")
        #expect(configuration.location(of: "sources") == "config.json, line 3, column 1")
        #expect(configuration.location(of: "sources", element: 0) == "config.json, line 3, column 13")
        #expect(configuration.location(of: "sources", element: 1) == "config.json, line 4, column 3")
        #expect(configuration.location(of: "sources", element: 2) == "config.json, line 3, column 1")
    }

    @Test func `comments may be between slashes and stars, over several lines`() throws {
        let text = "/* mine\n \"zoom\": 1, // */ {\"zoom\"/**/: 3, \"style-by\": \"/* no */\" /* end */}"
        #expect(try words(text) == ["--zoom", "3", "--style-by", "/* no */"])
        let error = #expect(throws: UsageError.self) { try words("/*\n*/ {\n\"zoom\": 99}") }
        #expect(error?.description.hasPrefix("config.json, line 3, column 1") == true)
    }

    @Test(arguments: [
        ("{\"zoom\": 3,\n\"zoom\": 4}", "config.json, line 2, column 1: \"zoom\" is set twice"),
        ("{\"keys\": {\"a\": \"1\", \"a\": \"2\"}}", "config.json, line 1, column 21: \"a\" is set twice"),
        ("{\"sources\": [{\"id\": \"a\",\n  \"id\": \"b\"}]}", "config.json, line 2, column 3: \"id\""),
    ])
    func `a member that is set twice is an error`(text: String, beginning: String) {
        let error = #expect(throws: UsageError.self) { try words(text) }
        #expect(error?.description.hasPrefix(beginning) == true, "\(error?.description ?? "")")
    }

    @Test func `objects of a list may have the same members`() throws {
        #expect(try words("{\"sources\": [{\"id\": \"a\"}, {\"id\": \"b\"}]}") == [])
    }

    @Test func `the printed example has all members`() {
        let all = CommandTable.commands.flatMap(\.options).filter(\.isConfigurable).map(\.name)
        #expect(all.filter { !Configuration.example.contains("    // \"\($0)\": ") } == [])
    }

    @Test func `a comma is allowed before a closing brace, and nowhere else`() throws {
        #expect(
            try words("{\"over\": [\"a,]\", \"b\",], \"zoom\": 3, // last\n}") == [
                "--over", "a,]", "--over", "b", "--zoom", "3",
            ])
        for text in ["{\"zoom\": 3,,}", "{\"zoom\",: 3}"] {
            #expect(throws: UsageError.self) { try words(text) }
        }
    }

    @Test(arguments: [["-o", "map.PNG"], ["-o", "map.svg"], ["--format", "webp"]])
    func `the file's colours don't apply to image files`(output: [String]) throws {
        #expect(try words(#"{"colors": "16"}"#, completing: ["render"] + output) == [])
        #expect(
            try words(#"{"colors": "16"}"#, completing: ["render", "-o", "map.txt"]) == ["--colors", "16"])
    }

    @Test func `each option of the printed example has a sample of its own kind`() {
        let lines = Configuration.example.split(separator: "\n")
        #expect(lines.filter { $0.contains("Hikes/") }.map { $0.contains("\"user-agent\"") } == [true])
        #expect(!lines.contains { $0.hasSuffix("\"text\",") })
        #expect(lines.contains { $0.contains("\"endpoint\": \"https://") })
        #expect(lines.contains { $0.contains("\"cache-proxy\": \"http://") })
    }

    @Test func `the printed example is itself a configuration that changes nothing`() throws {
        #expect(try words(Configuration.example) == [])
        #expect(Configuration.example.contains("\"units\""))
    }
}
