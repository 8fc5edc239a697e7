internal import RhumbCore

/// Typed words that name a natural feature. Words for the kind, such as "Mount", are optional, before or
/// after the name.
struct NatureQuery {
    private let query: NameQuery
    /// The query without words for the kind; nil if nothing else is left.
    private let bare: NameQuery?
    /// True if the typed words include a word for the kind.
    private let saysKind: Bool
    private let kindWords: Set<[UInt8]>

    /// - Returns: nil for kinds whose names need no word for the kind.
    init?(_ query: NameQuery, _ kind: NamedPlace.Kind) {
        guard let kindWords = NatureQuery.kindWords[kind] else { return nil }
        self.query = query
        self.kindWords = kindWords
        var rest = query.words.filter { !kindWords.contains($0) }
        if let last = query.words.last, rest.count == query.words.count, rest.count > 1, last.count > 1,
            kindWords.contains(where: { $0.starts(with: last) })
        {
            rest.removeLast()
        }
        saysKind = rest.count < query.words.count
        bare = rest.isEmpty ? nil : NameQuery(rest)
    }

    /// Returns the match of a folded name; nil if it doesn't match.
    func fit(_ name: [UInt8]) -> MatchQuality? {
        let whole = query.fit(name)
        guard whole != .exact, let bare else { return whole }
        let words = name.split(separator: UInt8(ascii: " ")).map(Array.init),
            rest = words.filter { !kindWords.contains($0) }
        guard !rest.isEmpty, saysKind || rest.count < words.count else { return whole }
        switch bare.fit(rest.joinedBySpaces) {
        case .exact: return saysKind ? .exact : .bare
        case .firstWords, .begins:
            return whole == .firstWords || whole == .begins ? whole : saysKind ? .begins : .bareBegins
        default: return whole
        }
    }

    /// The folded words for each kind. The index contains them for each name: see `KIND_WORDS` in
    /// Assets/build/gazetteer.py.
    private static let kindWords: [NamedPlace.Kind: Set<[UInt8]>] = [
        .peak: "mt mount mountain peak volcano mont monte",
        .airport: "airport aeroport aeropuerto aeroporto flughafen airfield",
        .port: "port harbour harbor",
        .river: "river rio fleuve fluss fiume",
        .water: "lake lago lac loch sea ocean gulf bay strait channel canal",
        .island: "island islands isle isles isla ile isola archipelago",
        .landscape:
            "mountains mountain range desert plateau cape valley canyon national park peninsula plain falls waterfall waterfalls",
    ].mapValues { Set($0.split(separator: " ").map { Array($0.utf8) }) }
}
