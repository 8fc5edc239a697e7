internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb package …`
@MainActor
struct PackageCommand {
    private let invocation: Invocation
    private let catalogs: PackageCatalogs

    static func run(_ verb: PackageVerb, _ invocation: Invocation) async throws -> Int32 {
        try await invocation.withSession(asksFirst: false) { session in
            switch verb {
            case .status: return try InstalledPackages(invocation, session).list()
            case .cancel: return try InstalledPackages(invocation, session).cancel()
            case .tree, .at, .search, .plan, .install, .uninstall:
                let catalogs = try PackageCatalogs(invocation, session)
                return try await PackageCommand(invocation: invocation, catalogs: catalogs).run(verb)
            }
        }
    }

    private func run(_ verb: PackageVerb) async throws -> Int32 {
        switch verb {
        case .tree: return try await tree()
        case .at: return try await at()
        case .search: return try await search()
        case .plan: return try await plan()
        case .install, .uninstall, .status, .cancel: return try await change(verb)
        }
    }

    // MARK: Looking

    private func tree() async throws -> Int32 {
        let own = try await catalogs.ofNamed(), root = own.ids.first
        let trees = try await own.each { (loader) throws(MapLoaderFailure) in
            (catalog: try await loader.catalogID(), packages: try await loader.tree(root))
        }
        try catalogs.print(
            trees.flatMap { PackageTable.tree($0.packages) },
            .array(trees.flatMap { tree in tree.packages.map { $0.json(of: tree.catalog) } }))
        return ExitStatus.done
    }

    private func at() async throws -> Int32 {
        let place: Coordinate
        do throws(PlaceText.Misread) { place = try PlaceText(invocation.operand ?? "").coordinate } catch {
            throw UsageError("package at: \(error)")
        }
        return try show(try await catalogs.each { (loader) throws(MapLoaderFailure) in
            (catalog: try await loader.catalogID(), packages: [try await loader.package(at: place)])
        })
    }

    private func search() async throws -> Int32 {
        let words = invocation.operand ?? ""
        let found = try await catalogs.each { (loader) throws(MapLoaderFailure) in
            (catalog: try await loader.catalogID(), packages: try await loader.search(words))
        }
        if found.allSatisfy(\.packages.isEmpty) { Output.say("rhumb: no package is called \(words)") }
        return try show(found)
    }

    private func show(_ found: [(catalog: String, packages: [MapPackage])]) throws -> Int32 {
        let packages = found.flatMap(\.packages)
        if !packages.isEmpty || invocation[.json] {
            try catalogs.print(
                PackageTable.lines(packages.map { ($0, 0) }),
                .array(found.flatMap { part in part.packages.map { $0.json(of: part.catalog) } }))
        }
        return packages.isEmpty ? ExitStatus.failed : ExitStatus.done
    }

    private func plan() async throws -> Int32 {
        let loader = try await catalogs.loader(having: catalogs.ids)
        let plan = try await loader.plan(catalogs.ids)
        try catalogs.print(plan.lines, plan.json(of: try await loader.catalogID()))
        return plan.hasRoom ? ExitStatus.done : ExitStatus.failed
    }

    // MARK: Changing

    private func change(_ verb: PackageVerb) async throws -> Int32 {
        let loader = try await catalogs.loader(having: catalogs.ids), ids = catalogs.ids
        if verb == .uninstall { return try await PackageRun(invocation, "package uninstall", ids).run(loader.uninstall(ids)) }
        let run = PackageRun(invocation, "package install", ids)
        try run.requireNetwork()
        return try await invocation[.detach] ? run.detach() : run.run(loader.install(ids))
    }
}

/// `rhumb update …`
@MainActor
struct UpdateCommand {
    private let invocation: Invocation
    private let catalogs: PackageCatalogs

    static func run(_ verb: UpdateVerb, _ invocation: Invocation) async throws -> Int32 {
        try await invocation.withSession(asksFirst: false) { session in
            if verb == .cancel { return try InstalledPackages(invocation, session).cancel() }
            let command = UpdateCommand(invocation: invocation, catalogs: try PackageCatalogs(invocation, session))
            return try await verb == .apply ? command.apply() : command.check(listsPackages: verb == .check)
        }
    }

    private func check(listsPackages: Bool) async throws -> Int32 {
        let updates = try await catalogs.each { (loader) throws(MapLoaderFailure) in try await loader.checkForUpdate() }
        let bytes = updates.reduce(0) { $0 + $1.bytes }, packages = updates.flatMap(\.packages)
        let table = TextTable(
            ["package", "what is newer", "to fetch"], leading: 2,
            packages.map { [$0.id, $0.changeText, "up to \(AmountText.bytes($0.bytes))"] })
        let total = packages.isEmpty
            ? "all packages are up to date"
            : "\(AmountText.count(packages.count)) packages, up to \(AmountText.bytes(bytes)) to fetch: rhumb update apply"
        try catalogs.print(
            (listsPackages && !packages.isEmpty ? table.lines : []) + [total],
            [
                "bytes": .integer(bytes), "isUpToDate": .bool(packages.isEmpty),
                "packages": .array(updates.flatMap { update in update.packages.map { $0.json(of: update.catalog) } }),
            ])
        return ExitStatus.done
    }

    private func apply() async throws -> Int32 {
        let run = PackageRun(invocation, "update apply", [])
        try run.requireNetwork()
        if invocation[.detach] { return try run.detach() }
        var status = ExitStatus.done
        for loader in catalogs.loaders where status == ExitStatus.done { status = try await run.run(loader.update()) }
        return status
    }
}
