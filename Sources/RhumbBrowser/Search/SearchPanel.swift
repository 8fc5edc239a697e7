public import RhumbCore

/// The search for places as it stands: what was found for the words on the bottom line.
public struct SearchPanel: Equatable, Sendable {
    /// The place that the words say by themselves, as coordinates or a link do.
    public internal(set) var spot: PlaceText?
    public internal(set) var matches: [PlaceMatch] = []
    /// The chosen row: of the spot, if there is one, and the matches after it.
    public internal(set) var row = 0
    /// The words the matches answer.
    public internal(set) var answered = ""
    /// Whether Enter was pressed before the answer came: then it goes to the first match at once.
    var isHurried = false

    /// The most matches asked for.
    public static let limit = 40

    public init() {}

    /// Lines that can be chosen.
    var count: Int { matches.count + (spot == nil ? 0 : 1) }

    /// What Enter goes to.
    var chosen: Choice? {
        if let spot, row == 0 { return .spot(spot) }
        let at = row - (spot == nil ? 0 : 1)
        return matches.indices.contains(at) ? .place(matches[at].place) : nil
    }

    enum Choice {
        case spot(PlaceText)
        case place(NamedPlace)
    }
}

extension NamedPlace {
    /// How close to look at it, by what it is and how many people live there.
    var closeness: Double {
        switch kind {
        case .country: min(max(13.5 - importance, 3), 9)
        case .region: min(max(12 - importance, 5), 9)
        case .capital, .city: population >= 1_000_000 ? 10.5 : 11.5
        case .town: 12.5
        case .village: 13.5
        }
    }

    /// The sign of its kind on a map.
    func sign(isUnicode: Bool) -> String {
        switch kind {
        case .country, .region: isUnicode ? "□" : "#"
        case .capital: isUnicode ? "●" : "*"
        case .city: isUnicode ? "○" : "o"
        case .town, .village: isUnicode ? "·" : "."
        }
    }
}
