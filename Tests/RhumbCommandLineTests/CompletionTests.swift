import RhumbCommandLine
import Testing

struct CompletionTests {
    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions include every command and option`(shell: String) throws {
        let script = try #require(Completions.script(for: shell))
        for command in CommandTable.commands {
            for word in command.words.split(separator: " ") { #expect(script.contains(word)) }
            for option in command.options { #expect(script.contains(option.name)) }
        }
    }

    @Test func `there are no completions for other shells`() {
        #expect(Completions.script(for: "csh") == nil)
    }
}
