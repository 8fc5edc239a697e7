internal import RhumbCore
internal import RhumbEngine

/// Searches for places by name.
extension GazetteerFile {
    /// The maximum number of matches that are read to find nearby ones.
    private static let mostMatches = 12_000
    /// The maximum numbers of matches to rank: the best known, the nearby ones, and those that contain the
    /// whole last word.
    private static let ranked = (first: 200, near: 100, exact: 200)
    /// The number of matches among which a country or region of exactly the typed name is found.
    private static let mostBeforeArea = 40
    /// The distance in degrees within which places count as nearby.
    private static let nearBy = 1.0

    func search(
        _ text: String, near: Coordinate?, limit: Int, forgives: Bool
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        guard limit > 0 else { return [] }
        return try codedFirst(
            text, named(text, near: near, limit: limit, forgives: forgives), limit: limit)
    }

    private func named(
        _ text: String, near: Coordinate?, limit: Int, forgives: Bool
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        var best: [PlaceRanking.Ranked] = [], first: Request?
        for reading in AreaReading.all(of: text, folding) {
            guard let request = try request(reading, near, limit) else { continue }
            if !reading.isGuess { first = first ?? request }
            var found = try found(request)
            if reading.areas.isEmpty, found.first?.name.fit != .exact {
                found = try narrowed(request, besides: found)
            }
            if best.isEmpty, !reading.isGuess { best = found }
            guard found.contains(where: { $0.name.fit != nil }) else { continue }
            return try matches(found.prefix(limit))
        }
        guard let first, forgives else { return try matches(best.prefix(limit)) }
        let numbers = Set(best.map(\.number)), mistyped = try mistyped(first)
        best = mistyped.filter { !numbers.contains($0.number) } + best
        return try matches(best.prefix(limit))
    }

    /// Returns the search for a reading of the text; nil if it has no name or none of its areas is known.
    private func request(
        _ reading: AreaReading, _ near: Coordinate?, _ limit: Int
    ) throws(PlaceSearchFailure) -> Request? {
        guard !reading.name.isEmpty else { return nil }
        var request = Request(words: reading.name, near: near, limit: limit)
        for area in reading.areas {
            var regions = try regions(named: area)
            if regions.isEmpty { regions = try self.regions(named: area, isBegun: true) }
            // The gazetteer knows only some of the areas in an address.
            guard !regions.isEmpty else { continue }
            request.regions = request.regions?.intersection(regions) ?? regions
        }
        return reading.areas.isEmpty || request.regions != nil ? request : nil
    }

    /// A search: the words of a name and the area to search.
    private struct Request {
        var words: [[UInt8]]
        /// The numbers of the regions to search; nil for all.
        var regions: Set<Int>?
        let near: Coordinate?
        let limit: Int
    }

    private func matches(
        _ found: ArraySlice<PlaceRanking.Ranked>
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        var matches: [PlaceMatch] = []
        for ranked in found {
            let place = try place(ranked.number, inChunk: ranked.chunk)
            var isSimilar = false
            if case .mistyped(1...) = ranked.name.fit { isSimilar = true }
            matches.append(
                PlaceMatch(place: place, otherName: ranked.name.other, isSimilar: isSimilar))
        }
        return matches.citiesFirst
    }

    private func found(_ request: Request) throws(PlaceSearchFailure) -> [PlaceRanking.Ranked] {
        let query = NameQuery(request.words)
        let near = query.text.count > 1 ? request.near : nil
        var numbers = try candidates(query.expression(isLastBegun: true), near)
        numbers.formUnion(try exact(query))
        let ranking = PlaceRanking(query, near: request.near, regions: request.regions)
        let areas = NatureQuery.isKind(request.words) ? [] : try regions(named: request.words)
        guard !areas.isEmpty else { return try ranking.best(request.limit, of: numbers, in: self) }
        return try ranking.best(max(request.limit, Self.mostBeforeArea), of: numbers, in: self).areasFirst
    }

    /// Returns the matches together with places that the first words name, in a country or region that the
    /// last words name. These places come first if the first words are a complete name or its beginning.
    private func narrowed(
        _ request: Request, besides found: [PlaceRanking.Ranked]
    ) throws(PlaceSearchFailure) -> [PlaceRanking.Ranked] {
        let isNothing = found.allSatisfy { $0.name.fit == nil }
        var best: [PlaceRanking.Ranked] = []
        for count in 1..<max(min(request.words.count, 4), 1) {
            let area = Array(request.words.suffix(count))
            var regions = try regions(named: area)
            if regions.isEmpty, isNothing { regions = try self.regions(named: area, isBegun: true) }
            guard !regions.isEmpty else { continue }
            let query = NameQuery(Array(request.words.dropLast(count)))
            let ranking = PlaceRanking(query, near: request.near, regions: regions)
            best += try ranking.best(request.limit, of: exact(query), in: self).filter { $0.name.fit != nil }
        }
        best.sort { $0.score > $1.score }
        let isCalledSo = [.exact, .firstWords].contains(best.first?.name.fit)
        let first = isCalledSo || isNothing ? best : found, known = Set(first.map(\.number))
        return first + (isCalledSo || isNothing ? found : best).filter { !known.contains($0.number) }
    }

    private func mistyped(_ request: Request) throws(PlaceSearchFailure) -> [PlaceRanking.Ranked] {
        let query = NameQuery(request.words)
        let vocabulary = try vocabulary()
        let readings = query.words.enumerated().map { index, word in
            [word] + vocabulary.nearest(to: word, isBegun: index == query.words.count - 1)
        }
        guard readings.contains(where: { $0.count > 1 }) else { return [] }
        let numbers = try candidates(NameQuery.expression(readings, isLastBegun: true), request.near)
        return try PlaceRanking(query, near: request.near, regions: request.regions, forgives: true)
            .best(request.limit, of: numbers, in: self)
    }

    /// Returns the best-known matches and the nearby ones.
    private func candidates(
        _ expression: String, _ near: Coordinate?
    ) throws(PlaceSearchFailure) -> Set<Int> {
        let nearby = near.map { ranges(around: $0) } ?? []
        var numbers: Set<Int> = [], seen = 0, kept = 0, next = 0
        try forEachMatch(expression) { number in
            seen += 1
            if seen <= GazetteerFile.ranked.first {
                numbers.insert(number)
                return true
            }
            while next < nearby.count, nearby[next].upperBound <= number { next += 1 }
            if next < nearby.count, nearby[next].contains(number) {
                numbers.insert(number)
                kept += 1
            }
            return next < nearby.count && kept < GazetteerFile.ranked.near && seen < GazetteerFile.mostMatches
        }
        return numbers
    }

    /// Returns places whose names contain the whole last word. Short names would be rare among names that
    /// only begin with it.
    func exact(_ query: NameQuery) throws(PlaceSearchFailure) -> Set<Int> {
        var numbers: Set<Int> = []
        try forEachMatch(query.expression(isLastBegun: false)) { number in
            numbers.insert(number)
            return numbers.count < GazetteerFile.ranked.exact
        }
        return numbers
    }

    /// Returns the number ranges of the chunks near a point, in ascending order.
    private func ranges(around point: Coordinate) -> [Range<Int>] {
        chunks.filter { $0.degrees(from: point) < GazetteerFile.nearBy }
            .map { $0.first..<($0.first + $0.count) }
    }
}
