internal import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// Regions brought up to date, also to other editions of their sources.
extension Regions {
    /// Begins to bring a region up to date: every tile is asked about. Where its sources have other
    /// editions by now, these come beside what is stored, and take its place when all is there.
    /// - Parameters:
    ///   - sources: opened with documents that a server was asked about.
    ///   - documents: those its map is made of by now.
    /// - Throws: `RegionStoreFailure`
    public func update(
        _ record: RegionRecord, _ sources: [RegionSource], documents: [RegionDocument], _ pass: RegionPass
    ) throws(RegionStoreFailure) -> RegionTask {
        try store.claim(record, at: clock.date())
        do throws(RegionStoreFailure) {
            let ready = try prepared(record, sources, documents, pass)
            var pass = pass
            if !ready.coming.isEmpty { pass.kind = .download }
            return try follow(ready, sources, pass)
        } catch {
            try? store.release(record.number)
            throw error
        }
    }

    private func prepared(
        _ record: RegionRecord, _ sources: [RegionSource], _ documents: [RegionDocument], _ pass: RegionPass
    ) throws(RegionStoreFailure) -> RegionRecord {
        if record.coming.map(\.origin) == sources.map(\.origin) { return try stage(record, sources, documents, keeps: true) }
        if record.hasOlderEditions(than: sources) { return try stage(record, sources, documents) }
        try store.stage(record, [], packs: [], documents: documents, at: clock.date())
        return try store.restart(try store.region(record.id), refresh: pass.olderThan ?? Regions.everAfter)
    }

    /// - Parameter keeps: what is under way goes on from where it was.
    func stage(
        _ record: RegionRecord, _ sources: [RegionSource], _ documents: [RegionDocument], keeps: Bool = false
    ) throws(RegionStoreFailure) -> RegionRecord {
        let definition = try record.readDefinition()
        try store.stage(
            record, keeps ? record.coming : sources.map { $0.part(of: definition) },
            packs: sources.map { ($0.origin, $0.packs(definition).packs()) }, documents: documents, at: clock.date())
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

    /// The editions that were under way take the place of those that were shown before; what no
    /// region wants any more is removed.
    /// - Throws: `RegionStoreFailure`
    func commitComing(_ record: RegionRecord) throws(RegionStoreFailure) -> RegionRecord {
        var held = try covers(except: record)
        held[record.number] = record.covers(record.active)
        return try store.commitComing(record, isHeld: Regions.claim(held))
    }
}
