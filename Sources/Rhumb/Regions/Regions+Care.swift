public import RhumbCore
public import RhumbStore

/// What a look at every tile of a region found.
public struct RegionCheck: Sendable, Equatable {
    public internal(set) var tiles = 0
    /// With a body.
    public internal(set) var present = 0
    /// Known not to exist.
    public internal(set) var absent = 0
    public internal(set) var stale = 0
    /// The first of those that are not there.
    public internal(set) var missing: [TileID] = []
    public internal(set) var missingCount = 0
    /// Stored without layers that the region wants: of another region, or before it was reconfigured.
    public internal(set) var incomplete = 0
    /// Those that can't be shown.
    public internal(set) var damaged: [ResourceKey] = []
    /// What else keeps the region from being shown: sentences.
    public internal(set) var faults: [String] = []

    /// Whether all of it can be shown without a network.
    public var isWhole: Bool { missingCount == 0 && incomplete == 0 && damaged.isEmpty && faults.isEmpty }
    /// Whether its sources have nothing where it is.
    public var isEmpty: Bool { isWhole && present == 0 }
}

extension Regions {
    private static let listed = 20

    /// Looks at every tile of a region.
    /// - Parameter depth: how closely.
    /// - Throws: `RegionStoreFailure`
    public func check(
        _ record: RegionRecord, depth: TileBodyJudge.Depth = .structure
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
            let judge = TileBodyJudge(source.tileBodyKind, depth: depth)
            let features = Set(record.definition?.features ?? [])
            for tile in part.cover.tiles() {
                let response = look(at: .tile(origin: part.origin, tile), tile, judge, &check)
                if let response, !response.omits.isDisjoint(with: features) { check.incomplete += 1 }
            }
        }
        return check
    }

    private func look(
        at key: ResourceKey, _ tile: TileID, _ judge: TileBodyJudge, _ check: inout RegionCheck
    ) -> StoredResponse? {
        check.tiles += 1
        guard let response = store.response(for: key) else {
            check.missingCount += 1
            if check.missing.count < Regions.listed { check.missing.append(tile) }
            return nil
        }
        if response.state(at: .now) != .fresh { check.stale += 1 }
        guard let body = response.body else {
            check.absent += 1
            return response
        }
        check.present += 1
        if judge.fault(in: body) != nil { check.damaged.append(key) }
        return response
    }

    /// A region that was settled, begun anew where tiles can't be shown, which are then fetched again.
    func sound(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRecord {
        guard [.complete, .completeWithGaps].contains(record.state) else { return record }
        let check = try check(record)
        return check.damaged.isEmpty && check.incomplete == 0 ? record : try prepareRepair(of: record, check)
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
