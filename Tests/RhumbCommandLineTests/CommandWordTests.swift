import Testing

@testable import RhumbCommandLine

/// Tests options between the words of a command.
struct CommandWordTests {
    @Test(
        arguments: [
            (["archive", "--json", "info", "a.pmtiles"], .archive(.info)),
            (["--json", "archive", "-q", "info", "a.pmtiles"], .archive(.info)),
            (["package", "--cache-path", "c.db", "list", "--json"], .package(.list)),
            (["package", "--json", "key", "--data-path", "d.db", "show", "a.key"], .packageKey(.show)),
            (["archive", "patch", "--json", "make", "a", "b"], .patch(.make)),
            (["region", "--json", "verify", "home"], .region(.check)),
            (["style", "pack", "--json", "list"], .stylePack(.list)),
            (["region", "--json"], .region(.list)),
            (["region", "--data-path", "list", "list", "--json"], .region(.list)),
        ] as [([String], CommandName)])
    func `options may be between the words of a command`(words: [String], name: CommandName) throws {
        let invocation = try Invocation(words), isJSON: Bool = invocation[.json]
        #expect(invocation.command == name && isJSON, "\(words)")
    }

    @Test func `every command takes its options before its verb`() throws {
        for command in CommandTable.commands where command.family != nil && command.operand == nil {
            var words = command.text.split(separator: " ").map(String.init)
            words.insert("--quiet", at: words.count - 1)
            let isExcused = command.requiredOption != nil || !command.accepted.contains { $0.name == "quiet" }
            let parsed = try? Invocation(words).command
            #expect(isExcused || parsed == command.name, "\(words)")
        }
    }
}
