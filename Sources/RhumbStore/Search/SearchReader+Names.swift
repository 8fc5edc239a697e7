internal import RhumbCore

/// Search by name.
extension SearchReader {
    /// The number of matching chunks that are examined: the nearest ones, and the nearest ones with the whole
    /// last word or the whole name.
    private static let looked = (begun: 40, whole: 40)
    /// The number of good results, beyond the requested ones, after which farther chunks are not unpacked.
    private static let enough = 10
    /// The bonuses for results near the viewed place, each with the distance in metres at which it is halved:
    /// in the surroundings, and right at the place.
    private static let nearness = [(worth: 2.5, metres: 5000.0), (worth: 1, metres: 250)]
    /// The penalty for each additional word of a name.
    private static let perWord = 0.06
    /// The factor by which more results are fetched than requested, because some are merged.
    private static let spare = 3

    /// Returns the features with a name, best first, not yet merged.
    func named(_ question: SearchQuestion) throws(StoreFailure) -> [RankedFeature] {
        let query = NameQuery(folding.words(question.words.text))
        guard !query.words.isEmpty else { return [] }
        let street = StreetQuery(question.words.text, folding)
        func fit(_ name: [UInt8]) -> MatchQuality? {
            let plain = query.fit(name)
            guard plain != .exact else { return plain }
            guard let fit = street?.fit(name) ?? plain else { return nil }
            return fit == .words ? bareFit(name) ?? fit : fit
        }
        /// Returns the match of a name without the word for its kind, such as "Boboli" for "Giardino di
        /// Boboli".
        func bareFit(_ name: [UInt8]) -> MatchQuality? {
            guard let bare = KindWords.bare(name) else { return nil }
            return switch street?.fit(bare) ?? query.fit(bare) {
            case .exact, .firstWords: .bare
            case .begins: .bareBegins
            default: nil
            }
        }
        func fit(_ names: [[UInt8]]) -> (index: Int, fit: MatchQuality)? {
            if names.count == 1 { return fit(names[0]).map { (0, $0) } }
            let fits = names.enumerated().compactMap { index, name in fit(name).map { (index, $0) } }
            // If the usual name matches, another name is only shown if it matches exactly.
            if let usual = fits.first, usual.0 == 0, !fits.contains(where: { $0.1 == .exact }) {
                return usual
            }
            return fits.max { $0.1.worth(isUsual: $0.0 == 0) < $1.1.worth(isUsual: $1.0 == 0) }
        }
        // "St." is an abbreviation of streets and of saints.
        let expressions = [street?.expression(isLastBegun: true), query.expression(isLastBegun: true)]
        let begun = try nearest(
            chunks(matching: expressions.compactMap { $0.map { "(\($0))" } }.joined(separator: " OR ")),
            question, SearchReader.looked.begun)
        let whole = try nearest(
            chunks(matching: street?.expression(isLastBegun: false) ?? whole(query)), question,
            SearchReader.looked.whole)
        var seen: Set<Int> = []
        var found = try ranked(begun, &seen, question, fit)
        found = (found + (try ranked(whole, &seen, question, fit))).best(question.limit * SearchReader.spare)
        guard question.forgives, found.isEmpty else { return found }
        return (try mistyped(query, question)).best(question.limit * SearchReader.spare)
    }

    /// Returns a query for names that match completely.
    private func whole(_ query: NameQuery) -> String {
        guard query.words.count > 1 else { return query.expression(isLastBegun: false) }
        return "\"" + String(decoding: SearchTerms.whole(query.text), as: UTF8.self) + "\""
    }

    // MARK: Typing errors

    private func mistyped(
        _ query: NameQuery, _ question: SearchQuestion
    ) throws(StoreFailure) -> [RankedFeature] {
        let vocabulary = try vocabulary()
        let readings = query.words.enumerated().map { index, word in
            [word] + vocabulary.nearest(to: word, isBegun: index == query.words.count - 1)
        }
        guard readings.contains(where: { $0.count > 1 }) else { return [] }
        let expression = NameQuery.expression(
            readings, isLastBegun: true, isBeginning: vocabulary.isBeginning)
        let ids = try nearest(
            chunks(matching: expression), question, SearchReader.looked.begun + SearchReader.looked.whole)
        var measures = query.words.map {
            (word: $0, letters: Vocabulary.letters($0), measure: EditDistance(from: $0))
        }
        var seen: Set<Int> = []
        return try ranked(ids, &seen, question) { names in
            names.enumerated().compactMap { index, name in
                SearchReader.slips(&measures, in: name).map { (index, .mistyped($0)) }
            }
            .max { $0.1.worth(isUsual: $0.0 == 0) < $1.1.worth(isUsual: $1.0 == 0) }
        }
    }

    /// Returns the number of typing errors between the query and a name, plus one if the name has more words;
    /// nil if there are too many.
    private static func slips(
        _ measures: inout [(word: [UInt8], letters: UInt32, measure: EditDistance)], in name: [UInt8]
    ) -> Int? {
        let letters = Vocabulary.letters(name)
        guard
            measures.allSatisfy({
                ($0.letters & ~letters).nonzeroBitCount <= Vocabulary.tolerance($0.word.count)
            })
        else { return nil }
        let parts = name.split(separator: UInt8(ascii: " "))
        guard parts.count >= measures.count else { return nil }
        var slips = parts.count > measures.count ? 1 : 0
        for index in measures.indices {
            let isLast = index == measures.count - 1, word = measures[index].word
            let limit = Vocabulary.tolerance(word.count)
            var least = limit + 1
            for part in parts {
                if part.elementsEqual(word) { least = 0 }
                if least == 0 { break }
                guard limit > 0, part.count + limit >= word.count, isLast || part.count <= word.count + limit
                else { continue }
                least = min(
                    least,
                    measures[index].measure.distance(to: part, isBegun: isLast)
                        + (isLast && part.count > word.count + 1 ? 1 : 0))
            }
            guard least <= limit else { return nil }
            slips += least
        }
        return slips
    }

    // MARK: Examining chunks

    /// Returns the nearest of the given chunks.
    private func nearest(
        _ ids: [Int], _ question: SearchQuestion, _ limit: Int
    ) throws(StoreFailure) -> [SearchMap.Entry] {
        guard let near = question.near else {
            return Array(
                ids.lazy.compactMap { self.map[$0] }.filter { self.isWanted($0, question) }.prefix(limit))
        }
        let point = Mercator.world(near)
        return NearestEntries(map, among: ids, to: SIMD2(point.x, point.y)) { self.isWanted($0, question) }
            .prefix(limit).map(\.entry)
    }

    func isWanted(_ entry: SearchMap.Entry, _ question: SearchQuestion) -> Bool {
        if let kind = question.kind, entry.categories & kind.category.bit == 0 { return false }
        guard let source = sources[entry.source], question.scope.sources?.contains(source) ?? true else {
            return false
        }
        if let bounds = question.scope.bounds {
            let low = entry.box.low, high = entry.box.high,
                box = WorldBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
            guard bounds.worldBoxes.contains(where: { $0.overlaps(box) }) else { return false }
        }
        return question.scope.holds(source, entry.tile)
    }

    /// Returns the features of chunks whose names match, best first.
    /// - Parameters:
    ///   - entries: The chunks, the nearest first.
    ///   - seen: The chunks that have already been examined.
    ///   - fit: Returns the best matching name, and the quality of the match.
    private func ranked(
        _ entries: [SearchMap.Entry], _ seen: inout Set<Int>, _ question: SearchQuestion,
        _ fit: (_ names: [[UInt8]]) -> (index: Int, fit: MatchQuality)?
    ) throws(StoreFailure) -> [RankedFeature] {
        var found: [RankedFeature] = [], good = 0
        for (number, entry) in entries.enumerated() {
            if number >= SearchReader.enough, good > question.limit * SearchReader.spare { break }
            guard seen.insert(entry.id).inserted, let folded = try chunk(entry) else { continue }
            for index in folded.names.indices {
                guard let best = fit(folded.names[index]) else { continue }
                guard let ranked = ranked(folded.chunk, index, best, entry, question) else { continue }
                found.append(ranked)
                if best.fit.isGood { good += 1 }
            }
            if found.count > 4000 { found = found.best(question.limit * SearchReader.spare) }
        }
        return found.best(question.limit * SearchReader.spare)
    }

    private func ranked(
        _ chunk: SearchChunk, _ index: Int, _ best: (index: Int, fit: MatchQuality), _ entry: SearchMap.Entry,
        _ question: SearchQuestion
    ) -> RankedFeature? {
        let thing = chunk.feature(index)
        guard question.kind?.includes(thing.category, thing.kind) ?? true else { return nil }
        var feature = FeatureMatch(thing, in: chunk.tile).seen(from: question.near)
        guard question.scope.bounds?.contains(feature.coordinate) ?? true else { return nil }
        if best.index > 0 {
            feature.otherName = String(decoding: chunk.names(index)[best.index], as: UTF8.self)
        }
        let nearness =
            feature.metres.map { metres in
                SearchReader.nearness.reduce(0) { $0 + $1.worth / (1 + metres / $1.metres) }
            } ?? 0
        let weight = thing.category.weight(thing.kind)
        let others = max(
            chunk.names(index)[best.index].count { $0 == UInt8(ascii: " ") } + 1 - question.wordCount, 0)
        let score =
            best.fit.worth(isUsual: best.index == 0) - SearchReader.perWord * Double(min(others, 8))
            + (best.fit.isMistyped ? max(weight, 0) : weight) + nearness
        return RankedFeature(
            feature: feature, score: score, fit: best.fit, source: sources[entry.source] ?? "",
            tile: chunk.tile)
    }
}

extension MatchQuality {
    /// True if enough matches of this quality nearby make farther ones unnecessary.
    fileprivate var isGood: Bool {
        [.exact, .firstWords, .begins, .mistyped(0), .mistyped(1)].contains(self)
    }

    /// True if the name contains the words only with typing mistakes.
    var isMistyped: Bool { if case .mistyped = self { true } else { false } }

    /// Returns the score of the match for the usual name or another.
    fileprivate func worth(isUsual: Bool) -> Double { worth(.usual, isLatin: true) - (isUsual ? 0 : 0.3) }
}

extension [RankedFeature] {
    /// Returns the best features, best first.
    func best(_ limit: Int) -> [RankedFeature] {
        Array(
            enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.prefix(
                limit
            ).map(\.element))
    }
}
