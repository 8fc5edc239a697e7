internal import RhumbCore
internal import RhumbEngine

/// Puts candidates of a search in order: how well the name fits, importance, nearness.
struct PlaceRanking {
    let query: NameQuery
    let near: Coordinate?
    /// Folded beginnings of words that the country or region must have; empty: any will do.
    let area: [[UInt8]]
    /// Whether names that fit only but for typing mistakes count.
    let forgives: Bool

    /// What it is worth when no single name has all the words.
    private static let scattered = -1.0
    /// What standing right beside `near` is worth, halved every `nearness` metres or so.
    private static let beside = 2.5
    private static let nearness = 60_000.0

    /// A place and what speaks for it whatever its name.
    struct Candidate {
        let number: Int
        let chunk: Int
        let score: Double
    }

    struct Ranked {
        let number: Int
        let chunk: Int
        let score: Double
        let otherName: String?
    }

    /// The best of the places, best first. Names are unpacked only of places that could be among
    /// them.
    func best(
        _ limit: Int, of numbers: Set<Int>, in file: GazetteerFile
    ) throws(PlaceSearchFailure) -> [Ranked] {
        var candidates: [Candidate] = []
        for number in numbers {
            if let candidate = try candidate(number, in: file) { candidates.append(candidate) }
        }
        candidates.sort { ($1.score, $0.number) < ($0.score, $1.number) }
        var found: [Ranked] = []
        for candidate in candidates {
            if found.count == limit, let last = found.last, candidate.score + NameFit.exact.worth <= last.score {
                break
            }
            guard let ranked = try ranked(candidate, in: file) else { continue }
            let place = found.firstIndex { $0.score < ranked.score } ?? found.count
            found.insert(ranked, at: place)
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
        let score = numbers.importances[offset] + bonus(numbers.coordinate(offset))
        return Candidate(number: number, chunk: chunk, score: score)
    }

    /// The candidate with what its name adds; nil if it doesn't fit at all.
    private func ranked(
        _ candidate: Candidate, in file: GazetteerFile
    ) throws(PlaceSearchFailure) -> Ranked? {
        let line = try file.line(of: candidate.number, inChunk: candidate.chunk)
        guard isInArea(line.region, file), let best = best(line, file.folding) else { return nil }
        return Ranked(
            number: candidate.number, chunk: candidate.chunk, score: candidate.score + best.worth,
            otherName: best.other)
    }

    private func bonus(_ place: Coordinate) -> Double {
        guard let near else { return 0 }
        return PlaceRanking.beside / (1 + near.metres(to: place) / PlaceRanking.nearness)
    }

    private func best(_ line: PlaceNames.Line, _ folding: Folding) -> (worth: Double, other: String?)? {
        var best = fit(folding.fold(utf8: line.name)).map { (worth: $0.worth, other: String?.none) }
        if let best, best.worth == NameFit.exact.worth { return best }
        for other in line.others {
            guard let fit = fit(folding.fold(utf8: other)) else { continue }
            let worth = fit.worthOfOther(isLatin: query.isLatin)
            if best.map({ worth > $0.worth }) ?? true { best = (worth, GazetteerFile.text(other)) }
        }
        return best ?? (forgives ? nil : (PlaceRanking.scattered, nil))
    }

    private func fit(_ name: [UInt8]) -> NameFit? {
        guard forgives else { return query.fit(name) }
        var measure = TypingDistance(from: query.text)
        let slips = measure.distance(to: name, isBegun: true)
        return slips <= query.words.reduce(0) { $0 + Vocabulary.tolerance($1.count) } ? .mistyped(slips) : nil
    }

    private func isInArea(_ region: Int, _ file: GazetteerFile) -> Bool {
        guard !area.isEmpty else { return true }
        let (code, country, name) = file.area(region)
        let postal = PostalRegions.code(of: name, in: code)
        let words = [code, country, name, postal].flatMap { file.folding.words($0) }
        return area.allSatisfy { wanted in words.contains { $0.starts(with: wanted) } }
    }
}
