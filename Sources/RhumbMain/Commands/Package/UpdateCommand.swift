internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb update …`: updates packages, or the cached sources if no packages are installed.
struct UpdateCommand {
    private let invocation: Invocation
    private let catalogs: PackageCatalogs

    static func run(_ verb: UpdateVerb, _ invocation: Invocation) async throws -> Int32 {
        try await invocation.withSession(asksFirst: false) { session in
            if verb == .cancel { return try InstalledPackages(invocation, session).cancel() }
            let isNothingInstalled = try session.regions().store.regions().allSatisfy { $0.package == nil }
            let command = UpdateCommand(
                invocation: invocation,
                catalogs: try PackageCatalogs(invocation, session, mayBeNone: isNothingInstalled))
            switch verb {
            case .check where isNothingInstalled, .apply where isNothingInstalled:
                return try await command.updateCache(of: session)
            case .check, .cancel: return try await command.check()
            case .size: return try await command.size()
            case .apply:
                session.offlineSearch.startIndexing()
                return try await command.apply()
            }
        }
    }

    /// Updates the catalogues and the sources in the shared cache, because no packages are installed.
    private func updateCache(of session: MapSession) async throws -> Int32 {
        let updates = await session.updateCachedSources()
        _ = try await catalogs.each { (loader) throws(MapLoaderFailure) in try await loader.checkForUpdate() }
        try invocation.print(
            CachedSourceUpdate.sentences(updates),
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

    private func check() async throws -> Int32 {
        let updates = try await catalogs.each { (loader) throws(MapLoaderFailure) in
            try await loader.checkForUpdate()
        }
        let bytes = updates.reduce(0) { $0 + $1.bytes }, packages = updates.flatMap(\.packages)
        let table = TextTable(
            ["package", "change", "to fetch"], leading: 2,
            packages.map { [$0.id, $0.changeText, "up to \(AmountText.bytes($0.bytes))"] })
        let total =
            packages.isEmpty
            ? "All packages are up to date"
            : "\(AmountText.count(packages.count, "package")), up to \(AmountText.bytes(bytes)) to fetch; run rhumb update apply"
        try invocation.print(
            (packages.isEmpty ? [] : table.lines) + [total],
            [
                "bytes": .integer(bytes), "isUpToDate": .bool(packages.isEmpty),
                "packages": .array(
                    updates.flatMap { update in update.packages.map { $0.json(of: update.catalog) } }),
            ])
        return ExitStatus.done
    }

    private func size() async throws -> Int32 {
        let plans = try await catalogs.each { (loader) throws(MapLoaderFailure) in
            try await loader.planUpdate()
        }
        let packages = plans.flatMap(\.packages), bytes = packages.reduce(0) { $0 + $1.bytes },
            saved = packages.reduce(0) { $0 + $1.saved }
        let table = TextTable(
            ["package", "change", "to fetch"], leading: 2,
            packages.map { [$0.id, $0.update.changeText, $0.fetchText] })
        let total =
            packages.isEmpty
            ? "All packages are up to date"
            : "up to \(AmountText.bytes(bytes)) to fetch"
                + (saved > 0 ? ", \(AmountText.bytes(saved)) already stored" : "")
        try invocation.print(
            (packages.isEmpty ? [] : table.lines) + [total],
            [
                "bytes": .integer(bytes), "saved": .integer(saved),
                "packages": .array(plans.flatMap { plan in plan.packages.map { $0.json(of: plan.catalog) } }),
            ])
        return ExitStatus.done
    }

    private func apply() async throws -> Int32 {
        let run = PackageRun(invocation, "update apply", [])
        try run.requireNetwork()
        if invocation[.detach], let loader = catalogs.loaders.first {
            return try run.detach(.update, by: loader)
        }
        var options = UpdateOptions()
        options.commit = invocation[.allAtEnd] ? .allAtEnd : .eachPackage
        options.requiresSameEdition = invocation[.allSame]
        return try await run.run(catalogs.loaders) { loader in try await loader.update(options) }
    }
}
