internal import RhumbCore
internal import RhumbEngine

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

    static let looks = ArgumentWords(ColourPreset.allCases.map { Completion($0.rawValue, $0.help) })

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
