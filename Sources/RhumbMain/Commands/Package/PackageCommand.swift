internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb package …`: lists and changes packages.
struct PackageCommand {
    private let invocation: Invocation
    private let catalogs: PackageCatalogs

    static func run(_ verb: PackageVerb, _ invocation: Invocation) async throws -> Int32 {
        if verb == .publish { return try PackagePublishing(invocation).run() }
        return try await invocation.withSession(asksFirst: false) { session in
            switch verb {
            case .list: return try await InstalledPackages(invocation, session).list()
            case .cancel: return try InstalledPackages(invocation, session).cancel()
            default:
                let catalogs = try PackageCatalogs(invocation, session)
                if PackageCommand.storing.contains(verb) { session.offlineSearch.startIndexing() }
                defer { if verb == .uninstall { session.offlineSearch.forgetRemoved() } }
                return try await PackageCommand(invocation: invocation, catalogs: catalogs).run(verb)
            }
        }
    }

    /// The operations that store tiles, which are indexed as they arrive.
    private static let storing: Set<PackageVerb> = [.install, .resume, .repair, .normalise]

    private func run(_ verb: PackageVerb) async throws -> Int32 {
        switch verb {
        case .tree: return try await tree()
        case .at: return try await at()
        case .search: return try await search()
        case .plan: return try await plan()
        case .install, .uninstall: return try await change(verb)
        case .clear: return try await care(.clear) { loader in try await loader.clear() }
        case .resume: return try await care(.resume) { loader in try await loader.resume() }
        case .repair: return try await care(.repair) { loader in try await loader.repair() }
        case .normalise: return try await care(.normalise) { loader in try await loader.normalise() }
        case .list, .cancel, .publish: return ExitStatus.done
        }
    }

    // MARK: Listing packages

    private func tree() async throws -> Int32 {
        let own = try await catalogs.ofNamed(), root = own.ids.first
        let trees = try await own.each { (loader) throws(MapLoaderFailure) in
            let catalog = try await loader.catalogID(), packages = try await loader.tree(root)
            return (catalog: catalog, packages: packages)
        }
        try invocation.print(
            trees.flatMap { PackageTable.tree($0.packages) },
            .array(trees.flatMap { tree in tree.packages.map { $0.json(of: tree.catalog) } }))
        return trees.count < own.loaders.count ? ExitStatus.gaps : ExitStatus.done
    }

    private func at() async throws -> Int32 {
        let place = try converting(ParsedLocation(invocation.operand ?? "").coordinate) {
            (error: ParsedLocation.Misread) in UsageError("package at: \(error)")
        }
        return try show(
            try await catalogs.each { (loader) throws(MapLoaderFailure) in
                let catalog = try await loader.catalogID(), package = try await loader.package(at: place)
                return (catalog: catalog, packages: [package])
            })
    }

    private func search() async throws -> Int32 {
        let query = invocation.operand ?? ""
        let found = try await catalogs.each { (loader) throws(MapLoaderFailure) in
            let catalog = try await loader.catalogID(), packages = try await loader.search(query)
            return (catalog: catalog, packages: packages)
        }
        if found.allSatisfy(\.packages.isEmpty) { Output.say("rhumb: no package matches \(query)") }
        return try show(found)
    }

    private func show(_ found: [(catalog: String, packages: [MapPackage])]) throws -> Int32 {
        let packages = found.flatMap(\.packages)
        if !packages.isEmpty || invocation[.json] {
            try invocation.print(
                PackageTable.lines(packages.map { ($0, 0) }),
                .array(found.flatMap { part in part.packages.map { $0.json(of: part.catalog) } }))
        }
        return packages.isEmpty ? ExitStatus.failed : ExitStatus.done
    }

    private func plan() async throws -> Int32 {
        let loader = try await catalogs.named().loader(having: catalogs.ids)
        let heights = try invocation.heights(catalogs.session.opener.catalog)
        let plan =
            heights.isIncluded == nil
            ? try await loader.plan(catalogs.ids, smallHeights: heights.specifier)
            : try await loader.plan(
                catalogs.ids, heights: heights.isIncluded == true ? heights.specifier : nil)
        try invocation.print(plan.lines, plan.json)
        return plan.hasRoom ? ExitStatus.done : ExitStatus.failed
    }

    // MARK: Changing packages

    private func change(_ verb: PackageVerb) async throws -> Int32 {
        let ids = catalogs.ids, isGoing = verb == .uninstall
        let usable = try isGoing ? catalogs : catalogs.named()
        let loader = try await usable.loader(having: ids, isInstalled: isGoing, isStrict: isGoing)
        let run = PackageRun(invocation, "package \(verb.rawValue)", ids)
        if isGoing { return try await run.run(.uninstall, [loader]) { try await $0.uninstall(ids) } }
        let heights = try invocation.heights(catalogs.session.opener.catalog)
        return try await run.run(.install, [loader]) { loader in
            try await loader.install(
                ids, heights: heights.isIncluded == true ? heights.specifier : nil,
                smallHeights: heights.isIncluded == nil ? heights.specifier : nil,
                isPermitted: invocation[.permitted]
            ) { bytes in
                Output.note(
                    "rhumb: includes heights from \(heights.name), about \(AmountText.bytes(bytes)); omit "
                        + "them with --no-heights")
            }
        }
    }

    /// Runs an operation on the installed packages of each catalogue.
    private func care(
        _ operation: PackageOperation, _ begin: (MapLoader) async throws -> PackageJob
    ) async throws -> Int32 {
        try await PackageRun(invocation, "package \(operation.rawValue)")
            .run(operation, catalogs.loaders, begin)
    }
}
