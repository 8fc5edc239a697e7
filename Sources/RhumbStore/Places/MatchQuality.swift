/// The quality of the match between a name and the typed words.
enum MatchQuality: Equatable {
    case exact
    /// The words are the first words of the name.
    case firstWords
    /// The name begins with the words; the last one may be incomplete.
    case begins
    /// The name without the word for its kind, such as "Everest" for "Mount Everest".
    case bare
    /// The name without the word for its kind begins with the words.
    case bareBegins
    /// All words occur in the name.
    case words
    /// The name matches except for this number of typing errors.
    case mistyped(Int)

    /// Returns the score of the match, in powers of ten of population.
    /// - Parameter isLatin: False if the query is in another script than the usual names. Most matches are
    ///   then other names of a place.
    func worth(_ rank: NameRank, isLatin: Bool) -> Double {
        switch self {
        case .exact: rank.of(3.4, 3.3, 2.6, 0.6, -0.4)
        case .firstWords: rank.of(2, 2, isLatin ? 0.6 : 1.2, -0.4, -1.6)
        case .begins: rank.of(1.2, 1.2, isLatin ? -0.2 : 0.9, -1, -2.2)
        case .bare: rank.of(2.2, 2.2, 1.8, 0.6, -0.6)
        case .bareBegins: rank.of(0.6, 0.6, -0.4, -1.2, -2.2)
        case .words: rank.of(0.4, 0.4, -0.6, -1.4, -2.4)
        case .mistyped(let slips): rank.of(1, 1, 0.3, 0, -0.5) - 0.9 * Double(slips)
        }
    }
}

/// The rank of a name among the names of its place.
enum NameRank {
    /// The usual name.
    case usual
    /// The name in the language of the place, or in English.
    case local
    /// A name that several languages use.
    case common
    /// A name in a single language, or of a little-known place.
    case rare
    /// A name no longer in use.
    case obsolete

    fileprivate func of(
        _ usual: Double, _ local: Double, _ common: Double, _ rare: Double, _ obsolete: Double
    ) -> Double {
        switch self {
        case .usual: usual
        case .local: local
        case .common: common
        case .rare: rare
        case .obsolete: obsolete
        }
    }
}
