internal import RhumbCore
internal import RhumbEngine

/// Search by name.
extension GazetteerFile {
    /// Matches gone through at most for those near.
    private static let mostMatches = 12_000
    /// Of the matches the first, which are the most important, those near, and those with the last
    /// word whole are looked at closely.
    private static let looked = (first: 150, near: 100, exact: 60)
    /// Where fewer results have such a score, typing mistakes are thought of.
    private static let satisfied = (results: 3, score: 5.5)
    /// Places within so many degrees are near.
    private static let nearBy = 1.0

    func search(
        _ text: String, near: Coordinate?, limit: Int
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let words = folding.words(String(parts.first ?? ""))
        guard !words.isEmpty, limit > 0 else { return [] }
        let request = Request(
            words: words, area: parts.count > 1 ? folding.words(String(parts[1])) : [], near: near, limit: limit)
        var found = try found(request)
        let hasPostalCode = text.split(separator: " ").last.map { PostalRegions.isCode(String($0)) } ?? false
        if found.isEmpty || hasPostalCode, let narrowed = try request.withAreaLast.map(self.found), !narrowed.isEmpty {
            found = narrowed
        }
        if isPoor(found) {
            let known = Set(found.map(\.number))
            found += try mistyped(request).filter { !known.contains($0.number) }
        }
        return try matches(found.prefix(limit))
    }

    private func isPoor(_ found: [PlaceRanking.Ranked]) -> Bool {
        found.count < GazetteerFile.satisfied.results
            && found.allSatisfy { $0.score < GazetteerFile.satisfied.score }
    }

    /// What is searched for: words of a name, and of the country or region after a comma.
    private struct Request {
        let words: [[UInt8]]
        let area: [[UInt8]]
        let near: Coordinate?
        let limit: Int

        /// The same with its last word as the country or region; nil where that is told already.
        var withAreaLast: Request? {
            guard area.isEmpty, words.count > 1 else { return nil }
            return Request(
                words: Array(words.dropLast()), area: Array(words.suffix(1)), near: near, limit: limit)
        }
    }

    private func matches(
        _ found: ArraySlice<PlaceRanking.Ranked>
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        var matches: [PlaceMatch] = []
        for ranked in found {
            let place = try place(ranked.number, inChunk: ranked.chunk)
            matches.append(PlaceMatch(place: place, otherName: ranked.otherName))
        }
        return matches.citiesFirst
    }

    private func found(_ request: Request) throws(PlaceSearchFailure) -> [PlaceRanking.Ranked] {
        let query = NameQuery(request.words)
        let near = query.text.count > 1 ? request.near : nil
        var numbers = try candidates(query.expression(isLastBegun: true), near)
        numbers.formUnion(try exact(query))
        return try ranking(query, request, forgives: false).best(request.limit, of: numbers, in: self)
    }

    private func mistyped(_ request: Request) throws(PlaceSearchFailure) -> [PlaceRanking.Ranked] {
        let query = NameQuery(request.words)
        let vocabulary = try vocabulary()
        let readings = query.words.enumerated().map { index, word in
            [word] + vocabulary.nearest(to: word, isBegun: index == query.words.count - 1)
        }
        guard readings.contains(where: { $0.count > 1 }) else { return [] }
        let numbers = try candidates(
            NameQuery.expression(readings, isLastBegun: true), request.near)
        return try ranking(query, request, forgives: true).best(request.limit, of: numbers, in: self)
    }

    private func ranking(_ query: NameQuery, _ request: Request, forgives: Bool) -> PlaceRanking {
        PlaceRanking(query: query, near: request.near, area: request.area, forgives: forgives)
    }

    /// The most important matches, and those near.
    private func candidates(
        _ expression: String, _ near: Coordinate?
    ) throws(PlaceSearchFailure) -> Set<Int> {
        let nearby = near.map { ranges(around: $0) } ?? []
        var numbers: Set<Int> = [], seen = 0, kept = 0, next = 0
        try forEachMatch(expression) { number in
            seen += 1
            if seen <= GazetteerFile.looked.first {
                numbers.insert(number)
                return true
            }
            while next < nearby.count, nearby[next].upperBound <= number { next += 1 }
            if next < nearby.count, nearby[next].contains(number) {
                numbers.insert(number)
                kept += 1
            }
            return next < nearby.count && kept < GazetteerFile.looked.near && seen < GazetteerFile.mostMatches
        }
        return numbers
    }

    /// Places that have the last word whole: a short name drowns among those that only begin so.
    private func exact(_ query: NameQuery) throws(PlaceSearchFailure) -> Set<Int> {
        var numbers: Set<Int> = []
        try forEachMatch(query.expression(isLastBegun: false)) { number in
            numbers.insert(number)
            return numbers.count < GazetteerFile.looked.exact
        }
        return numbers
    }

    /// The numbers of the chunks that reach near a point, ascending.
    private func ranges(around point: Coordinate) -> [Range<Int>] {
        chunks.filter { $0.degrees(from: point) < GazetteerFile.nearBy }
            .map { $0.first..<($0.first + $0.count) }
    }
}
