internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// Handles queries about packages, and reports the progress of operations.
final class PackageHandlers: Sendable {
    private let session: MapSession
    private let inbox: Inbox
    private let current = Mutex<PackageJob?>(nil)

    init(_ session: MapSession, _ inbox: Inbox) { (self.session, self.inbox) = (session, inbox) }

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
            for loader in try session.allMapLoaders() {
                newer += await loader.knownUpdates()?.packages.count(where: \.isNewer) ?? 0
            }
            let words = newer == 1 ? "1 package" : "\(AmountText.count(newer)) packages"
            if newer > 0 { inbox.put(.offline(.notice("Updates available for \(words) · p, then U"))) }
        }
    }

    /// Returns the unfinished packages; empty while an operation is running in any process.
    private func brokenOff() throws -> [RegionRecord] {
        let store = try session.regions().store
        return MapLoader.running(in: store) == nil ? try store.regions().filter(\.isUnfinishedPackage) : []
    }

    /// Registers the handlers of all queries about packages.
    func register(on dispatcher: QueryDispatcher) {
        dispatcher.handle(PackageListQuery.self) { [self] _, context, reply in
            reply(await list(context.layers))
        }
        dispatcher.handle(PackagePlanQuery.self) { [self] query, _, reply in
            reply(
                await attempt {
                    switch query {
                    case .install(let keys): try await plan(keys)
                    case .update: try await updates()
                    }
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
        case .install(let keys): await perform(keys, reply) { try await $0.install($1, isPermitted: true) }
        case .uninstall(let keys): await perform(keys, reply) { try await $0.uninstall($1) }
        case .update: await performForAll(reply) { try await $0.update() }
        case .continue: await performForAll(reply) { try await $0.resume() }
        }
    }

    /// The running operation; nil if there is none.
    private var job: PackageJob? { current.withLock { $0 } }

    private func attempt<Value>(_ body: () async throws -> Value) async -> Result<Value, Notice.Problem> {
        do { return .success(try await body()) } catch {
            return .failure(error as? Notice.Problem ?? Notice.Problem(error))
        }
    }

    // MARK: Listing packages

    private func loader(of catalog: String) async throws -> MapLoader {
        let loader = try session.mapLoader(of: catalog)
        await loader.select(exactly: session.configuration.enabledFeatures)
        return loader
    }

    private func list(_ layers: [TileLayer]) async -> PackageList {
        var items: [PackageItem] = [], problems: [String] = []
        do {
            let brokenOff = Set(try brokenOff().compactMap(\.package))
            let catalogs = try session.catalogs(beside: layers)
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
            problems.append(FailureText.sentence(error))
        }
        return PackageList(items, problems: problems)
    }

    private func plan(_ keys: [PackageKey]) async throws -> PackageOffer {
        let (catalog, ids) = try PackageHandlers.one(keys)
        return PackageOffer(try await loader(of: catalog).plan(ids), keys)
    }

    /// Returns the ids of packages and their catalogue, because an operation handles only one.
    private static func one(_ keys: [PackageKey]) throws -> (catalog: String, ids: [String]) {
        guard let first = keys.first, keys.allSatisfy({ $0.catalog == first.catalog }) else {
            throw Notice.Problem("The marked packages belong to several catalogues. Mark those of only one.")
        }
        return (first.catalog, keys.map(\.id))
    }

    private func updates() async throws -> PackageOffer {
        var plans: [UpdatePlan] = []
        for catalog in try session.catalogs() { plans.append(try await loader(of: catalog).planUpdate()) }
        guard try session.regions().store.regions().contains(where: { $0.package != nil }) else {
            return PackageOffer(
                [], notes: CachedSourceUpdate.sentences(await session.updateCachedSources()), act: nil)
        }
        return PackageOffer(plans)
    }

    // MARK: Changing packages

    private func perform(
        _ keys: [PackageKey], _ reply: (PackageAction.Response) -> Void,
        _ begin: (MapLoader, [String]) async throws -> PackageJob
    ) async {
        let begun = await attempt {
            let (catalog, ids) = try PackageHandlers.one(keys)
            return (catalog, try await begin(loader(of: catalog), ids))
        }
        switch begun {
        case .success((let catalog, let job)): _ = await follow(job, of: catalog, reply)
        case .failure(let problem): reply(.failure(problem))
        }
    }

    /// Runs an operation for each catalogue until one fails.
    private func performForAll(
        _ reply: (PackageAction.Response) -> Void, _ begin: (MapLoader) async throws -> PackageJob
    ) async {
        for catalog in (try? session.catalogs()) ?? [] {
            switch await attempt({ try await begin(self.loader(of: catalog)) }) {
            case .success(let job): guard await follow(job, of: catalog, reply) else { return }
            case .failure(let problem): return reply(.failure(problem))
            }
        }
    }

    /// Reports the progress and the result of an operation.
    /// - Returns: True if it ended, possibly with missing tiles.
    private func follow(
        _ job: PackageJob, of catalog: String, _ reply: (PackageAction.Response) -> Void
    ) async -> Bool {
        current.withLock { $0 = job }
        var pace = PackagePace(), last = ContinuousClock.now - .seconds(1)
        for await update in job.updates() {
            let now = ContinuousClock.now, before = (pace.standing, pace.progress?.package)
            pace.note(update)
            guard now - last > .milliseconds(250) || (pace.standing, pace.progress?.package) != before else {
                continue
            }
            last = now
            inbox.put(.offline(.packageProgress(PackageProgress(pace, job, of: catalog))))
        }
        let result = await job.finish()
        current.withLock { $0 = nil }
        inbox.put(.offline(.packageProgress(nil)))
        reply(result.outcome(of: job.progress.operation))
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
        let package = job.progress.package.map { " of \(SafeText.sanitised($0, limit: 80))" } ?? ""
        return [
            "Unfinished: \(job.progress.operation.rawValue)\(package). To resume it: rhumb package resume"
        ]
    }
}
