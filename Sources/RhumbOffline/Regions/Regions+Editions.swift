internal import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// Regions brought up to date, also to other editions of their sources.
extension Regions {
    /// A region about to be brought up to date: begun anew, or with other editions of its sources coming.
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

    /// - Parameter keeps: what is under way goes on from where it was.
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

    /// A source has another edition by now: its part begins anew, beside what is stored.
    func supersede(
        _ record: RegionRecord, _ at: Int, by next: RegionSuccessor
    ) throws(RegionStoreFailure) -> RegionRecord {
        var parts = record.active
        parts[at] = RegionPart(next.supply.origin, parts[at].definition, planned: parts[at].planned)
        let kept = try store.documents(of: record.number, isComing: !record.coming.isEmpty)
        let others = kept.filter { old in !next.documents.contains { $0.address == old.address } }
        try store.stage(record, parts, packs: [], documents: others + next.documents, at: clock.date())
        return try store.region(record.id)
    }

    /// Another edition of which all is there takes the place of the one that is shown; nothing where
    /// there is none.
    /// - Throws: `RegionStoreFailure`; `.busy` while this or another process works on it.
    public func takeOver(_ record: RegionRecord) throws(RegionStoreFailure) {
        guard !record.coming.isEmpty, record.active.allSatisfy({ $0.failed == 0 && $0.settled == $0.planned })
        else { return }
        try store.claim(record, at: clock.date())
        defer { try? store.release(record.number) }
        let committed = try commitComing(try store.region(record.id))
        try store.setState(.complete, of: committed.number, at: clock.date())
    }

    /// The editions that were under way take the place of those that were shown before; what no
    /// region wants any more is removed.
    /// - Throws: `RegionStoreFailure`
    func commitComing(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRecord {
        var held = try covers(except: record)
        held[record.number] = record.covers(record.active)
        return try store.commitComing(record, isHeld: Regions.claim(held))
    }
}
