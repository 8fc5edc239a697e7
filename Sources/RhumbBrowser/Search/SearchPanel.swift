internal import Glibc
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
    /// How wide a view shows it whole or nearly, in metres: a guess from what it is and how many
    /// people live there.
    var viewWidth: Double {
        switch kind {
        case .country: min(max(600_000 * crowd(0.4), 20_000), 6_500_000)
        case .region: min(max(250_000 * crowd(0.35), 20_000), 1_500_000)
        case .capital, .city: population >= 1_000_000 ? 60_000 : 30_000
        case .town: 14_000
        case .village: 7000
        }
    }

    /// A power of its millions of people.
    private func crowd(_ exponent: Double) -> Double { pow(Double(population) / 1_000_000, exponent) }

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
