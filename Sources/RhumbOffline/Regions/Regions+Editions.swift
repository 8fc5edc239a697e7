internal import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// Refreshing regions, including to new editions of their sources.
extension Regions {
    /// Returns the region prepared for a refresh: restarted, or with new editions of its sources staged.
    func refreshed(
        _ record: RegionRecord, _ sources: [RegionSource], _ documents: [RegionDocument]?,
        olderThan: UnixSeconds?
    ) throws(RegionStoreFailure) -> RegionRecord {
        let documents =
            if let documents { documents } else {
                try store.documents(of: record.number, isComing: !record.coming.isEmpty)
            }
        if record.coming.map(\.origin) == sources.map(\.origin) {
            return try stage(record, sources, documents, keeps: true)
        }
        if record.hasOlderEditions(than: sources) { return try stage(record, sources, documents) }
        try store.stage(record, [], packs: [], documents: documents, at: clock.date())
        return try store.restart(try store.region(record.id), refresh: olderThan ?? Regions.everAfter)
    }

    /// Stages new editions of a region's sources beside the stored ones.
    /// - Parameter keeps: True to preserve the progress of editions that are already staged.
    func stage(
        _ record: RegionRecord, _ sources: [RegionSource], _ documents: [RegionDocument], keeps: Bool = false
    ) throws(RegionStoreFailure) -> RegionRecord {
        let definition = try record.readDefinition()
        try store.stage(
            record, keeps ? record.coming : sources.map { $0.part(of: definition) },
            packs: sources.map { ($0.origin, $0.packs(definition).packs()) }, documents: documents,
            at: clock.date())
        return try store.region(record.id)
    }

    /// Restarts a part for a newer edition of its source, beside the stored tiles.
    func supersede(
        _ record: RegionRecord, _ at: Int, by next: RegionSuccessor
    ) throws(RegionStoreFailure) -> RegionRecord {
        var parts = record.active
        parts[at] = RegionSourceRecord(next.supply.origin, parts[at].definition, planned: parts[at].planned)
        let kept = try store.documents(of: record.number, isComing: !record.coming.isEmpty)
        let others = kept.filter { old in !next.documents.contains { $0.address == old.address } }
        try store.stage(record, parts, packs: [], documents: others + next.documents, at: clock.date())
        return try store.region(record.id)
    }

    /// Replaces the stored edition with the staged one if that is complete. Does nothing if no edition is
    /// staged.
    /// - Throws: `RegionStoreFailure`; `.busy` while this or another process is downloading the region.
    public func takeOver(_ record: RegionRecord) throws(RegionStoreFailure) {
        guard !record.coming.isEmpty, record.active.allSatisfy({ $0.failed == 0 && $0.settled == $0.planned })
        else { return }
        try store.claim(record, at: clock.date())
        defer { try? store.release(record.number) }
        let committed = try commitComing(try store.region(record.id))
        try store.setState(.complete, of: committed.number, at: clock.date())
    }

    /// Replaces the stored editions with the staged ones, and removes tiles that no region uses any more.
    /// - Throws: `RegionStoreFailure`
    func commitComing(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRecord {
        var held = try covers(except: record)
        held[record.number] = record.covers(record.active)
        return try store.commitComing(record, isHeld: Regions.claim(held))
    }
}
