import RhumbCommandLine
import Testing

struct CompletionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions include every command and option`(shell: String) throws {
        let script = try #require(Completions.script(for: shell))
        for command in CommandTable.commands {
            for word in command.text.split(separator: " ") { #expect(script.contains(word)) }
            for option in command.options { #expect(script.contains(option.name)) }
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `names of streets, features and traffic are offered`(shell: String) throws {
        let script = try #require(Completions.script(for: shell))
        for words in ["completions streets", "completions features", "incidents all off"] {
            #expect(script.contains(words))
        }
    }

    @Test func `fish offers the verbs of a family only before one is typed`() throws {
        let script = try #require(Completions.script(for: "fish"))
        let lines = script.split(separator: "\n").filter { $0.contains("uninstall") }
        let verbs = lines.filter {
            $0.contains("-a 'list") || $0.contains(" uninstall ") && $0.contains("-f -a")
        }
        #expect(!verbs.isEmpty && verbs.allSatisfy { $0.contains("not __fish_seen_subcommand_from list ") })
        let ids = lines.filter { $0.contains("completions packages") }
        #expect(ids.count == 1)
    }

    @Test func `only installed packages are offered to verbs that need one`() throws {
        let script = try #require(Completions.script(for: "bash"))
        let lines = script.split(separator: "\n")
        func operands(_ name: String) -> [Bool] {
            lines.filter { $0.contains("'\(name)') options=") }.map { $0.contains("operands='@packages'") }
        }
        #expect(operands("package uninstall") == [true])
        #expect(operands("package install") == [false] && operands("package plan") == [false])
        let catalog = lines.filter { $0.contains("--catalog") && $0.contains("return ;;") }
        #expect(
            catalog.count == 1 && catalog.allSatisfy { !$0.contains("sources") && $0.contains("compgen -f") })
    }

    @Test func `there are no completions for other shells`() {
        #expect(Completions.script(for: "csh") == nil)
    }
}
