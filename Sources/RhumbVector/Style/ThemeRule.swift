public import RhumbBase

/// The rule that chooses between the light and the dark theme.
public enum ThemeRule: Hashable, Sendable {
    /// The terminal's own background.
    case terminal
    /// The sun at the centre of the map.
    case sun
    /// The person's word.
    case always(MapTheme)

    /// As it is typed: "auto", "sun", "day" or "night".
    public init?(words: String) {
        switch words {
        case "auto": self = .terminal
        case "sun": self = .sun
        default:
            guard let theme = MapTheme(rawValue: words) else { return nil }
            self = .always(theme)
        }
    }
}
