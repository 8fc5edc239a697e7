internal import RhumbCore
internal import RhumbEngine

/// A command for the `:` line, and its action.
struct TypedCommand: Sendable {
    let name: String
    let arguments: String
    let help: String
    /// The possible arguments.
    let words: ArgumentWords
    /// Returns the actions for the words after the name.
    let actions: @Sendable (Browser, String) throws(Notice.Problem) -> [Action]

    init(
        _ name: String, _ arguments: String, _ help: String, _ words: ArgumentWords = ArgumentWords(),
        actions: @escaping @Sendable (Browser, String) throws(Notice.Problem) -> [Action]
    ) {
        self.name = name
        self.arguments = arguments
        self.help = help
        self.words = words
        self.actions = actions
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
    /// Returns the actions of a line typed after `:`, including the one that stores it in the history.
    func actions(of line: String) throws(Notice.Problem) -> [Action] {
        let name = String(line.prefix { $0 != " " })
        let words = String(line.dropFirst(name.count)).trimmed
        do throws(Notice.Problem) {
            return try TypedCommand.named(name).actions(self, words) + [.effect(.keepLine(line))]
        } catch {
            throw error.word == nil ? Notice.Problem(error.description, word: words) : error
        }
    }

    /// Returns the action that changes a setting.
    func changing<Value>(_ setting: WritableKeyPath<Settings, Value>, to value: Value) -> Action {
        var settings = map.settings
        settings[keyPath: setting] = value
        return .settings(settings)
    }

    mutating func setHints(_ isOn: Bool) -> [Effect] {
        map.settings.showsHints = isOn
        map.viewport = map.viewport.resized(
            columns: map.columns, rows: Browser.mapRows(of: map.rows, map.settings))
        return [.updateView]
    }
}

extension Prompt {
    static let command = Prompt(label: ":", example: NoticesText.commandExample, owner: .commandLine)
}
