public import RhumbCore
internal import RhumbEngine
internal import RhumbOpening
public import RhumbStore

/// The sizes of a region's data groups.
extension Regions {
    /// Returns the data groups of a source besides the base map, with their estimated sizes in the region.
    /// The estimate is based on stored and cached tiles.
    /// - Throws: `RegionStoreFailure`
    public func groups(
        _ definition: RegionDefinition, _ source: RegionSource
    ) throws(RegionStoreFailure) -> [PlanSource.Group] {
        let whole = try bytes(definition, source), enabled = Set(definition.features)
        if source.layer.feature != .rendering {
            let name = source.layer.feature.name
            return [PlanSource.Group(features: [name], bytes: whole, isContained: enabled.contains(name))]
        }
        guard source.layer.tileBodyKind == .vectorTile else { return [] }
        let (shares, omitted) = shares(definition, source)
        let announced = (source.layer.vectorLayerNames ?? []).map(Regions.features)
        return Set(announced).union(shares.keys).union(omitted).filter { !$0.isEmpty }.sorted {
            $0.sorted().lexicographicallyPrecedes($1.sorted())
        }.map { features in
            PlanSource.Group(
                features: features,
                bytes: shares[features].flatMap { share in whole.map { Int(Double($0) * share) } },
                isContained: !features.isDisjoint(with: enabled))
        }
    }

    private static func features(_ layer: String) -> Set<String> {
        Set(Feature.features(ofVectorLayer: layer).map(\.name))
    }

    /// Returns the estimated size of the whole region in bytes; nil if no tile is stored or cached.
    private func bytes(
        _ definition: RegionDefinition, _ source: RegionSource
    ) throws(RegionStoreFailure) -> Int? {
        let samples = try samples(of: source)
        guard !samples.isEmpty else { return nil }
        return source.cover(definition).counts().rows.reduce(0) { sum, row in
            sum.addingReportingOverflow(
                ByteEstimate(tiles: row.count, zoom: row.zoom, samples: samples).bytes
            ).partialValue
        }
    }

    func samples(of source: RegionSource) throws(RegionStoreFailure) -> [Int: ByteSample] {
        (cache?.samples(origin: source.origin) ?? [:])
            .merging(try store.samples(origin: source.origin)) { cached, stored in
                stored.count > 20 ? stored : cached
            }
    }

    /// Returns each group's share of the bytes of complete tiles, and the features that incomplete tiles
    /// lack.
    private func shares(
        _ definition: RegionDefinition, _ source: RegionSource
    ) -> ([Set<String>: Double], omitted: Set<Set<String>>) {
        var sums: [Set<String>: Int] = [:], seen = 0, omitted: Set<Set<String>> = []
        for tile in source.cover(definition).tiles().prefix(Regions.searchedTiles)
        where seen < Regions.weighedTiles {
            let key = ResourceKey.tile(origin: source.origin, tile)
            guard let response = store.response(for: key) ?? cache?.response(for: key) else { continue }
            seen += 1
            omitted.formUnion(response.omits.map { [$0] })
            guard response.omits.isEmpty, let tile = response.body.flatMap(Regions.vectorTile) else {
                continue
            }
            for layer in tile.layerSizes { sums[Regions.features(layer.name), default: 0] += layer.bytes }
        }
        let all = sums.values.reduce(0, +)
        return (all > 0 ? sums.mapValues { Double($0) / Double(all) } : [:], omitted)
    }

    private static let searchedTiles = 2000
    private static let weighedTiles = 32

    private static func vectorTile(_ body: [UInt8]) -> VectorTile? {
        let plain = Gzip.isWrapped(body) ? try? Gzip.unpacked(body, limit: VectorTile.sizeLimit) : body
        return plain.flatMap { try? VectorTile($0) }
    }
}
