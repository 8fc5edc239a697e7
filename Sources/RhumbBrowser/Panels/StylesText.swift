internal import RhumbCore

/// The texts of the styles panel.
enum StylesText {
    static let use = "use"
    static let byDay = "use by day"
    static let byNight = "use by night"
    static let theme = "light or dark"
    static let title = "Styles"
    static let loading = "Loading styles …"
    static let likeTerminal = "like the terminal"
    static let byDaylight = "by daylight"

    static func always(_ theme: MapTheme) -> String { "always \(theme.rawValue)" }
}
