public import RhumbCore

extension SearchResult {
    /// Merges local and online results: first the local ones that match the words, then new ones from the
    /// service, then the rest.
    public func joined(with answer: OnlineSearchAnswer, to query: MapSearchQuery) -> SearchResult {
        var joined = self
        let new = answer.features.filter { feature in !matches.contains { $0.isSame(as: feature) } }.map(
            SearchMatch.feature)
        let wanted = SearchFit(query), fitting = matches.filter(wanted.isFit),
            others = matches.filter { !wanted.isFit($0) }
        // Neither kind may fill the whole list.
        let room = max(query.limit - min(new.count, (query.limit + 1) / 2), 0)
        joined.matches = Array(
            (fitting.prefix(room) + new + fitting.dropFirst(room) + others).prefix(query.limit))
        joined.attribution = new.isEmpty ? "" : answer.attribution
        return joined
    }
}

/// Decides whether a result has the searched name or kind.
private struct SearchFit {
    let words: String
    let kind: SearchKind?
    /// Results at the searched place always match.
    let isSpot: Bool

    init(_ query: MapSearchQuery) {
        isSpot = query.spot != nil
        words = SearchFit.plain(query.text)
        kind = query.kind ?? SearchKind(word: query.text)
    }

    func isFit(_ match: SearchMatch) -> Bool {
        if isSpot { return true }
        let names: [String?]
        switch match {
        case .place(let match): names = [match.place.name, match.otherName]
        case .feature(let feature):
            if kind?.includes(feature.category, feature.kind) == true { return true }
            names = [feature.name, feature.otherName]
        }
        return !words.isEmpty && names.compactMap(\.self).contains { SearchFit.plain($0).hasPrefix(words) }
    }

    private static func plain(_ text: String) -> String { Transliteration.ascii(text).lowercased() }
}

extension SearchMatch {
    /// Returns true if a result of a service is the same place or feature.
    fileprivate func isSame(as found: FeatureMatch) -> Bool {
        switch self {
        case .feature(let feature): FeatureMatch.joined([feature, found]).count == 1
        case .place(let match):
            found.category == .settlement && match.place.coordinate.metres(to: found.coordinate) < 8000
                && [match.place.name, match.otherName].contains(found.name)
        }
    }

    /// The provider: a service's name, "GeoNames", or "" for stored tiles.
    public var provider: String {
        switch self {
        case .place: "GeoNames"
        case .feature(let feature): feature.provider
        }
    }
}
