/// In which language names are written where a style asks for a plain `name`.
public enum NameLanguage: String, Sendable, CaseIterable {
    /// The most readable name: the tile's `name`; of the gazetteer the local name if it is in Latin letters,
    /// or else the English one.
    case usual = "auto"
    /// As people there write them, in whatever script.
    case local
    /// In English, else in Latin letters, where there is such a name.
    case english = "en"
    /// As people there write them, with the English name behind in brackets where it is another.
    case both

    /// The attributes to look at before `name`, the best first.
    var attributes: [String] {
        switch self {
        case .usual, .local: []
        case .english, .both: ["name:en", "name_en", "name_int", "name:latin"]
        }
    }

    /// Two names as one: "Wien (Vienna)".
    package static func joined(_ own: String, _ english: String) -> String {
        own.isEmpty || own == english ? english : "\(own) (\(english))"
    }
}
