internal import RhumbCore
internal import RhumbEngine

/// Ranks the candidates of a search by the match of the name, by importance and fame, and by distance.
struct PlaceRanking {
    let query: NameQuery
    let near: Coordinate?
    /// The numbers of the regions to include; nil for all.
    let regions: Set<Int>?
    /// True to accept names with typing errors.
    let forgives: Bool
    private let nature: [NamedPlace.Kind: NatureQuery]

    /// The score if no single name contains all the words.
    private static let scattered = -1.0
    /// The bonus for a place at `near`. It halves at a distance of `nearness` metres.
    private static let beside = 2.5
    private static let nearness = 60_000.0
    /// The bonus for a place whose usual name is the typed letter, such as Å. Countries that begin with the
    /// letter would otherwise precede it.
    private static let letter = 3.0

    init(_ query: NameQuery, near: Coordinate?, regions: Set<Int>? = nil, forgives: Bool = false) {
        self.query = query
        self.near = near
        self.regions = regions
        self.forgives = forgives
        nature = Dictionary(
            uniqueKeysWithValues: NamedPlace.Kind.allCases.compactMap { kind in
                NatureQuery(query, kind).map { (kind, $0) }
            })
    }

    /// A place and its score without that of its name.
    struct Candidate {
        let number: Int
        let chunk: Int
        let kind: NamedPlace.Kind
        let score: Double
    }

    struct Ranked {
        let number: Int
        let chunk: Int
        let kind: NamedPlace.Kind
        let score: Double
        let name: RankedName

        /// True for a country or region whose usual or local name was typed.
        fileprivate var isNamedArea: Bool {
            (kind == .country || kind == .region) && name.fit == .exact
                && name.worth >= MatchQuality.exact.worth(.local, isLatin: true)
        }

        /// True for a natural feature or site whose names only contain the typed words.
        fileprivate var containsWords: Bool {
            kind != .country && kind != .region && !kind.isSettlement && name.fit != .exact
        }
    }

    /// The best-matching name of a place.
    struct RankedName {
        /// The quality of the match; nil if no single name contains all the words.
        var fit: MatchQuality?
        var worth: Double
        /// The name; nil for the usual name.
        var other: String?
    }

    /// Returns the best places, best first. Unpacks names only for places that could be among them.
    func best(
        _ limit: Int, of numbers: Set<Int>, in file: GazetteerFile
    ) throws(PlaceSearchFailure) -> [Ranked] {
        var candidates: [Candidate] = []
        for number in numbers {
            if let candidate = try candidate(number, in: file) { candidates.append(candidate) }
        }
        candidates.sort { ($1.score, $0.number) < ($0.score, $1.number) }
        let most = MatchQuality.exact.worth(.usual, isLatin: true) + letterBonus
        var found: [Ranked] = []
        for candidate in candidates {
            if found.count == limit, let last = found.last, candidate.score + most <= last.score { break }
            guard let ranked = try ranked(candidate, in: file) else { continue }
            let index = found.firstIndex { $0.score < ranked.score } ?? found.count
            found.insert(ranked, at: index)
            if found.count > limit { found.removeLast() }
        }
        return found
    }

    private func candidate(
        _ number: Int, in file: GazetteerFile
    ) throws(PlaceSearchFailure) -> Candidate? {
        guard let chunk = file.chunk(of: number) else { return nil }
        let numbers = try file.numbers(ofChunk: chunk)
        let offset = number - file.chunks[chunk].first
        let score = numbers.importances[offset] + numbers.fames[offset] + bonus(numbers.coordinate(offset))
        return Candidate(number: number, chunk: chunk, kind: numbers.kinds[offset], score: score)
    }

    /// Returns the candidate with the score of its name added; nil if no name matches.
    private func ranked(
        _ candidate: Candidate, in file: GazetteerFile
    ) throws(PlaceSearchFailure) -> Ranked? {
        let line = try file.line(of: candidate.number, inChunk: candidate.chunk)
        guard regions?.contains(line.region) ?? true, let best = best(line, candidate.kind, file.folding)
        else { return nil }
        return Ranked(
            number: candidate.number, chunk: candidate.chunk, kind: candidate.kind,
            score: candidate.score + best.worth, name: best)
    }

    private func bonus(_ place: Coordinate) -> Double {
        guard let near else { return 0 }
        return PlaceRanking.beside / (1 + near.sphericalMetres(to: place) / PlaceRanking.nearness)
    }

    private var letterBonus: Double { query.text.count == 1 ? Self.letter : 0 }

    /// Returns the best-matching name of a place; nil if none matches.
    func best(_ line: PlaceNames.Line, _ kind: NamedPlace.Kind, _ folding: Folding) -> RankedName? {
        let isLatin = query.isLatin
        var best = fit(folding.fold(utf8: line.name), kind).map {
            RankedName(fit: $0, worth: $0.worth(.usual, isLatin: isLatin))
        }
        if best?.fit == .exact {
            best?.worth += letterBonus
            return best
        }
        for (other, rank) in line.others {
            guard let fit = fit(folding.fold(utf8: other), kind) else { continue }
            let worth = fit.worth(rank, isLatin: isLatin)
            if best.map({ worth > $0.worth }) ?? true {
                best = RankedName(fit: fit, worth: worth, other: GazetteerFile.text(other))
            }
        }
        return best ?? (forgives ? nil : RankedName(worth: PlaceRanking.scattered))
    }

    private func fit(_ name: [UInt8], _ kind: NamedPlace.Kind) -> MatchQuality? {
        guard forgives else { return nature[kind].map { $0.fit(name) } ?? query.fit(name) }
        var measure = EditDistance(from: query.text)
        let slips = measure.distance(to: name, isBegun: true)
        return slips <= query.words.reduce(0) { $0 + Vocabulary.tolerance($1.count) } ? .mistyped(slips) : nil
    }
}

extension [PlaceRanking.Ranked] {
    /// The matches with countries and regions of exactly the typed name before natural features that only
    /// contain it, such as Manitoba before Lake Manitoba.
    var areasFirst: [PlaceRanking.Ranked] {
        var ordered: [PlaceRanking.Ranked] = []
        for ranked in self {
            let at = ranked.isNamedArea ? ordered.firstIndex(where: \.containsWords) : nil
            ordered.insert(ranked, at: at ?? ordered.count)
        }
        return ordered
    }
}

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

    /// Returns true if words name only a kind, such as "gulf".
    static func isKind(_ words: [[UInt8]]) -> Bool {
        words.allSatisfy { word in kindWords.values.contains { $0.contains(word) } }
    }
}
