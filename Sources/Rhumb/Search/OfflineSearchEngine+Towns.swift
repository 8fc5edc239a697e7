internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Searches for a street or feature together with its town, such as "Via dei Neri 12, Firenze".
extension OfflineSearchEngine {
    /// The distance in metres from a town within which its streets are.
    private static let townReach = 60_000.0
    /// The number of towns of one name that are searched.
    private static let townLimit = 3

    /// The features with a name that is part of a text.
    struct PartMatches {
        var features: [RankedFeature]
        /// The part of the text.
        let name: String
        /// A remark on the rest of the text; nil if there is none.
        var note: String?
    }

    /// Returns the features near a town whose name is next to the town's in the text. A town that no
    /// place or map knows is ignored if a comma separates it.
    /// - Returns: nil if there are none.
    func matchesInTown(_ query: MapSearchQuery, _ scope: SearchScope) throws(SearchFailure) -> PartMatches? {
        var unknown: TownReading?, isAnyKnown = false
        for reading in TownReading.readings(of: query.text) {
            try checkCancellation()
            guard !reading.towns.isEmpty else {
                let found = try features(reading, nil, query, scope)
                guard found.isEmpty else { return PartMatches(features: found, name: reading.name) }
                continue
            }
            let towns = try firstTowns(reading.towns, near: query.near ?? scope.bounds?.center)
            isAnyKnown = isAnyKnown || !towns.isEmpty
            if towns.isEmpty, reading.isStated, unknown == nil { unknown = reading }
            for town in towns {
                let found = try features(reading, town, query, scope)
                guard found.isEmpty else { return PartMatches(features: found, name: reading.name) }
            }
        }
        guard let unknown, !isAnyKnown else { return nil }
        let found = try features(unknown, nil, query, scope)
        let town = SafeText.sanitised(unknown.towns.last ?? "", limit: 60)
        return found.isEmpty
            ? nil
            : PartMatches(
                features: found, name: unknown.name,
                note: "no town named \(town) is known; showing \(SafeText.sanitised(unknown.name, limit: 60))"
            )
    }

    private func features(
        _ reading: TownReading, _ town: Coordinate?, _ query: MapSearchQuery, _ scope: SearchScope
    ) throws(SearchFailure) -> [RankedFeature] {
        var part = query
        part.text = reading.name
        part.near = town ?? query.near
        let found = try foundFeatures(part, scope, forgives: reading.isStated)
        guard let town else { return found }
        return found.filter { $0.feature.coordinate.metres(to: town) < Self.townReach }.map { match in
            var match = match
            match.feature.metres = nil
            match.feature.degrees = nil
            match.feature = match.feature.seen(from: query.near)
            return match
        }
    }

    /// Returns the towns of the first name that any has, the nearest first.
    private func firstTowns(_ names: [String], near: Coordinate?) throws(SearchFailure) -> [Coordinate] {
        for name in names {
            let towns = try towns(named: name, near: near)
            guard towns.isEmpty else { return towns }
        }
        return []
    }

    /// Returns the settlements of the gazetteer and of the stored maps with exactly a name.
    private func towns(named name: String, near: Coordinate?) throws(SearchFailure) -> [Coordinate] {
        let folding = places.folding, wanted = folding.fold(String(name.prefix { $0 != "," }))
        let known = try converting(
            places.places(matching: name, near: near, limit: 2 * Self.townLimit, forgives: false)
        ) { (error: PlaceSearchFailure) in SearchFailure(error) }
        var towns = known.filter { match in
            match.place.kind.isSettlement
                && [match.place.name, match.otherName].contains { $0.map(folding.fold) == wanted }
        }.prefix(Self.townLimit).map(\.place.coordinate)
        if towns.isEmpty {
            var query = MapSearchQuery(name, near: near, limit: Self.townLimit)
            query.kind = SearchKind(.settlement)
            towns = try foundFeatures(query, SearchScope(), forgives: false).map(\.feature)
                .filter { folding.fold($0.name) == wanted }.map(\.coordinate)
        }
        return towns
    }

    /// Returns a note that the found streets lack the house number; nil if none of them does.
    static func missingNumber(_ found: [RankedFeature]) -> String? {
        guard let best = found.max(by: { $0.score < $1.score }), let number = best.missingNumber,
            found.allSatisfy({ $0.missingNumber != nil || $0.isMistyped })
        else { return nil }
        let shown = SafeText.sanitised(number, limit: 20)
        return "\(best.feature.name): the map has no house \(shown), only the street"
    }
}

extension SearchResult {
    /// Returns the result with a remark on the reading of the text, and the part that is the name.
    func with(note: String?, searchedName: String?) -> SearchResult {
        var result = self
        result.note = note
        result.searchedName = searchedName
        return result
    }
}
