internal import RhumbCore
internal import RhumbEngine

/// A command for the `:` line, and its action.
struct TypedCommand: Sendable {
    let name: String
    let arguments: String
    let help: String
    /// The possible arguments.
    let words: ArgumentWords
    let run: @Sendable (inout Browser, String) throws(Notice.Problem) -> [Effect]

    init(
        _ name: String, _ arguments: String, _ help: String, _ words: ArgumentWords = ArgumentWords(),
        run: @escaping @Sendable (inout Browser, String) throws(Notice.Problem) -> [Effect]
    ) {
        self.name = name
        self.arguments = arguments
        self.help = help
        self.words = words
        self.run = run
    }

    /// All commands, including those that open panels.
    static let all = named + panels

    private static let panels = Keymap.standard.bindings.compactMap { binding -> TypedCommand? in
        guard case .panel(let entry) = binding.command, !named.contains(where: { $0.name == entry.word })
        else { return nil }
        return simple(entry.word, binding.help, binding.command)
    }

    /// Returns the command with a name. The name may be shortened as long as it is unambiguous.
    static func named(_ name: String) throws(Notice.Problem) -> TypedCommand {
        if let exact = all.first(where: { $0.name == name }) { return exact }
        let similar = all.filter { $0.name.hasPrefix(name) }
        if similar.count == 1, let only = similar.first { return only }
        if similar.count > 1 {
            let names = similar.map(\.name).joined(separator: ", ")
            throw Notice.Problem(NoticesText.ambiguous(name, names), word: name)
        }
        throw Notice.Problem(
            NoticesText.unknown(name, nearest: all.map(\.name).nearest(to: name)), word: name)
    }
}

extension Browser {
    /// Runs a line typed after `:`, and stores it in the history.
    mutating func run(_ line: String) throws(Notice.Problem) -> [Effect] {
        let name = String(line.prefix { $0 != " " })
        let words = String(line.dropFirst(name.count)).trimmed
        do throws(Notice.Problem) {
            return try TypedCommand.named(name).run(&self, words) + [.keepLine(line)]
        } catch {
            throw error.word == nil ? Notice.Problem(error.description, word: words) : error
        }
    }

    mutating func setHints(_ isOn: Bool) -> [Effect] {
        map.settings.showsHints = isOn
        map.viewport = map.viewport.resized(
            columns: map.columns, rows: Browser.mapRows(of: map.rows, map.settings))
        return [.updateView]
    }
}

extension Prompt {
    static let command = Prompt(
        label: ":", example: NoticesText.commandExample,
        press: { $0.pressInCommandLine($1) }, follow: { $0.askForWords() },
        answer: { (browser, words) throws(Notice.Problem) in try browser.run(words) })
}
