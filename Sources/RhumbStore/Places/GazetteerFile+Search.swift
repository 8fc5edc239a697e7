internal import RhumbCore
internal import RhumbEngine

/// Search by name.
extension GazetteerFile {
    /// Matches gone through at most; only single letters have more.
    private static let mostMatches = 40_000
    /// Of them the first, which are the most important, and those near are looked at closely.
    private static let looked = (first: 150, near: 100, exact: 60)
    /// Under so many results typing mistakes are thought of.
    private static let few = 3
    /// Places within so many degrees are near.
    private static let nearBy = 1.0

    func search(
        _ text: String, near: Coordinate?, limit: Int
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let words = folding.words(String(parts.first ?? ""))
        guard !words.isEmpty, limit > 0 else { return [] }
        let area = parts.count > 1 ? folding.words(String(parts[1])) : []
        var found = try found(words, area, near)
        if found.isEmpty, area.isEmpty, words.count > 1, let last = words.last {
            found = try self.found(words.dropLast(), [last], near)
        }
        if found.count < GazetteerFile.few {
            let known = Set(found.map(\.number))
            found += try mistyped(words, area, near).filter { !known.contains($0.number) }
        }
        return try matches(found.prefix(limit))
    }

    private func matches(
        _ found: ArraySlice<PlaceRanking.Ranked>
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        var matches: [PlaceMatch] = []
        for ranked in found {
            let place = try place(ranked.number, inChunk: ranked.chunk)
            matches.append(PlaceMatch(place: place, otherName: ranked.otherName))
        }
        return matches
    }

    private func found(
        _ words: [[UInt8]], _ area: [[UInt8]], _ near: Coordinate?
    ) throws(PlaceSearchFailure) -> [PlaceRanking.Ranked] {
        let query = NameQuery(words)
        var numbers = try candidates(query.expression(isLastBegun: true), near)
        numbers.formUnion(try exact(query))
        return try rank(numbers, PlaceRanking(query: query, near: near, area: area, forgives: false))
    }

    private func mistyped(
        _ words: [[UInt8]], _ area: [[UInt8]], _ near: Coordinate?
    ) throws(PlaceSearchFailure) -> [PlaceRanking.Ranked] {
        let query = NameQuery(words)
        let vocabulary = try vocabulary()
        let readings = query.words.enumerated().map { index, word in
            [word] + vocabulary.nearest(to: word, isBegun: index == query.words.count - 1)
        }
        guard readings.contains(where: { $0.count > 1 }) else { return [] }
        let numbers = try candidates(NameQuery.expression(readings, isLastBegun: true), near)
        return try rank(numbers, PlaceRanking(query: query, near: near, area: area, forgives: true))
    }

    private func rank(
        _ numbers: Set<Int>, _ ranking: PlaceRanking
    ) throws(PlaceSearchFailure) -> [PlaceRanking.Ranked] {
        var found: [PlaceRanking.Ranked] = []
        for number in numbers.sorted() {
            if let ranked = try ranking.ranked(number, in: self) { found.append(ranked) }
        }
        return found.sorted { ($1.score, $0.number) < ($0.score, $1.number) }
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
