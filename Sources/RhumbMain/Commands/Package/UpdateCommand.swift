internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb update …`: checks and updates packages, or the cached sources if no packages are installed.
struct UpdateCommand {
    private let invocation: Invocation
    private let catalogs: PackageCatalogs

    static func run(_ verb: UpdateVerb, _ invocation: Invocation) async throws -> Int32 {
        if verb == .schedule {
            try Output.print(UpdateSchedule(limit: invocation[.maxBytes]).text)
            return ExitStatus.done
        }
        if verb == .apply, let reason = invocation.reasonToWait { return try invocation.postpone(reason) }
        return try await invocation.withSession(asksFirst: false) { session in
            let isNothingInstalled = try session.regions().store.regions().allSatisfy { $0.package == nil }
            let command = UpdateCommand(
                invocation: invocation,
                catalogs: try PackageCatalogs(invocation, session, mayBeNone: isNothingInstalled))
            switch verb {
            case .check where isNothingInstalled, .apply where isNothingInstalled:
                return try await command.updateCache(of: session, applies: verb == .apply)
            case .check, .schedule: return try await command.check(measures: invocation[.sizes])
            case .apply:
                session.offlineSearch.startIndexing()
                return try await command.apply()
            }
        }
    }

    /// Revalidates the catalogues, because no packages are installed, and updates the sources in the shared
    /// cache.
    /// - Parameter applies: False to list these sources only.
    private func updateCache(of session: MapSession, applies: Bool) async throws -> Int32 {
        let updates = applies ? await session.updateCachedSources() : session.listCachedSources()
        _ = try await catalogs.each { (loader) throws(MapLoaderFailure) in try await loader.checkForUpdate() }
        try invocation.print(
            applies ? CachedSourceUpdate.sentences(updates) : CachedSourceUpdate.list(updates),
            [
                "state": updates.contains { $0.outcome == .updated } ? "updated" : "unchanged",
                "bytes": 0, "isUpToDate": true, "packages": [],
                "cachedSources": .array(
                    updates.map {
                        ["name": .string($0.name), "outcome": .string($0.word), "problem": .text($0.problem)]
                    }),
            ])
        return updates.contains { $0.problem != nil } ? ExitStatus.gaps : ExitStatus.done
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
        let total = "up to \(AmountText.bytes(bytes)) to fetch"
        let sentence =
            measures
            ? total + (saved > 0 ? ", \(AmountText.bytes(saved)) already stored" : "")
            : "\(AmountText.count(packages.count, "package")), \(total); run rhumb update apply"
        let items = plans.flatMap { plan in
            plan.packages.map { measures ? $0.fetchJSON(of: plan.catalog) : $0.changeJSON(of: plan.catalog) }
        }
        try invocation.print(
            packages.isEmpty ? ["All packages are up to date"] : table.lines + [sentence],
            measures
                ? ["bytes": .integer(bytes), "saved": .integer(saved), "packages": .array(items)]
                : [
                    "bytes": .integer(bytes), "isUpToDate": .bool(packages.isEmpty),
                    "packages": .array(items),
                ])
        return ExitStatus.done
    }

    private func apply() async throws -> Int32 {
        if let limit = invocation[.maxBytes] {
            let plans = try await catalogs.each { (loader) throws(MapLoaderFailure) in
                try await loader.planUpdate()
            }
            let bytes = plans.reduce(0) { $0 + $1.bytes }
            guard bytes <= limit else {
                return try invocation.postpone(
                    "up to \(AmountText.bytes(bytes)) to fetch, more than \(AmountText.bytes(limit))")
            }
        }
        var options = UpdateOptions()
        options.commit = invocation[.allAtEnd] ? .allAtEnd : .eachPackage
        options.requiresSameEdition = invocation[.allSame]
        return try await PackageRun(invocation, "update apply").run(.update, catalogs.loaders) { loader in
            try await loader.update(options)
        }
    }
}
