public import RhumbCore
public import RhumbEngine
public import RhumbStore

/// The result of recovering a damaged region store.
public struct StoreRecovery: Sendable, Equatable {
    /// The new path of the damaged file.
    public let aside: String
    /// The ids of the recovered regions.
    public internal(set) var regions: [String] = []
    /// The number of recovered tiles, including those known not to exist.
    public internal(set) var tiles = 0
    /// The number of unreadable tiles of these regions, which are fetched when the regions are resumed.
    public internal(set) var lost = 0

    /// Renames a damaged store, and creates a new one with all readable content. Reads each tile of each
    /// region individually. The recovered regions are queued.
    /// - Throws: `RegionStoreFailure`. The damaged file has its new name even then.
    public static func run(
        _ path: String, at now: UnixSeconds = .now
    ) throws(RegionStoreFailure) -> StoreRecovery {
        let remains = try QuarantinedStore(settingAside: path, at: now)
        let store = try RegionStore(path)
        var salvage = StoreRecovery(aside: remains.path)
        for record in remains.regions { try salvage.save(record, from: remains, to: store, at: now) }
        return salvage
    }

    private mutating func save(
        _ old: RegionRecord, from remains: QuarantinedStore, to store: RegionStore, at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        guard let definition = old.definition, !old.covers.isEmpty else { return }
        let packs = old.parts.compactMap { part in
            part.definition.map { source in
                (
                    part.origin,
                    definition.packs(
                        of: part.origin.key, available: source.info.regionZooms, bounds: source.bounds
                    ).packs() as any Sequence<TilePack>
                )
            }
        }
        let new = try store.put(
            definition, parts: old.parts.map(\.restarted), packs: packs,
            documents: remains.documents(of: old.number), at: now)
        for (part, held) in zip(new.parts, old.covers) {
            try copy(part, held.cover, new.number, from: remains, to: store, at: now)
        }
        regions.append(old.id)
    }

    /// Copies the tiles without counting them. They are counted when the region is resumed.
    private mutating func copy(
        _ part: RegionSourceRecord, _ cover: RegionTileSet, _ region: Int, from remains: QuarantinedStore,
        to store: RegionStore,
        at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        var outcomes: [(tile: TileID, outcome: TileOutcome)] = []
        for tile in cover.tiles() {
            guard let response = remains.response(for: .tile(origin: part.origin, tile)) else {
                lost += 1
                continue
            }
            tiles += 1
            outcomes.append((tile, .fetched(response)))
            guard outcomes.count >= 500 else { continue }
            try store.commit(RegionBatch(region: region, part: part, outcomes: outcomes), at: now)
            outcomes = []
        }
        try store.commit(RegionBatch(region: region, part: part, outcomes: outcomes), at: now)
    }
}
