public import RhumbCore
public import RhumbStore

/// What a look at every tile of a region found.
public struct RegionCheck: Sendable, Equatable {
    public internal(set) var tiles = 0
    public internal(set) var present = 0
    public internal(set) var absent = 0
    public internal(set) var stale = 0
    /// The first of those that are not there.
    public internal(set) var missing: [TileID] = []
    public internal(set) var missingCount = 0
    /// Those whose bodies can't be drawn, of those that were looked into.
    public internal(set) var damaged: [ResourceKey] = []
    /// What else keeps the region from being shown: sentences.
    public internal(set) var faults: [String] = []

    /// Whether all of it can be shown without a network.
    public var isWhole: Bool { missingCount == 0 && damaged.isEmpty && faults.isEmpty }
}

extension Regions {
    private static let listed = 20

    /// Looks at every tile of a region.
    /// - Parameter decoder: given, every body is decoded as what it is, a picture or a vector tile;
    ///   without, it only must be there.
    /// - Throws: `RegionStoreFailure`
    public func check(
        _ record: RegionRecord, decoder: (any ImageDecoder)? = nil
    ) throws(RegionStoreFailure) -> RegionCheck {
        var check = RegionCheck()
        check.faults = try store.integrityFaults()
        if record.covers.count < record.parts.count || record.parts.isEmpty {
            check.faults.append("the definition of a source is missing: make the region anew with --source")
        }
        check.faults += try store.missingDocuments(of: record.number).map {
            "\(SafeText.sanitised($0)) is missing: make the region anew with a network"
        }
        for (part, source) in zip(record.covers, record.parts.compactMap(\.definition)) {
            let isSound: (([UInt8]) -> Bool)? = decoder.map { decoder in
                source.holdsVectorTiles ? Regions.isVectorTile : { (try? decoder.decode($0, limits: .tile)) != nil }
            }
            for tile in part.cover.tiles() { look(at: .tile(origin: part.origin, tile), tile, isSound, &check) }
        }
        return check
    }

    private func look(at key: ResourceKey, _ tile: TileID, _ isSound: (([UInt8]) -> Bool)?, _ check: inout RegionCheck) {
        check.tiles += 1
        guard let isSound else {
            return note(store.has(key), tile, &check)
        }
        guard let response = store.response(for: key) else { return note(false, tile, &check) }
        if response.state(at: .now) != .fresh { check.stale += 1 }
        guard let body = response.body else {
            check.absent += 1
            return note(true, tile, &check)
        }
        note(true, tile, &check)
        if !isSound(body) { check.damaged.append(key) }
    }

    /// Whether every layer of a vector tile, packed or not, decodes.
    private static func isVectorTile(_ body: [UInt8]) -> Bool {
        guard let bytes = Gzip.isWrapped(body) ? try? Gzip.unpacked(body) : body, let tile = try? VectorTile(bytes)
        else { return false }
        return tile.layerNames.allSatisfy { (try? tile.layer(named: $0)) != nil }
    }

    private func note(_ isThere: Bool, _ tile: TileID, _ check: inout RegionCheck) {
        if isThere {
            check.present += 1
        } else {
            check.missingCount += 1
            if check.missing.count < Regions.listed { check.missing.append(tile) }
        }
    }

    /// Has what is damaged or missing fetched again: the work begins at the beginning. What is
    /// damaged stays until what replaces it is stored.
    /// - Throws: `RegionStoreFailure`
    public func prepareRepair(of record: RegionRecord, _ check: RegionCheck) throws(RegionStoreFailure) -> RegionRecord {
        try store.claim(record, at: .now)
        defer { try? store.release(record.number) }
        try store.invalidate(check.damaged)
        return try store.restart(record)
    }
}
