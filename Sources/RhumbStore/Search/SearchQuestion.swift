package import RhumbCore

/// A question to a search index.
package struct SearchQuestion: Sendable {
    /// The words of a name; empty to find the nearest features of a kind.
    package var words: SearchWords
    /// The location near which results rank higher; nil to ignore distance.
    package var near: Coordinate?
    /// The kind of the features; nil for any.
    package var kind: SearchKind?
    /// The searched tiles.
    package var scope = SearchScope()
    /// The maximum number of results.
    package var limit: Int
    /// True to accept typing errors if nothing else matches.
    package var forgives = true

    /// The number of typed words.
    var wordCount: Int { words.text.split(separator: " ").count }

    package init(_ text: String, near: Coordinate?, limit: Int) {
        words = SearchWords(text)
        self.near = near
        self.limit = limit
    }
}

/// The searched part of the stored tiles.
package struct SearchScope: Sendable {
    /// The keys of the sources; nil for all.
    package var sources: Set<String>?
    /// Returns true if a tile of a source is searched.
    package var holds: @Sendable (_ source: String, TileID) -> Bool = { _, _ in true }
    /// The searched area; nil for everywhere.
    package var bounds: Bounds?

    package init() {}
}

/// A found feature with its rank.
package struct RankedFeature: Sendable {
    package var feature: FeatureMatch
    /// The score; higher is better. Scores of different indexes are comparable.
    package var score: Double
    /// The quality of the name's match; nil if the search was not by name.
    let fit: MatchQuality?
    /// The key of its source.
    package let source: String
    package let tile: TileID
    /// The house number that isn't known in this street; nil if none is missing.
    package var missingNumber: String?

    /// True if the name contains the words only with typing mistakes.
    package var isMistyped: Bool { fit?.isMistyped ?? false }
}

extension PlaceCategory {
    /// Returns the weight of a feature relative to the match of its name, by what people look for: a shop
    /// with the name of a sight comes after a sight whose name only contains the words. Named buildings are
    /// mostly churches and palaces, which some tiles have without a class.
    func weight(_ kind: String) -> Double {
        switch self {
        case .settlement, .airport: 0.9
        case .transit: PlaceCategory.stations.contains(kind) ? 0.9 : -1.5
        case .sight, .museum, .park, .worship, .hospital: 0.7
        case .peak, .lake, .river, .ferry, .culture: 0.5
        case .building: 0.6
        case .street, .education, .sport: 0.3
        case .other: 0
        default: -1.5
        }
    }
}
