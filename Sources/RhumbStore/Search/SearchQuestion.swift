package import RhumbCore

/// What is looked for in a search index.
package struct SearchQuestion: Sendable {
    /// The words of a name; empty: what is nearest of a kind.
    package var words: SearchWords
    /// Where the person looks; nil: nearness doesn't count.
    package var near: Coordinate?
    /// Only things of that kind.
    package var kind: SearchKind?
    /// Only what lies in these tiles.
    package var scope = SearchScope()
    /// The most results.
    package var limit: Int
    /// True if words with typing mistakes count, where nothing else fits.
    package var forgives = true

    /// Words that were typed.
    var wordCount: Int { words.text.split(separator: " ").count }

    package init(_ text: String, near: Coordinate?, limit: Int) {
        words = SearchWords(text)
        self.near = near
        self.limit = limit
    }
}

/// Which part of what is stored is looked through.
package struct SearchScope: Sendable {
    /// The sources by their keys; nil: all.
    package var sources: Set<String>?
    /// Whether a tile of a source counts.
    package var holds: @Sendable (_ source: String, TileID) -> Bool = { _, _ in true }
    /// Only what lies there; nil: everywhere.
    package var bounds: Bounds?

    package init() {}
}

/// A thing that was found, and how well it fits.
package struct RankedFeature: Sendable {
    package var feature: FeatureMatch
    /// Higher is better; comparable with those of other indexes.
    package var score: Double
    /// How well its name fits; nil where it was not asked for by its name.
    let fit: MatchQuality?
    /// Of which source, by its key, and which of its tiles.
    package let source: String
    package let tile: TileID
}

extension PlaceCategory {
    /// What a thing of the category is worth beside how well its name fits.
    var weight: Double {
        switch self {
        case .settlement: 0.9
        case .airport: 0.7
        case .street, .sight, .museum, .park, .peak, .lake, .river: 0.5
        case .hospital, .education, .culture, .transit, .worship, .lodging: 0.3
        case .building, .other: -0.2
        default: 0
        }
    }
}
