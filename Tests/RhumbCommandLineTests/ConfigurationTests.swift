import RhumbCommandLine
import RhumbCore
import Testing

struct ConfigurationTests {
    private func words(_ text: String, for command: String = "") throws -> [String] {
        let spec = try #require(CommandTable.command(command))
        return try Configuration(Array(text.utf8), path: "config.json").words(for: spec)
    }

    @Test func `names are those of the long options, comments are left out`() throws {
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

    @Test func `what another command knows is left out`() throws {
        #expect(try words("{\"timeout\": 5, \"colors\": \"256\"}") == ["--colors", "256"])
    }

    @Test(arguments: [
        ("{\"colour\": 1}", "\"colour\""), ("{\"zoom\": 99}", "from 0 to 24"), ("{\"zoom\": true}", "a text or a number"),
        ("{\"offline\": \"yes\"}", "true or false"), ("{\n\n\"zoom\" 3}", "line 3"), ("[1]", "object"), ("", "line 1"),
        ("{\"units\": \"\\u001b[0m\"}", "metric, imperial"),
    ])
    func `what is wrong is said with the file and the place`(text: String, hint: String) {
        do {
            _ = try words(text)
            Issue.record("it was understood")
        } catch let error as UsageError {
            #expect(error.description.contains(hint) && error.description.contains("config.json"))
        } catch { Issue.record("another error: \(error)") }
    }

    @Test func `the printed example is itself a configuration that changes nothing`() throws {
        #expect(try words(Configuration.example) == [])
        #expect(Configuration.example.contains("\"units\""))
    }
}
