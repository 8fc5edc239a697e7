internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// A match with its score.
struct RankedMatch {
    /// The beginnings of the attributes that only trucks need.
    fileprivate static let truckKeys = [
        "maxheight", "maxweight", "maxlength", "maxwidth", "maxaxleload", "hgv", "hazmat",
    ]

    let match: SearchMatch
    let score: Double

    init(_ match: SearchMatch, score: Double) { (self.match, self.score) = (match, score) }

    /// Returns true if a feature of the map is the same settlement.
    func isSame(as other: RankedFeature) -> Bool {
        guard case .place(let found) = match, other.feature.category == .settlement else { return false }
        return found.place.coordinate.metres(to: other.feature.coordinate) < 8000
            && [found.place.name, found.otherName].contains(other.feature.name)
    }
}

extension PlaceMatch {
    /// The importance of a settlement of 100,000 people. A smaller one far from the view is rarely meant if
    /// the map has a feature whose name begins with the words.
    private static let city = 5.0
    /// The distance in metres from the view within which small settlements are not far.
    private static let reach = 200_000.0

    /// Returns the score of a gazetteer place by name, importance and distance, on the same scale as that of
    /// map features.
    func score(_ query: MapSearchQuery, _ folding: NameFolding) -> Double {
        let wanted = folding.fold(query.text), names = [place.name, otherName ?? ""].map(folding.fold)
        let fit = names.contains(wanted) ? 3.4 : names.contains { $0.hasPrefix(wanted) } ? 1.2 : 0.2
        let near = query.near.map { 2.5 / (1 + $0.sphericalMetres(to: place.coordinate) / 60_000) } ?? 0
        // A merely similar name is a guess, regardless of the place's size.
        return isMistyped(wanted, names)
            ? place.importance / 5 - 1 + near : fit + place.importance / 2.5 + near - remoteness(query)
    }

    /// Returns the penalty for a small settlement far from the view, from 0.4 for a town to 2 for a hamlet.
    private func remoteness(_ query: MapSearchQuery) -> Double {
        guard place.kind.isSettlement, place.importance < Self.city,
            let near = query.near, near.sphericalMetres(to: place.coordinate) > Self.reach
        else { return 0 }
        return min(0.4 + (Self.city - place.importance) / 2, 2)
    }

    /// Returns true if none of the words is the beginning of a word in the place's names.
    private func isMistyped(_ wanted: String, _ names: [String]) -> Bool {
        let words = names.flatMap { $0.split(separator: " ") }
        return !wanted.split(separator: " ").contains { word in words.contains { $0.hasPrefix(word) } }
    }
}

extension MapSearchArea {
    /// Returns true if the area contains a place.
    func holds(_ place: Coordinate) -> Bool {
        if case .box(let bounds) = self { bounds.contains(place) } else { true }
    }

    /// True for an area defined by stored data.
    var isOfStored: Bool {
        switch self {
        case .region, .regions, .archive: true
        case .everywhere, .box: false
        }
    }
}

extension FeatureMatch {
    /// Returns the feature without the attributes of disabled features, such as charging sockets, fuels and
    /// heights.
    func showing(_ configuration: LayerConfiguration) -> FeatureMatch {
        var feature = self
        feature.details = details.filter { detail in
            let key = detail.prefix { $0 != "=" }
            let owner: Feature? =
                key.hasPrefix("socket")
                ? .ev
                : key.hasPrefix("fuel")
                    ? .fuelStationAttributes
                    : RankedMatch.truckKeys.contains(where: key.hasPrefix) ? .truckServiceAttributes : nil
            return owner.map(configuration.enabledFeatures.contains) ?? true
        }
        return feature
    }
}
