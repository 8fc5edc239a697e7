internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb update …`: checks and updates packages and regions, and the cached sources if no packages are
/// installed.
struct UpdateCommand {
    private let invocation: Invocation
    private let catalogs: PackageCatalogs
    /// The regions to update.
    private let regions: [StaleRegion]
    /// True if the store has regions that are not packages.
    private let hasRegions: Bool

    /// - Parameter includesRegions: False to update packages only.
    static func run(
        _ verb: UpdateVerb, _ invocation: Invocation, includesRegions: Bool = true
    ) async throws -> Int32 {
        if verb == .schedule {
            try Output.print(UpdateSchedule(limit: invocation[.maxBytes]).text)
            return ExitStatus.done
        }
        if verb == .apply, let reason = invocation.reasonToWait { return try invocation.postpone(reason) }
        var regions: [StaleRegion] = []
        let status = try await invocation.withSession(asksFirst: false) { session in
            let stored = try session.regions(), records = try stored.records()
            let isNothingInstalled = records.allSatisfy { $0.package == nil }
            let stale = includesRegions ? try stored.store.staleRegions(among: records, at: .now) : []
            let command = UpdateCommand(
                invocation: invocation,
                catalogs: try PackageCatalogs(invocation, session, mayBeNone: isNothingInstalled),
                regions: stale, hasRegions: includesRegions && records.contains { $0.package == nil })
            if verb == .apply, let reason = try await command.reasonToWait {
                return try invocation.postpone(reason)
            }
            if verb == .apply, isNothingInstalled, !stale.isEmpty, invocation[.detach] {
                return try invocation.detach(["update", "apply"], watching: "rhumb region list")
            }
            if !invocation[.detach] { regions = stale }
            switch verb {
            case _ where isNothingInstalled:
                return try await command.updateCache(of: session, applies: verb == .apply)
            case .check, .schedule: return try await command.check(measures: invocation[.sizes])
            case .apply:
                session.offlineSearch.startIndexing()
                return try await command.apply()
            }
        }
        guard verb == .apply, status == ExitStatus.done || status == ExitStatus.gaps else { return status }
        return try await update(regions, invocation, status)
    }

    /// Updates regions one after another. A failed region doesn't stop the others; a signal does.
    /// - Parameter status: The exit status so far.
    private static func update(
        _ regions: [StaleRegion], _ invocation: Invocation, _ status: Int32
    ) async throws -> Int32 {
        let signals = Signals.ending(resume: "rhumb update apply")
        defer { withExtendedLifetime(signals) {} }
        var status = status
        for region in regions {
            let end: Int32
            do {
                end = try await RegionCommand.run(
                    .update, invocation.running(.region(.update), region.record.id))
            } catch {
                Output.say("rhumb: \(FailureText.sentence(error))")
                end = ExitStatus.failed
            }
            if end > 128 { return end }
            if end != ExitStatus.done, status != ExitStatus.failed { status = end }
        }
        return status
    }

    /// Revalidates the catalogues, because no packages are installed, and updates the sources in the shared
    /// cache.
    /// - Parameter applies: False to list these sources only.
    private func updateCache(of session: MapSession, applies: Bool) async throws -> Int32 {
        let updates = applies ? await session.updateCachedSources() : session.listCachedSources()
        _ = try await catalogs.each { (loader) throws(MapLoaderFailure) in try await loader.checkForUpdate() }
        let bytes = applies ? 0 : regionBytes
        try invocation.print(
            applies
                ? CachedSourceUpdate.sentences(updates) + (regions.isEmpty ? regionLines : [])
                : CachedSourceUpdate.list(updates) + regionLines,
            [
                "state": updates.contains { $0.outcome == .updated } ? "updated" : "unchanged",
                "bytes": .integer(bytes), "isUpToDate": .bool(regions.isEmpty), "packages": [],
                "regions": .array(regions.map(\.json)),
                "cachedSources": .array(
                    updates.map {
                        ["name": .string($0.name), "outcome": .string($0.word), "problem": .text($0.problem)]
                    }),
            ])
        return updates.contains { $0.problem != nil } ? ExitStatus.gaps : ExitStatus.done
    }

    /// The regions as text; empty if there are none.
    private var regionLines: [String] {
        guard !regions.isEmpty else { return hasRegions ? ["All regions are up to date"] : [] }
        return TextTable(["region", "change", "to fetch"], leading: 2, regions.map(\.row)).lines + [
            "\(AmountText.count(regions.count, "region")), up to \(AmountText.bytes(regionBytes)) to fetch; "
                + "run rhumb update apply"
        ]
    }

    private var regionBytes: Int { regions.reduce(0) { $0 + $1.record.bytes } }

    /// The reason why the size of the update is too large; nil if it isn't.
    private var reasonToWait: String? {
        get async throws {
            guard let limit = invocation[.maxBytes] else { return nil }
            let plans = try await catalogs.each { (loader) throws(MapLoaderFailure) in
                try await loader.planUpdate()
            }
            let bytes = plans.reduce(regionBytes) { $0 + $1.bytes }
            guard bytes > limit else { return nil }
            return "up to \(AmountText.bytes(bytes)) to fetch, more than \(AmountText.bytes(limit))"
        }
    }

    /// - Parameter measures: True to read the sizes from the archives.
    private func check(measures: Bool) async throws -> Int32 {
        let plans = try await catalogs.each { (loader) throws(MapLoaderFailure) in
            try await measures ? loader.planUpdate() : loader.checkForUpdate()
        }
        let packages = plans.flatMap(\.packages), bytes = plans.reduce(0) { $0 + $1.bytes },
            saved = plans.reduce(0) { $0 + $1.saved }
        let table = TextTable(
            ["package", "change", "to fetch"], leading: 2,
            packages.map { [$0.id, $0.changeText, $0.fetchText] })
        let stored = plans.reduce(0) { $0 + $1.storedBytes }
        let total = "up to \(AmountText.bytes(bytes)) to fetch, \(AmountText.bytes(stored)) on disk"
        let sentence =
            measures
            ? total + (saved > 0 ? ", \(AmountText.bytes(saved)) already stored" : "")
            : "\(AmountText.count(packages.count, "package")), \(total); run rhumb update apply"
        let items = plans.flatMap { plan in
            plan.packages.map { measures ? $0.fetchJSON(of: plan.catalog) : $0.changeJSON(of: plan.catalog) }
        }
        let object: JSON =
            measures
            ? ["saved": .integer(saved)] : ["isUpToDate": .bool(packages.isEmpty && regions.isEmpty)]
        try invocation.print(
            (packages.isEmpty ? ["All packages are up to date"] : table.lines + [sentence])
                + plans.compactMap(\.withdrawal) + regionLines,
            object.adding([
                "bytes": .integer(bytes + regionBytes), "storedBytes": .integer(stored),
                "packages": .array(items),
                "withdrawn": .array(plans.flatMap(\.withdrawn).map { .string($0) }),
                "regions": .array(regions.map(\.json)),
            ]))
        return ExitStatus.done
    }

    private func apply() async throws -> Int32 {
        var options = UpdateOptions()
        options.commit = invocation[.allAtEnd] ? .allAtEnd : .eachPackage
        options.requiresSameEdition = invocation[.allSame]
        return try await PackageRun(invocation, "update apply").run(.update, catalogs.loaders) { loader in
            try await loader.update(options)
        }
    }
}

/// A region with stale tiles, which an update revalidates.
private struct StaleRegion {
    let record: RegionRecord
    /// The time at which the first tile became stale; nil if none is, but tiles are missing or an update is
    /// unfinished.
    let expiry: UnixSeconds?

    private var change: String {
        guard let expiry else {
            let missing = AmountText.count(record.missing, "tile"),
                left = AmountText.count(record.planned - record.settled + record.failed, "tile")
            return record.stateWord + (record.missing > 0 ? ", \(missing) missing" : ", \(left) not updated")
        }
        return "stale for \(AmountText.age(max(UnixSeconds.now.seconds(since: expiry), 0)))"
    }

    /// The cells of a table: the id, the reason, and the size.
    var row: [String] { [record.id, change, "up to \(AmountText.bytes(record.bytes))"] }

    var json: JSON {
        [
            "id": .string(record.id), "expiresAt": .time(expiry),
            "bytes": .integer(record.bytes),
        ]
    }
}

extension RegionStore {
    /// Returns the regions with stale or missing tiles, except those that are paused, cancelled or being
    /// downloaded.
    fileprivate func staleRegions(
        among records: [RegionRecord], at now: UnixSeconds
    ) throws -> [StaleRegion] {
        try records.compactMap { record in
            guard record.package == nil, record.state != .paused, record.state != .cancelled,
                worker(of: record.number, at: now) == nil
            else { return nil }
            let expiry = try earliestExpiry(of: record, includesUnknown: true).flatMap {
                $0 <= now ? $0 : nil
            }
            guard expiry != nil || record.state != .complete else { return nil }
            return StaleRegion(record: record, expiry: expiry)
        }
    }
}
