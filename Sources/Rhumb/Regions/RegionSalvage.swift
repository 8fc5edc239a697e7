public import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// What could be saved of a damaged region store.
public struct RegionSalvage: Sendable, Equatable {
    /// Where the damaged file lies now.
    public let aside: String
    /// The ids of the regions that are there again.
    public internal(set) var regions: [String] = []
    /// Tiles that are there again, those known not to exist included.
    public internal(set) var tiles = 0
    /// Tiles of these regions that can't be read; the next resumption fetches them.
    public internal(set) var lost = 0

    /// Sets a damaged store aside and makes a new one in its place, with all that can be read: each
    /// tile of each region is looked for by itself. The regions are then queued.
    /// - Throws: `RegionStoreFailure`; the damaged file is then under its new name.
    public static func run(_ path: String, at now: UnixSeconds = .now) throws(RegionStoreFailure) -> RegionSalvage {
        let remains = try RegionRemains(settingAside: path, at: now)
        let store = try RegionStore(path)
        var salvage = RegionSalvage(aside: remains.path)
        for record in remains.regions { try salvage.save(record, from: remains, to: store, at: now) }
        return salvage
    }

    private mutating func save(
        _ old: RegionRecord, from remains: RegionRemains, to store: RegionStore, at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        guard let definition = try? RegionDefinition(json: old.definition), !old.covers.isEmpty else { return }
        let sources = old.sortedDefinitions
        let packs = zip(old.parts, sources).map { part, source in
            (part.origin, definition.packs(available: source.info.regionZooms, bounds: source.bounds).packs() as any Sequence<TilePack>)
        }
        let documents = remains.documents(of: old.number).compactMap { key in
            remains.response(for: .document(key)).map { (key, $0) }
        }
        let new = try store.put(
            old.id, definition: old.definition, sources: old.sources,
            parts: old.covers.map { RegionPart(origin: $0.origin, planned: $0.cover.counts().total) },
            packs: packs, documents: documents, at: now)
        for (origin, cover) in old.covers { try copy(origin, cover, new.number, from: remains, to: store, at: now) }
        regions.append(old.id)
    }

    /// Copies the tiles without counting them: whoever takes the region up finds them there.
    private mutating func copy(
        _ origin: String, _ cover: RegionCover, _ region: Int, from remains: RegionRemains, to store: RegionStore,
        at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        let part = RegionPart(origin: origin, planned: cover.counts().total)
        var outcomes: [(tile: TileID, outcome: TileOutcome)] = []
        for tile in cover.tiles() {
            guard let response = remains.response(for: .tile(origin: origin, tile)) else {
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
