/// The language of labels for which a style requests a plain `name`.
public enum NameLanguage: String, Sendable, CaseIterable {
    /// The most widely readable names: the tiles' own `name`. In the gazetteer, the local name if it is in
    /// Latin letters, else the English one.
    case usual = "auto"
    /// Local names, in any script.
    case local
    /// English names if there are any, else those in Latin letters.
    case english = "en"
    /// English names if available, else those in Latin letters.
    case both

    /// The attributes to try before `name`, best first.
    var attributes: [String] {
        switch self {
        case .usual, .local: []
        case .english, .both: ["name:en", "name_en", "name_int", "name:latin"]
        }
    }

    /// Joins two names: "Wien (Vienna)".
    package static func joined(_ own: String, _ english: String) -> String {
        own.isEmpty || own == english ? english : "\(own) (\(english))"
    }
}
