public import RhumbCore
public import RhumbEngine
public import RhumbStore

/// The result of recovering a damaged region store.
public struct StoreRecovery: Sendable, Equatable {
    /// The new path of the damaged file.
    public let aside: String
    /// The ids of the recovered regions.
    public internal(set) var regions: [String] = []
    /// The ids of the regions without a readable definition. Their tiles stay stored.
    public internal(set) var unreadable: [String] = []
    /// The number of recovered tiles, including those known not to exist.
    public internal(set) var tiles = 0
    /// The number of unreadable tiles of the recovered regions by id. They are fetched when the region is
    /// resumed.
    public internal(set) var lostTiles: [String: Int] = [:]
    /// Sentences about the parts of the file that can't be read.
    public internal(set) var faults: [String] = []

    /// The number of unreadable tiles of all recovered regions.
    public var lost: Int { lostTiles.values.reduce(0, +) }

    /// Replaces a damaged store by one with all readable content, and renames the damaged file. Regions that
    /// lack tiles are queued.
    /// - Throws: `RegionStoreFailure`
    public static func run(
        _ path: String, at now: UnixSeconds = .now
    ) throws(RegionStoreFailure) -> StoreRecovery {
        let (aside, faults) = try RegionStore.recover(path, at: now)
        let store = try RegionStore(path)
        var recovery = StoreRecovery(aside: aside)
        recovery.faults = faults
        for record in try store.regions() { try recovery.complete(record, in: store, at: now) }
        return recovery
    }

    private mutating func complete(
        _ record: RegionRecord, in store: RegionStore, at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        guard let definition = record.definition else { return unreadable.append(record.id) }
        regions.append(record.id)
        let packs = record.parts.compactMap { part in
            part.definition.map { source in
                (
                    part.origin,
                    definition.packs(
                        of: part.origin.key, available: source.info.regionZooms, bounds: source.bounds
                    ).packs() as any Sequence<TilePack>
                )
            }
        }
        var lost = 0
        for (origin, cover) in record.covers {
            for tile in cover.tiles() {
                let response = store.response(for: .tile(origin: origin, tile))
                if response?.isInvalidated == false { tiles += 1 } else { lost += 1 }
            }
        }
        try store.complete(record.number, with: packs)
        // An unfinished region never had all of its tiles, and a queued package has no sources yet.
        let isFinished = [.complete, .completeWithGaps].contains(record.state)
        guard packs.count == record.parts.count, !isFinished || !packs.isEmpty else {
            faults.append("\(record.id): its sources can't be read")
            return store.fail(record.number, reason: "its sources can't be read", at: now)
        }
        if isFinished, lost > record.failed { lostTiles[record.id] = lost - record.failed }
        guard !isFinished || lost > record.failed || !record.coming.isEmpty else { return }
        _ = try store.restart(record)
        try store.setState(.queued, of: record.number, at: now)
    }
}
