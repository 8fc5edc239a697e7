internal import RhumbCore
internal import RhumbEngine

/// A command for the `:` line, and its action.
struct TypedCommand: Sendable {
    let name: String
    let arguments: String
    let help: String
    /// The possible arguments.
    let words: ArgumentWords
    /// Returns the actions for the text after the name.
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
        let text = String(line.dropFirst(name.count)).trimmed
        do throws(Notice.Problem) {
            return try TypedCommand.named(name).actions(self, text) + [.effect(.keepLine(line))]
        } catch {
            throw error.word == nil ? Notice.Problem(error.description, word: text) : error
        }
    }

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

/// The possible arguments of commands.
extension ArgumentWords {
    static let sources = ArgumentWords(outside: .sources)
    static let folders = ArgumentWords(outside: .folders)

    static let switches = ArgumentWords([Completion("on"), Completion("off")])

    static let units = ArgumentWords([
        Completion("metric", "kilometres, metres"), Completion("imperial", "miles, feet"),
    ])

    static let grids = ArgumentWords([
        Completion("mgrs", "military grid: zones, squares and digits"),
        Completion("utm", "zones, eastings and northings"),
        Completion("maidenhead", "locators of radio amateurs"),
        Completion("degrees", "latitude and longitude"), Completion("off", "no grid"),
    ])

    static let names = ArgumentWords([
        Completion("on", "show labels"), Completion("off", "hide labels"),
        Completion("auto", "in Latin letters"), Completion("local", "local names"),
        Completion("both", "local names and English"), Completion("en", "English, if available"),
    ])

    static let styles = ArgumentWords(
        [
            Completion("auto", "light or dark, like the terminal"),
            Completion("sun", "light by day, dark by night"),
            Completion("day", "light"), Completion("night", "dark"),
            Completion("default", "Rhumb's own style"),
        ], separators: " =", outside: .styles)

    static let presets = ArgumentWords(ColourPreset.allCases.map { Completion($0.rawValue, $0.help) })

    static let depths = ArgumentWords([
        Completion("truecolor", "16 million"), Completion("256", "xterm palette"),
        Completion("16", "terminal palette"), Completion("mono", "no colours"),
    ])

    static let pixels = ArgumentWords([
        Completion("auto", "if the terminal is known to support it"),
        Completion("kitty", "kitty graphics protocol"), Completion("sixel", "DEC sixel graphics"),
        Completion("iterm", "images of iTerm2"), Completion("off", "cells"),
    ])

    static let symbols = ArgumentWords(
        [
            Completion("ascii", "letters and signs"), Completion("half", "1 × 2 per cell"),
            Completion("quadrant", "2 × 2"), Completion("sextant", "2 × 3, Unicode 13"),
            Completion("octant", "2 × 4, Unicode 16"), Completion("braille", "2 × 4 dots of one colour"),
        ], separators: "+")

    static let features = ArgumentWords(
        [Completion("none"), Completion("all")] + Feature.all.map { Completion($0.name, $0.title ?? "") },
        separators: ", ")

    static let traffic = ArgumentWords(
        [
            Completion("flow", FlowMode.standard.title),
            Completion("incidents", "accidents, works and closures"),
            Completion("all", "flow and incidents"), Completion("off", "no traffic and no requests"),
        ] + FlowMode.allCases.map { Completion($0.rawValue, "flow: \($0.title)") }
            + IncidentStyle.allCases.map { Completion($0.rawValue, "incidents in another style") },
        separators: ", ")

    static let trafficColours = ArgumentWords([
        Completion("standard", "green, yellow, orange, red"),
        Completion("colourblind", "blue, yellow, vermilion, black"),
    ])
}

extension ColourPreset {
    /// The help text, in a few words.
    fileprivate var help: String {
        switch self {
        case .plain: "no filter"
        case .daylight: "day and night, with city lights"
        case .crisp: "sharper edges"
        case .vivid: "stronger colours"
        case .strong: "more contrast"
        case .soft: "less contrast"
        case .grey: "without colours"
        case .dark: "inverted brightness"
        }
    }
}
