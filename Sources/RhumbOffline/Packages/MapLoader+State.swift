internal import RhumbCore
internal import RhumbEngine
public import RhumbStore

/// The state of the installed packages at the start of a program.
public enum PackageStoreState: String, Sendable, CaseIterable {
    case ok
    /// A download is unfinished or an update is not yet active; `MapLoader.resume` continues it.
    case pendingUpdate
    /// A download failed or ended with missing tiles. Data stored earlier is still shown.
    case brokenUpdate
    /// The store is damaged, or a package is unreadable or lacks documents.
    case corrupted
    /// The store was written by a newer version of the program.
    case migrationNeeded
    /// The store is unavailable.
    case storageClosed

    /// The remedies, mildest first. If one doesn't help, the next may.
    public enum Remedy: String, Sendable, CaseIterable { case repair, update, clear }

    /// The remedy to try first; nil if there is nothing to do, or the loader can't help.
    public var remedy: Remedy? {
        switch self {
        case .pendingUpdate, .brokenUpdate: .update
        case .corrupted: .repair
        case .ok, .migrationNeeded, .storageClosed: nil
        }
    }

    /// Creates the state for a store that can't be opened or read.
    public init(_ failure: RegionStoreFailure) {
        self =
            switch failure {
            case .damaged, .unreadable: .corrupted
            case .newerSchema: .migrationNeeded
            case .switchedOff, .noPlace, .noRegion, .quota, .busy, .lost, .refused, .store: .storageClosed
            }
    }
}

/// Detects interrupted and damaged installations, and repairs them on request.
extension MapLoader {
    /// Returns the state of the installed packages. Unlike `repair`, doesn't check tiles.
    public func state() -> PackageStoreState {
        do throws(RegionStoreFailure) {
            let records = try regions.store.regions().filter { isOwn($0) }
            for record in records {
                if try isDamaged(record) { return .corrupted }
            }
            if records.contains(where: \.isBroken) { return .brokenUpdate }
            return records.contains(where: \.isPending) ? .pendingUpdate : .ok
        } catch {
            return PackageStoreState(error)
        }
    }

    private func isDamaged(_ record: RegionRecord) throws(RegionStoreFailure) -> Bool {
        guard record.definition != nil, record.parts.allSatisfy({ $0.definition != nil }) else { return true }
        return try !regions.store.missingDocuments(of: record.number).isEmpty
    }

    /// Resumes interrupted installations and updates.
    /// - Throws: `MapLoaderBusy`
    public func resume() throws(MapLoaderBusy) -> PackageJob {
        try begin(.resume) { (job) throws(MapLoaderFailure) in
            let loaded = try await self.catalog(isReload: true), installed = try await self.installed(loaded)
            let left = installed.filter { $0.value.record.isPending || $0.value.record.isBroken }
            let updates = left.filter { $0.value.isWhole || $0.value.isTogether }
            let commit: UpdateOptions.Commit =
                updates.contains { $0.value.isTogether } ? .allAtEnd : .eachPackage
            let updated = try await self.update(Set(updates.keys), loaded, commit, job)
            let others = loaded.catalog.packages.filter { left[$0.id] != nil && updates[$0.id] == nil }
            return updated
                + (try await self.go(through: others, job) { (package) throws(MapLoaderFailure) in
                    try await self.install(package, loaded, job)
                })
        }
    }

    /// Checks every installed tile, and fetches those that are missing or damaged.
    /// - Throws: `MapLoaderBusy`
    public func repair() throws(MapLoaderBusy) -> PackageJob {
        try begin(.repair) { (job) throws(MapLoaderFailure) in
            let loaded = try await self.catalog(), installed = try await self.installed(loaded)
            var damaged: [CatalogPackage] = []
            for package in loaded.catalog.packages {
                guard let record = installed[package.id]?.record else { continue }
                if job.isCancelled { throw .cancelled }
                let isDamaged = try MapLoader.storing { () throws(RegionStoreFailure) in
                    try self.prepareRepair(of: record)
                }
                if isDamaged { damaged.append(package) }
            }
            return try await self.go(through: damaged, job) { (package) throws(MapLoaderFailure) in
                try await self.install(package, loaded, job)
            }
        }
    }

    private nonisolated func prepareRepair(of record: RegionRecord) throws(RegionStoreFailure) -> Bool {
        guard record.definition != nil else { return true }
        let check = try regions.check(record)
        guard !check.isWhole else { return false }
        _ = try regions.prepareRepair(of: record, check)
        return true
    }

    /// Removes all packages, including unreadable ones, and the tiles that no other region uses.
    /// - Throws: `MapLoaderBusy`
    public func clear() throws(MapLoaderBusy) -> PackageJob {
        try begin(.clear) { (_) throws(MapLoaderFailure) in
            let records = try await self.ownRecords()
            return try MapLoader.storing { () throws(RegionStoreFailure) in
                for record in records { _ = try self.regions.remove(record) }
                return records.map(\.id)
            }
        }
    }

    private func ownRecords() throws(MapLoaderFailure) -> [RegionRecord] {
        try MapLoader.storing { () throws(RegionStoreFailure) in
            try regions.store.regions().filter { isOwn($0) }
        }
    }
}

extension RegionRecord {
    /// True if the package is not completely installed, or its update is unfinished.
    var isPending: Bool { isStarted || pendingUpdate != nil || parts.isEmpty }

    /// True if a download is unfinished.
    var isStarted: Bool { !coming.isEmpty || refresh != nil || active.contains { $0.settled < $0.planned } }

    /// True for a package whose pending update is activated together with those of others, false if it is
    /// activated by itself; nil if no update is pending.
    var pendingUpdate: Bool? { definition?.metadata["package"]?[RegionRecord.pendingUpdate]?.bool }

    /// The member of a package's metadata that marks a pending update.
    static let pendingUpdate = "together"

    /// True if the download failed or ended with missing tiles.
    var isBroken: Bool { state == .failed || active.contains { $0.failed > 0 } }
}
