/// The user's decision about streets at deep zooms of the built-in world map.
public enum StreetsChoice: Equatable, Sendable {
    /// The user hasn't decided: nothing is requested, and a key offers streets.
    case undecided
    /// No streets, and no offer.
    case off
    /// Streets from the source of this name.
    case source(String)

    /// Parses the value of an option, a configuration or a state file.
    /// - Parameter words: "off", the name of a source, or an empty text for undecided.
    public init(words: String) {
        self = words.isEmpty ? .undecided : words == "off" ? .off : .source(words)
    }

    /// The choice as `init(words:)` parses it.
    public var words: String {
        switch self {
        case .undecided: ""
        case .off: "off"
        case .source(let name): name
        }
    }
}
