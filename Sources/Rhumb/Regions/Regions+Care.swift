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
    /// The first of those that are no pictures, of those that were looked into.
    public internal(set) var damaged: [ResourceKey] = []
    /// What else keeps the region from being shown: sentences.
    public internal(set) var faults: [String] = []

    /// Whether all of it can be shown without a network.
    public var isWhole: Bool { missingCount == 0 && damaged.isEmpty && faults.isEmpty }
}

extension Regions {
    private static let listed = 20

    /// Looks at every tile of a region.
    /// - Parameter decoder: given, every picture is decoded; without, it only must be there.
    /// - Throws: `RegionStoreFailure`
    public func check(
        _ record: RegionRecord, decoder: (any ImageDecoder)? = nil
    ) throws(RegionStoreFailure) -> RegionCheck {
        var check = RegionCheck()
        check.faults = try store.integrityFaults()
        if record.covers.count < record.parts.count || record.parts.isEmpty {
            check.faults.append("the definition of a source is missing: update the region with --source")
        }
        for (origin, cover) in record.covers {
            for tile in cover.tiles() { look(at: .tile(origin: origin, tile), tile, decoder, &check) }
        }
        return check
    }

    private func look(at key: ResourceKey, _ tile: TileID, _ decoder: (any ImageDecoder)?, _ check: inout RegionCheck) {
        check.tiles += 1
        guard let decoder else {
            return note(store.has(key), tile, &check)
        }
        guard let response = store.response(for: key) else { return note(false, tile, &check) }
        if response.state(at: .now) != .fresh { check.stale += 1 }
        guard let body = response.body else {
            check.absent += 1
            return note(true, tile, &check)
        }
        note(true, tile, &check)
        if (try? decoder.decode(body, limits: .tile)) == nil { check.damaged.append(key) }
    }

    private func note(_ isThere: Bool, _ tile: TileID, _ check: inout RegionCheck) {
        if isThere {
            check.present += 1
        } else {
            check.missingCount += 1
            if check.missing.count < Regions.listed { check.missing.append(tile) }
        }
    }

    /// Has what is damaged or missing fetched again: the damaged is forgotten, and the work begins
    /// at the beginning.
    /// - Throws: `RegionStoreFailure`
    public func prepareRepair(of record: RegionRecord, _ check: RegionCheck) throws(RegionStoreFailure) -> RegionRecord {
        try store.forget(check.damaged)
        for part in record.parts { try store.restart(RegionPart(origin: part.origin, planned: part.planned), of: record.number) }
        return try store.region(record.id)
    }

    // MARK: Archives

    /// Writes a region's tiles of one source into an archive, each body once.
    /// - Throws: `ExportFailure`, `RegionExportFailure`
    public func export(
        _ record: RegionRecord, to path: String, isReplacing: Bool = false
    ) throws -> ExportSummary {
        guard let definition = record.sortedDefinitions.first, let (origin, cover) = record.covers.first else {
            throw RegionExportFailure.noDefinition(record.id)
        }
        guard definition.policy.archives else {
            throw RegionExportFailure.denied(definition.name, definition.policy.policyURL)
        }
        guard let format = ArchiveFormat(path: path) else { throw RegionExportFailure.format(path) }
        var label = ExportLabel(name: record.definition["name"]?.string ?? record.id)
        label.attribution = definition.attribution
        label.isOverlay = definition.isOverlay
        let writer = try format.writer(to: path, label: label, isReplacing: isReplacing)
        for tile in ordered(cover, format) {
            if let body = store.response(for: .tile(origin: origin, tile))?.body { try writer.add(tile, body) }
        }
        return try writer.finish()
    }

    private func ordered(_ cover: RegionCover, _ format: ArchiveFormat) -> AnyIterator<TileID> {
        guard format.needsOrder else { return AnyIterator(cover.tiles()) }
        return AnyIterator(cover.tiles().sorted { $0.pmtilesID < $1.pmtilesID }.makeIterator())
    }

    /// Takes the tiles of an archive into a region that was made for them.
    /// - Returns: how many.
    /// - Throws: `RegionStoreFailure`, `TileFailure`
    public func fill(
        _ record: RegionRecord, from archive: any TileArchive, at now: UnixSeconds
    ) throws -> Int {
        guard let (origin, cover) = record.covers.first, var part = record.parts.first else {
            throw RegionExportFailure.noDefinition(record.id)
        }
        try store.claim(record, at: now)
        defer { try? store.release(record.number) }
        part = RegionPart(origin: origin, planned: part.planned)
        var batch: [(tile: TileID, outcome: TileOutcome)] = [], taken = 0
        for tile in cover.tiles() {
            guard archive.hasTile(tile), case .bitmap(.encoded(let body))? = try archive.tile(tile) else { continue }
            // Whether it still holds is not known: it is asked about when it is next renewed.
            let freshness = Freshness(receivedAt: now, initialAge: 0, lifetime: 0)
            batch.append((tile, .fetched(StoredResponse(body: body, freshness: freshness))))
            part.done += 1
            part.bytes += body.count
            taken += 1
            if batch.count == 500 {
                try store.commit(RegionBatch(region: record.number, part: part, outcomes: batch), at: now)
                batch = []
            }
        }
        part.absent = part.planned - part.done
        try store.commit(RegionBatch(region: record.number, part: part, outcomes: batch), at: now)
        try store.setState(.complete, of: record.number, reason: "imported", at: now)
        return taken
    }
}

/// Why a region can't be written into an archive.
public enum RegionExportFailure: Error, Sendable, Equatable, CustomStringConvertible {
    case denied(String, String?)
    case format(String)
    case noDefinition(String)

    public var description: String {
        switch self {
        case .denied(let name, let url):
            "the policy of \(SafeText.sanitised(name)) does not allow archives to be made of it"
                + (url.map { " (\(SafeText.sanitised($0)))" } ?? "") + ": the region stays usable in Rhumb"
        case .format(let path): "\(SafeText.sanitised(path)): name a file that ends in .mbtiles or .pmtiles"
        case .noDefinition(let id): "the definition of region \(SafeText.sanitised(id)) can't be read: make it anew"
        }
    }
}
