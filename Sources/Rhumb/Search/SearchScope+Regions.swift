internal import RhumbCore
internal import RhumbStore

extension SearchScope {
    /// Limits the scope to the tiles of the given regions.
    mutating func take(_ records: [RegionRecord]) {
        let covers = records.flatMap(\.covers).map { (key: $0.origin.description, cover: $0.cover) }
        sources = Set(covers.map(\.key))
        holds = { source, tile in covers.contains { $0.key == source && $0.cover.contains(tile) } }
    }
}

extension ReverseGeocodeResult {
    mutating func take(_ reading: ReverseGeocoder) {
        street = street ?? reading.street
        house = house ?? reading.house
        things = FeatureMatch.joined(things + reading.things).map(\.feature)
    }
}

extension RegionStore {
    /// True if a region with a source has the feature for routes.
    func wantsRoads(ofSource key: String) -> Bool {
        let records = ((try? regions()) ?? []).filter { $0.parts.contains { $0.origin.description == key } }
        return records.isEmpty
            || records.contains { $0.definition?.features.contains(Feature.offlineRouting.name) ?? true }
    }
}
