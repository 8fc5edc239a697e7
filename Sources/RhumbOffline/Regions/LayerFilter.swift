internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Selects the vector layers to store in a region: the layers of its own features, and those needed by other
/// regions that share the tile.
struct LayerFilter: Sendable {
    struct Holder: Sendable {
        let features: Set<String>
        let cover: RegionTileSet
    }

    let features: Set<String>
    let others: [Holder]
    let isOfVectorTiles: Bool

    /// True if a response has all layers that the region needs.
    func suffices(_ response: StoredResponse) -> Bool { response.omits.isDisjoint(with: features) }

    /// Returns a response without the layers that no region needs; nil if there is nothing to remove.
    /// - Parameter plain: The unpacked body; nil to unpack it here.
    func selected(
        _ response: StoredResponse, _ tile: TileID, plain: [UInt8]? = nil
    ) -> StoredResponse? {
        guard isOfVectorTiles, let body = response.body else { return nil }
        let wanted = others.filter { $0.cover.contains(tile) }.reduce(features) { $0.union($1.features) }
        var selected = response
        guard let (rest, omitted) = LayerFilter.select(body, plain, wanted) else { return nil }
        selected.body = rest
        selected.omits.formUnion(omitted)
        return selected
    }

    /// Removes layers from a tile, and compresses it again. Returns nil if there is nothing to remove or the
    /// tile can't be parsed; such tiles are detected elsewhere.
    private static func select(
        _ body: [UInt8], _ plain: [UInt8]?, _ wanted: Set<String>
    ) -> ([UInt8], omitted: Set<String>)? {
        guard let plain = plain ?? (try? Gzip.unwrapped(body, limit: VectorTile.sizeLimit)) else {
            return nil
        }
        var omitted: Set<String> = []
        let rest = try? VectorTile.bytes(plain) { name in
            let features = Set(Feature.features(ofVectorLayer: name).map(\.name))
            guard !features.isEmpty, features.isDisjoint(with: wanted) else { return false }
            omitted.formUnion(features)
            return true
        }
        return rest.flatMap(\.self).map { (TileBody.packed($0), omitted) }
    }
}

extension Regions {
    /// Returns a predicate that is true for the stored layers of a source: those needed by the features of
    /// any region with this source.
    func storedLayers(of origin: TileOrigin) throws(RegionStoreFailure) -> (String) -> Bool {
        let holders = try store.regions().filter { region in
            region.active.contains { $0.origin.isSameSource(as: origin) }
        }
        let wanted = Set(holders.flatMap { $0.definition?.features ?? [] })
        return { name in
            let features = Feature.features(ofVectorLayer: name).map(\.name)
            return features.isEmpty || !wanted.isDisjoint(with: features)
        }
    }

    /// Returns the selection for a region's source.
    func selection(
        _ record: RegionRecord, _ source: RegionSource, among regions: [RegionRecord]
    ) -> LayerFilter {
        selection(record, source.origin, isOfVectorTiles: source.layer.tileBodyKind == .vectorTile, regions)
    }

    /// Returns the selection for a stored part.
    func selection(
        _ record: RegionRecord, _ part: RegionSourceRecord
    ) throws(RegionStoreFailure) -> LayerFilter {
        selection(
            record, part.origin, isOfVectorTiles: part.definition?.holdsVectorTiles ?? false,
            try store.regions())
    }

    private func selection(
        _ record: RegionRecord, _ origin: TileOrigin, isOfVectorTiles: Bool, _ regions: [RegionRecord]
    ) -> LayerFilter {
        let others = regions.filter { $0.number != record.number }.flatMap { other in
            other.covers(other.parts + other.coming).filter { $0.origin.isSameSource(as: origin) }.map {
                LayerFilter.Holder(features: Set(other.definition?.features ?? []), cover: $0.cover)
            }
        }
        return LayerFilter(
            features: Set(record.definition?.features ?? []), others: others, isOfVectorTiles: isOfVectorTiles
        )
    }
}
