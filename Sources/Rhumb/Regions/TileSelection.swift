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
        guard let plain = isPacked ? try? Gzip.unpacked(body, limit: VectorTile.sizeLimit) : body else { return nil }
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
    /// What of a source's tiles a region stores.
    func selection(
        _ record: RegionRecord, _ source: RegionSource, among regions: [RegionRecord]
    ) -> TileSelection {
        let others = regions.filter { $0.number != record.number }.flatMap { other in
            other.covers(other.parts + other.coming).filter { $0.origin.key == source.origin.key }.map {
                TileSelection.Holder(features: Set(other.definition?.features ?? []), cover: $0.cover)
            }
        }
        return TileSelection(
            features: Set(record.definition?.features ?? []), others: others,
            isOfVectorTiles: source.layer.tileBodyKind == .vectorTile)
    }
}
