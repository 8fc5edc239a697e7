internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// Handles queries about packages, and reports the progress of operations.
final class PackageHandlers: Sendable {
    private let session: MapSession
    private let inbox: Inbox
    /// Returns the default source of heights; nil for none.
    private let heightSource: @Sendable () -> String?
    private let current = Mutex<PackageJob?>(nil)
    /// The plans that the panel shows, until they are started.
    private let shown = Mutex<[PackagePlanQuery: [Planned]]>([:])

    /// A plan of one catalogue.
    private typealias Planned = (catalog: String, part: any OfflinePlan<PackageJob>)

    init(
        _ session: MapSession, _ inbox: Inbox, heightSource: @escaping @Sendable () -> String? = { nil }
    ) {
        self.session = session
        self.inbox = inbox
        self.heightSource = heightSource
    }

    /// Reports operations of earlier runs that were interrupted, and known updates. Sends no requests.
    func begin() {
        Task(executorPreference: BlockingExecutor.shared) { [self] in
            let list = try session.regions().store.regions().filter { $0.package != nil }
            let brokenOff = try brokenOff()
            if let first = brokenOff.first {
                let others = brokenOff.count > 1 ? " and \(AmountText.count(brokenOff.count - 1)) more" : ""
                return inbox.put(
                    .offline(.notice("Interrupted: \(first.name)\(others) · p, then Enter resumes")))
            }
            guard !list.isEmpty else { return }
            var newer = 0
            for loader in try session.offline.allPackages() {
                newer += await loader.knownUpdates()?.packages.count(where: \.isNewer) ?? 0
            }
            let text = AmountText.count(newer, "package")
            if newer > 0 { inbox.put(.offline(.notice("Updates available for \(text) · p, then U"))) }
        }
    }

    /// Returns the unfinished packages; empty while an operation is running in any process.
    private func brokenOff() throws -> [RegionRecord] {
        let store = try session.regions().store
        return MapLoader.running(in: store) == nil ? try unfinished() : []
    }

    private func unfinished() throws -> [RegionRecord] {
        try session.regions().store.regions().filter(\.isUnfinishedPackage)
    }

    /// Registers the handlers of all queries about packages.
    func register(on dispatcher: QueryDispatcher) {
        dispatcher.handle(PackageListQuery.self) { [self] _, context, reply in
            reply(await list(context.layers))
        }
        dispatcher.handle(PackagePlanQuery.self) { [self] query, _, reply in
            reply(
                await attempt {
                    let (offer, plans) = try await plan(query)
                    shown.withLock { $0 = [query: plans] }
                    return offer
                })
        }
        dispatcher.handle(PackageAction.self) { [self] action, _, reply in
            await perform(action.kind, reply)
        }
    }

    private func perform(
        _ kind: PackageAction.Kind, _ reply: @escaping (PackageAction.Response) -> Void
    ) async {
        switch kind {
        case .pause: job?.pause()
        case .resume: job?.resume()
        case .cancel:
            if job?.cancel() == false {
                reply(.success("The new edition is being installed, which can't be stopped"))
            }
        case .install(let keys, let heights):
            await perform(reply, try await plans(.install(keys, heights: heights))) {
                try await $0.start()
            }
        case .update: await perform(reply, try await plans(.update)) { try await $0.start() }
        case .uninstall(let keys):
            await perform(reply, [try await loader(of: keys)]) { try await $0.uninstall(keys.map(\.id)) }
        case .continue: await perform(reply, try await loaders()) { try await $0.resume() }
        }
    }

    /// The running operation; nil if there is none.
    private var job: PackageJob? { current.withLock { $0 } }

    // MARK: Listing packages

    private func loader(of catalog: String) async throws -> MapLoader {
        let loader = try session.offline.packages(of: catalog)
        await loader.select(exactly: session.configuration.enabledFeatures)
        return loader
    }

    private func list(_ layers: [TileLayer]) async -> PackageList {
        var items: [PackageItem] = [], problems: [String] = []
        do {
            let brokenOff = Set(try brokenOff().compactMap(\.package))
            let catalogs = try session.offline.catalogs(beside: layers)
            for catalog in catalogs {
                let found: Result<[PackageItem], Notice.Problem> = await attempt {
                    let loader = try await loader(of: catalog), id = try await loader.catalogID()
                    let unfinished = Set(brokenOff.filter { $0.catalog == id }.map(\.package))
                    return PackageItem.outline(
                        try await loader.tree(), of: catalog, named: catalogs.count > 1 ? id : "",
                        brokenOff: unfinished)
                }
                switch found {
                case .success(let more): items += more
                case .failure(let problem):
                    problems.append("\(SafeText.sanitised(catalog, limit: 80)): \(problem)")
                }
            }
        } catch {
            problems.append(FailureText.notice(error))
        }
        return PackageList(items, problems: problems)
    }

    private func loaders() async throws -> [(catalog: String, part: MapLoader)] {
        var loaders: [(String, MapLoader)] = []
        for catalog in try session.offline.catalogs() {
            loaders.append((catalog, try await loader(of: catalog)))
        }
        return loaders
    }

    /// Returns the loader of packages, which must belong to one catalogue, because an operation handles only
    /// one.
    private func loader(of keys: [PackageKey]) async throws -> (catalog: String, part: MapLoader) {
        guard let first = keys.first, keys.allSatisfy({ $0.catalog == first.catalog }) else {
            throw Notice.Problem("The marked packages belong to several catalogues. Mark those of only one.")
        }
        let loader = try await loader(of: first.catalog)
        return (first.catalog, loader)
    }

    // MARK: Planning

    private func plan(_ query: PackagePlanQuery) async throws -> (offer: PackageOffer, plans: [Planned]) {
        switch query {
        case .install(let keys, let heights):
            let (catalog, loader) = try await loader(of: keys), ids = keys.map(\.id)
            var plan =
                switch heights {
                case .automatic: try await loader.plan(ids, smallHeights: heightSource())
                case .none: try await loader.plan(ids)
                case .from(let source): try await loader.plan(ids, heights: source)
                }
            // The panel starts it only after the user has confirmed the permission.
            plan.isPermitted = true
            return (PackageOffer(plan, keys, heights), [(catalog, plan)])
        case .update:
            var plans: [(catalog: String, plan: UpdatePlan)] = []
            for (catalog, loader) in try await loaders() {
                plans.append((catalog, try await loader.planUpdate()))
            }
            guard try session.regions().store.regions().contains(where: { $0.package != nil }) else {
                let notes = CachedSourceUpdate.sentences(await session.updateCachedSources())
                return (PackageOffer([], notes: notes, act: nil), [])
            }
            return (PackageOffer(plans.map(\.plan)), plans.map { ($0.catalog, $0.plan) })
        }
    }

    /// Returns the plans that the panel shows, or new ones if it shows others.
    private func plans(_ query: PackagePlanQuery) async throws -> [Planned] {
        if let plans = shown.withLock({ $0.removeValue(forKey: query) }) { return plans }
        return try await plan(query).plans
    }

    // MARK: Changing packages

    /// Runs an operation for each catalogue until one fails.
    /// - Parameter parts: The catalogues, each with its plan or loader.
    private func perform<Part>(
        _ reply: (PackageAction.Response) -> Void,
        _ parts: @autoclosure () async throws -> [(catalog: String, part: Part)],
        _ begin: (Part) async throws -> PackageJob
    ) async {
        let end = await attempt {
            for (catalog, part) in try await parts() {
                guard await follow(try await begin(part), of: catalog, reply) else { return }
            }
        }
        if case .failure(let problem) = end { reply(.failure(problem)) }
    }

    /// Reports the progress and the result of an operation.
    /// - Returns: True if it ended, possibly with missing tiles.
    private func follow(
        _ job: PackageJob, of catalog: String, _ reply: (PackageAction.Response) -> Void
    ) async -> Bool {
        current.withLock { $0 = job }
        var meter = JobMeter<PackageJobProgress>(), interval = ReportInterval()
        for await update in job.updates() {
            let before = (meter.standing, meter.progress?.package)
            meter.note(update.progress, update.state)
            let isNews = (meter.standing, update.progress.package) != before
            guard interval.isOver(orNews: isNews) else { continue }
            inbox.put(.offline(.packageProgress(PackageProgress(update.progress, meter, of: catalog))))
        }
        let result = await job.finish()
        current.withLock { $0 = nil }
        inbox.put(.offline(.packageProgress(nil)))
        var outcome = result.outcome(of: job.progress.operation)
        if case .success(let sentence) = outcome,
            let notice = await (try? session.offline.packages(of: catalog))?.takeKeyNotice()
        {
            outcome = .success("\(sentence); \(notice)")
        }
        reply(outcome)
        return result.isOver
    }

    // MARK: Program state

    /// Pauses or resumes the operation when the program is suspended or resumed.
    func setSuspended(_ isSuspended: Bool) {
        if isSuspended { job?.pause() } else { job?.resume() }
    }

    /// Interrupts the operation when the program ends.
    /// - Returns: A sentence if it is unfinished.
    func close() async -> [String] {
        guard let job else { return [] }
        job.cancel(.interrupted)
        if case .success = await outcome(within: .seconds(2), of: { await job.finish() }) { return [] }
        let names = ((try? unfinished()) ?? []).compactMap { $0.package?.package }
        return [
            PackageProgress.unfinished(
                job.progress.operation, of: names.isEmpty ? [job.progress.package].compactMap(\.self) : names)
        ]
    }
}

extension PackageItem {
    /// Returns the packages as an indented list.
    /// - Parameters:
    ///   - packages: The packages, parents first.
    ///   - catalog: The address or file of the catalogue.
    ///   - name: The name shown beside the root if there are several catalogues; otherwise empty.
    ///   - brokenOff: The ids of interrupted packages.
    static func outline(
        _ packages: [MapPackage], of catalog: String, named name: String, brokenOff: Set<String>
    ) -> [PackageItem] {
        var depths: [String: Int] = [:]
        return packages.map { package in
            let depth = package.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
            depths[package.id] = depth
            let title = package.title(Environment.language), isNamed = depth == 0 && !name.isEmpty
            return PackageItem(
                package, PackageKey(package.id, of: catalog), depth,
                title: isNamed ? "\(title), \(name)" : title,
                isBrokenOff: brokenOff.contains(package.id))
        }
    }

    private init(_ package: MapPackage, _ key: PackageKey, _ depth: Int, title: String, isBrokenOff: Bool) {
        let names = [package.id] + package.package.titles.values
        self.init(
            key: key, depth: depth, title: title,
            names: names.map(FoldedName.fold).joined(separator: "\n"), status: package.itemStatus,
            isBrokenOff: isBrokenOff,
            bytes: package.size.bytes, isMeasured: package.isMeasured, edition: package.itemEdition,
            newer: package.newer, hasChildren: !package.children.isEmpty,
            area: package.package.area, map: package.package.content?.specifier)
    }
}

extension MapPackage {
    fileprivate var itemStatus: PackageItem.Status {
        switch status {
        case .none: .none
        case .partial: .partial
        case .implicit, .explicit: .installed
        }
    }

    /// The edition, such as "edition 2026.45, newest 2026.47 of 2026-11-22".
    fileprivate var itemEdition: String {
        let offered = edition.map { "\($0.version)" + ($0.date.map { " of \($0)" } ?? "") }
        guard let installed, newer > 0, let offered else { return offered.map { "edition \($0)" } ?? "" }
        return "edition \(installed), newest \(offered)"
    }
}

extension PackageContent {
    /// The specifier of the map.
    fileprivate var specifier: String {
        switch self {
        case .archive(let address), .part(let address): address
        case .source(let specifier): specifier
        }
    }
}

extension PackageOffer {
    /// - Parameter choice: The user's choice of heights.
    init(_ plan: PackagePlan, _ keys: [PackageKey], _ choice: PackageHeights) {
        let rows = plan.packages.map { item in
            Row(
                item.package.title(Environment.language),
                (item.isPartial ? "the rest, " : "") + PackagePlan.sizes(item.bytes, item.storedBytes))
        }
        guard !rows.isEmpty else {
            self.init([], notes: ["Already installed"], act: nil)
            return
        }
        let free = [plan.freeText].compactMap(\.self)
        self.init(
            rows,
            notes: ["Total \(plan.sizes)"] + free + plan.groups + plan.unsaidTerms
                + [plan.keyNotice].compactMap(\.self),
            act: plan.hasRoom ? .install(keys, heights: choice) : nil,
            isToBePermitted: !plan.unsaidTerms.isEmpty,
            heights: plan.heights.map { source in
                Heights(source: source, size: "≈ " + AmountText.bytes(plan.heightBytes))
            })
    }

    init(_ plans: [UpdatePlan]) {
        let packages = plans.flatMap(\.packages), saved = packages.reduce(0) { $0 + $1.saved }
        guard !packages.isEmpty else {
            self.init(
                [], notes: ["All packages are up to date"] + plans.compactMap(\.withdrawal), act: nil)
            return
        }
        let total =
            "Total up to \(AmountText.bytes(packages.reduce(0) { $0 + $1.bytes })), "
            + "\(AmountText.bytes(packages.reduce(0) { $0 + $1.storedBytes })) on disk"
        self.init(
            packages.map { Row($0.id, $0.changeText) },
            notes: packages.map { "\($0.id): \($0.fetchText)" }
                + [total + (saved > 0 ? ", \(AmountText.bytes(saved)) already stored" : "")]
                + plans.compactMap(\.withdrawal),
            act: .update)
    }
}

extension PackageProgress {
    /// Returns the sentence on leaving the program, which names the packages that are unfinished.
    static func unfinished(_ operation: PackageOperation, of packages: [String]) -> String {
        let names = packages.map { SafeText.sanitised($0, limit: 80) }.joined(separator: ", ")
        return "Unfinished: \(operation.rawValue)\(names.isEmpty ? "" : " of \(names)"). "
            + "To resume it: rhumb package resume"
    }

    init(_ progress: PackageJobProgress, _ meter: JobMeter<PackageJobProgress>, of catalog: String) {
        self.init(
            key: progress.package.map { PackageKey($0, of: catalog) },
            name: [progress.package ?? progress.operation.rawValue, progress.position].filter { !$0.isEmpty }
                .joined(separator: " "),
            percent: progress.percent,
            state: meter.standing, pace: meter.standing.isEmpty ? meter.rate?.shortText ?? "" : "")
    }
}

extension MapLoaderResult {
    /// True if the operation ended, even if tiles are missing.
    var isOver: Bool { reason == nil || reason == .incomplete }

    /// Returns the result as text for the user.
    func outcome(of operation: PackageOperation) -> Result<String, Notice.Problem> {
        switch self {
        case .success(let ids):
            .success(ids.isEmpty ? operation.nothingToDo : "\(operation.done) \(ids.joined(separator: ", "))")
        case .failure(.cancelled): .success(FailureText.sentence(OfflineFailure.cancelled))
        case .failure(let failure): .failure(Notice.Problem(shown: failure))
        }
    }
}
