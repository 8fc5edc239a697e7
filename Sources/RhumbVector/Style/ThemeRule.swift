public import RhumbBase

/// The rule that chooses between the day and night themes.
public enum ThemeRule: Hashable, Sendable {
    /// By the terminal's background.
    case terminal
    /// By the sun's position at the centre of the map.
    case sun
    /// Always the same theme, as chosen by the user.
    case always(MapTheme)

    /// Parses "auto", "sun", "day" or "night"; nil for anything else.
    public init?(text: String) {
        switch text {
        case "auto": self = .terminal
        case "sun": self = .sun
        default:
            guard let theme = MapTheme(rawValue: text) else { return nil }
            self = .always(theme)
        }
    }
}
