/// In which language names are written where a style asks for a plain `name`.
public enum NameLanguage: String, Sendable, CaseIterable {
    /// As people there write them.
    case local
    /// In English, else in Latin letters, where the tiles have such a name.
    case english = "en"

    /// The attributes to look at before `name`, the best first.
    var attributes: [String] {
        switch self {
        case .local: []
        case .english: ["name:en", "name_en", "name_int", "name:latin"]
        }
    }
}
