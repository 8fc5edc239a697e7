internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Which layers of its vector tiles a region stores: those of the features it contains, and those that
/// other regions want which hold the same tile.
struct TileSelection: Sendable {
    struct Holder: Sendable {
        let features: Set<String>
        let cover: RegionCover
    }

    let features: Set<String>
    let others: [Holder]
    let isOfVectorTiles: Bool

    /// Whether nothing is missing of an answer that the region wants.
    func suffices(_ response: StoredResponse) -> Bool { response.omits.isDisjoint(with: features) }

    /// An answer without what no region wants of it; nil where it has nothing of that kind.
    func selected(_ response: StoredResponse, _ tile: TileID) -> StoredResponse? {
        guard isOfVectorTiles, let body = response.body else { return nil }
        let wanted = others.filter { $0.cover.contains(tile) }.reduce(features) { $0.union($1.features) }
        var selected = response
        guard let (kept, omitted) = TileSelection.select(body, wanted) else { return nil }
        selected.body = kept
        selected.omits.formUnion(omitted)
        return selected
    }

    /// Packed as it was; nil also for what is no vector tile, which others judge.
    private static func select(_ body: [UInt8], _ wanted: Set<String>) -> ([UInt8], omitted: Set<String>)? {
        let isPacked = Gzip.isWrapped(body)
        guard let plain = isPacked ? try? Gzip.unpacked(body, limit: VectorTile.sizeLimit) : body else {
            return nil
        }
        var omitted: Set<String> = []
        let kept = try? VectorTile.bytes(plain) { name in
            let features = Set(Feature.features(ofVectorLayer: name).map(\.name))
            guard !features.isEmpty, features.isDisjoint(with: wanted) else { return false }
            omitted.formUnion(features)
            return true
        }
        return kept.flatMap(\.self).map { (isPacked ? Gzip.packed($0) : $0, omitted) }
    }
}

extension Regions {
    /// Which layers of a source's tiles are stored: of features that any region has which holds some.
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

    /// What of a source's tiles a region stores.
    func selection(
        _ record: RegionRecord, _ source: RegionSource, among regions: [RegionRecord]
    ) -> TileSelection {
        selection(record, source.origin, isOfVectorTiles: source.layer.tileBodyKind == .vectorTile, regions)
    }

    /// The same of a part that is stored.
    func selection(_ record: RegionRecord, _ part: RegionPart) throws(RegionStoreFailure) -> TileSelection {
        selection(
            record, part.origin, isOfVectorTiles: part.definition?.holdsVectorTiles ?? false,
            try store.regions())
    }

    private func selection(
        _ record: RegionRecord, _ origin: TileOrigin, isOfVectorTiles: Bool, _ regions: [RegionRecord]
    ) -> TileSelection {
        let others = regions.filter { $0.number != record.number }.flatMap { other in
            other.covers(other.parts + other.coming).filter { $0.origin.isSameSource(as: origin) }.map {
                TileSelection.Holder(features: Set(other.definition?.features ?? []), cover: $0.cover)
            }
        }
        return TileSelection(
            features: Set(record.definition?.features ?? []), others: others, isOfVectorTiles: isOfVectorTiles
        )
    }
}
