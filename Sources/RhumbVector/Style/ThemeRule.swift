public import RhumbBase

/// What decides whether a map is drawn bright or dark.
public enum ThemeRule: Hashable, Sendable {
    /// The terminal's own background.
    case terminal
    /// Whether the sun is up at the map's middle.
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
