internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import Synchronization

/// Handles queries about regions, and reports changes of regions.
final class RegionHandlers: Sendable {
    private let opened: Lazy<Result<RegionQueue, RegionStoreFailure>>
    private let inbox: Inbox
    /// Returns the enabled features.
    private let features: @Sendable () -> Set<Feature>
    private let opener: MapOpener
    /// The tile sizes of the planned sources.
    private let weights = Mutex(TileWeights())
    /// The plan that the panel shows; nil after it is started.
    private let shown = Mutex<(draft: RegionDraft, plan: RegionProposal)?>(nil)
    private let reporting = Mutex<Task<Void, Never>?>(nil)

    init(_ session: MapSession, _ opener: MapOpener, _ inbox: Inbox) {
        opened = Lazy {
            Result { () throws(RegionStoreFailure) in try session.offline.regions(openedBy: opener) }
        }
        features = { session.configuration.enabledFeatures }
        self.opener = opener
        self.inbox = inbox
    }

    /// The queue of the session. Waits until its stores are open.
    private var queue: Result<RegionQueue, RegionStoreFailure> { opened.value }

    /// Reports the regions that an earlier run left unfinished, and then all changes.
    func begin() {
        let work = Task.detached(executorPreference: BlockingExecutor.shared) { [self] in
            let queue: RegionQueue
            do throws(RegionStoreFailure) { queue = try self.queue.get() } catch {
                if error.isFault { inbox.put(.problem(Notice.Problem(shown: error).description)) }
                return
            }
            let events = queue.regions.store.events()
            Task.detached { await queue.resumeUnfinished() }
            await postAll(queue)
            if let unfinished = try? await queue.unfinished(), let first = unfinished.first {
                let others = unfinished.count > 1 ? " and \(unfinished.count - 1) more" : ""
                inbox.put(
                    .offline(
                        .regionDone(
                            .success(
                                "\(first.unfinishedText)\(others) · r, then P: resume"))))
            }
            async let others: Void = followOthers(queue)
            await report(events, queue)
            await others
        }
        reporting.withLock { $0 = work }
    }

    /// The interval at which changes by other processes are noticed.
    private static let pollInterval = Duration.seconds(2)

    /// Reports regions that other processes create, change or remove. Runs until it is cancelled.
    private func followOthers(_ queue: RegionQueue) async {
        var last = try? queue.regions.store.regions()
        while (try? await Task.sleep(for: Self.pollInterval)) != nil {
            guard let regions = try? queue.regions.store.regions(), regions != last else { continue }
            last = regions
            await postAll(queue)
        }
    }

    /// Reports changes of regions. Packages report theirs: see `PackageHandlers`.
    private func report(_ events: AsyncStream<OfflineEvent>, _ queue: RegionQueue) async {
        var interval = ReportInterval(), state: RegionState?
        for await event in events {
            switch event {
            case .progress(let record):
                guard interval.isOver(orNews: record.state != state) else { continue }
                state = record.state
                await postAll(queue)
            case .ended(let record) where record.package == nil:
                inbox.put(.offline(.regionDone(record.outcome)))
            case .refused(_, let failure):
                inbox.put(.offline(.regionDone(.failure(Notice.Problem(shown: failure)))))
            case .ended, .removed, .geometryChanged, .metadataChanged: await postAll(queue)
            case .damaged(let failure): inbox.put(.problem(Notice.Problem(shown: failure).description))
            case .stylePackStored, .stylePackRemoved: break
            }
        }
    }

    private func postAll(_ queue: RegionQueue) async {
        let outcome = await outcome { try await $0.statuses().map { RegionItem($0) } }
        switch outcome {
        case .success(let items): inbox.put(.offline(.regions(items)))
        case .failure(let problem): inbox.put(.problem(problem.description))
        }
    }

    /// Registers the handlers of all queries about regions.
    func register(on dispatcher: QueryDispatcher) {
        dispatcher.handle(RegionListQuery.self) { [self] _, _, reply in
            reply(await outcome { try await $0.statuses().map { RegionItem($0) } })
        }
        dispatcher.handle(RegionPlanQuery.self) { [self] query, context, reply in
            await plan(query.draft, context.layers, reply)
        }
        dispatcher.handle(StartRegion.self) { [self] query, context, reply in
            reply(await start(query, context.layers))
        }
        dispatcher.handle(RegionAction.self) { [self] action, _, reply in
            reply(await outcome { try await perform(action.kind, $0.regions.store.region(action.id), $0) })
        }
        dispatcher.handle(RenameRegion.self) { [self] query, _, reply in
            reply(await outcome { try rename(query.id, to: query.name, $0.regions.store) })
        }
        dispatcher.handle(TileHolderQuery.self) { [self] query, context, reply in
            reply(holders(of: query, context.layers))
        }
    }

    private func holders(of query: TileHolderQuery, _ layers: [TileLayer]) -> [String] {
        guard let store = try? queue.get().regions.store,
            let layer = layers.first(where: { $0.id == query.layer }),
            case .tile(let origin, let tile)? = ResourceKey(WantedTile(layer: layer, tile: query.tile)),
            let found = try? store.holdings(of: tile)
        else { return [] }
        return found.filter { $0.origin.isSameSource(as: origin) }.map(\.region.designation)
    }

    private func rename(_ id: String, to name: String, _ store: RegionStore) throws -> String {
        let record = try store.region(id)
        try record.requireNoPackage()
        var definition = try record.readDefinition()
        definition.name = SafeText.sanitised(name, limit: 80)
        try store.change(record.number, to: definition)
        return "Renamed to \(definition.name)"
    }

    private func outcome<Value>(
        _ body: (RegionQueue) async throws -> Value
    ) async -> Result<Value, Notice.Problem> {
        await attempt { try await body(queue.get()) }
    }

    // MARK: Creating regions

    /// Replies with a plan, and again with a more accurate one once some tile sizes are known.
    private func plan(
        _ draft: RegionDraft, _ layers: [TileLayer], _ reply: (RegionPlanQuery.Response) -> Void
    ) async {
        let planned = await outcome { try await plan(draft, layers, $0) }
        reply(planned.map(\.cost))
        guard case .success(let plan) = planned else { return }
        var sampled = weights.withLock { $0 }
        let isSampled = await sampled.sample(
            of: plan.definition, plan.sources, plan.cost, in: draft.box,
            cache: (try? self.queue.get())?.regions.cache)
        guard isSampled else { return }
        weights.withLock { $0 = sampled }
        reply(.success(sampled.applied(to: plan.cost, of: plan.definition.geometry)))
    }

    /// Plans a region. Reuses open sources: those of the map, or those of the plan shown before.
    private func plan(
        _ draft: RegionDraft, _ layers: [TileLayer], _ queue: RegionQueue
    ) async throws -> RegionProposal {
        let drafted =
            draft.source == nil
            ? layers.filter { draft.layers.contains($0.id) }
            : shown.withLock { $0?.plan.sources.map(\.layer) } ?? []
        var definition = try RegionDefinition(
            id: await queue.freeID(for: draft.name), name: draft.name,
            geometry: try draft.corridor?.geometry ?? .box(draft.box),
            zooms: ZoomRange(draft.zooms.lowerBound, draft.zooms.upperBound),
            sources: draft.isOfHeights
                ? [draft.heights.specifier]
                : draft.source.map { [$0.id] } ?? Set(drafted.map(\.specifier)).sorted(),
            features: features().map(\.name).sorted(), scale: opener.isDoubled ? 2 : 1,
            packing: draft.isExact ? .exact : .wholePacks)
        definition.style = opener.styles.choice
        var plan = try await queue.plan(
            definition, heights: draft.heights.specifier,
            isIncluded: draft.heights.isLocal ? false : draft.hasHeights, open: drafted,
            isPermitted: draft.isPermitted)
        plan.cost = weights.withLock { $0 }.applied(to: plan.cost)
        shown.withLock { $0 = (draft, plan) }
        return plan
    }

    /// Creates a region by the plan that the panel shows, and queues its download. Plans it if the panel
    /// shows no plan of it.
    private func start(_ query: StartRegion, _ layers: [TileLayer]) async -> StartRegion.Response {
        let shown = shown.withLock { $0.take() },
            isShown = !query.onlyIfAllowed && shown?.draft == query.draft
        let planned = await outcome { queue in
            if let shown, isShown { shown.plan } else { try await plan(query.draft, layers, queue) }
        }
        if query.onlyIfAllowed {
            guard case .success(let plan) = planned, plan.cost.verdict == .allowed else {
                return .refused(planned.map(\.cost))
            }
        }
        return .started(await outcome { try await start(planned.get(), query.draft, $0) })
    }

    private func start(
        _ plan: RegionProposal, _ draft: RegionDraft, _ queue: RegionQueue
    ) async throws -> String {
        shown.withLock { $0 = nil }
        var plan = plan
        // Another region may have taken the id since the plan was made.
        plan.definition = plan.definition.renamed(
            to: try await queue.freeID(for: draft.name), name: draft.name)
        let record = try await queue.add(plan)
        Task { await queue.enqueue(record.id, sources: plan.sources) }
        return "Downloading \(record.name): \(AmountText.count(record.planned, "tile"))"
    }

    // MARK: Actions

    private func perform(
        _ kind: RegionAction.Kind, _ record: RegionRecord, _ queue: RegionQueue
    ) async throws -> String {
        if ![.pause, .cancel, .export].contains(kind) { try record.requireNoPackage() }
        switch kind {
        case .pause:
            return try await queue.pause(record)
                ? "Paused \(record.id)" : "\(record.id) is \(record.stateWord); nothing to pause"
        case .resume:
            Task { await queue.resume(record) }
            return "Resumed \(record.id)"
        case .cancel:
            try await queue.cancel(record)
            return "Stopped \(record.id); stored tiles are kept"
        case .refresh:
            Task { await queue.enqueue(record.id, SyncMode(.refresh)) }
            return "Revalidating every tile of \(record.id)"
        case .retry:
            Task { await queue.enqueue(record.id, SyncMode(.retry)) }
            return "Retrying the missing tiles of \(record.id)"
        case .remove:
            try await queue.regions.endPaused(record)
            let removal = try queue.regions.remove(record)
            return "Removed \(record.id), freed \(AmountText.bytes(removal.freedBytes)) on disk"
        case .export:
            return try export(record, queue.regions)
        }
    }

    /// Exports a region to an archive, or to one per source if it has several.
    private func export(_ record: RegionRecord, _ regions: Regions) throws -> String {
        let name =
            record.parts.count > 1
            ? "\(record.id)-\(Regions.sourcePlaceholder).pmtiles" : "\(record.id).pmtiles"
        let files = try regions.exportEach(record, to: name, generator: "Rhumb \(CommandTable.version)")
        return "Wrote "
            + files.map { file in
                let left = file.summary.missingTiles + file.summary.damagedTiles
                let gaps = left > 0 ? ", \(AmountText.count(left)) missing or damaged" : ""
                return "\(file.path): \(AmountText.count(file.summary.tiles, "tile"))\(gaps), "
                    + AmountText.bytes(file.summary.bytes)
            }.joined(separator: "; ")
    }

    // MARK: Program state

    /// Pauses or resumes downloads when the program is suspended or resumed.
    func setSuspended(_ isSuspended: Bool) {
        try? opened.valueIfMade?.get().setSuspended(isSuspended)
    }

    /// Ends the downloads when the program ends.
    /// - Returns: A sentence for each unfinished region.
    func close() async -> [String] {
        reporting.withLock { $0?.cancel() }
        let unfinished = (try? await opened.valueIfMade?.get().close()) ?? []
        return unfinished.map {
            "\($0.unfinishedText). To resume it: rhumb region resume \($0.id)"
        }
    }
}

extension RegionRecord {
    var outcome: Result<String, Notice.Problem> {
        switch state {
        case .complete where isEmpty: .failure(Notice.Problem("\(name) is empty: \(explanation)"))
        case .complete where removed.count > 0:
            .failure(Notice.Problem("\(name): \(removed.sentence ?? "")"))
        case .complete: .success("\(name)\(zoomText), works offline: \(AmountText.bytes(bytes)) · o: try it")
        case .completeWithGaps where isUpdateFailed:
            .failure(Notice.Problem("\(name): \(explanation) · r, then t: retry"))
        case .completeWithGaps:
            .failure(Notice.Problem("\(name): \(AmountText.count(failed, "tile")) failed · r, then t: retry"))
        case .cancelled: .success("Stopped \(name)")
        default: .failure(Notice.Problem("\(name): \(stateWord)\(reason.isEmpty ? "" : ": \(reason)")"))
        }
    }

    /// The unfinished work, such as "Download unfinished: Turku, 57 of 1,385 tiles".
    fileprivate var unfinishedText: String {
        let isUpdate = isUpdating && missing == 0
        return "\(isUpdate ? "Update" : "Download") unfinished: \(progressText)"
    }

    /// The progress, such as "Turku, 57 of 1,385 tiles".
    var progressText: String {
        "\(name), \(AmountText.count(settled)) of \(AmountText.count(planned, "tile"))"
    }

    private var zoomText: String {
        guard let zooms = mapZooms else { return "" }
        return zooms.lowest == zooms.highest ? ", z\(zooms.lowest)" : ", z\(zooms.lowest)–\(zooms.highest)"
    }
}

extension RegionRecord {
    /// The names or addresses of its sources, the map before its heights. A package is drawn over the
    /// built-in world.
    fileprivate var shownSources: [String] {
        guard package == nil else { return [EmbeddedWorld.name] }
        let heights = Set(
            parts.compactMap { part in
                part.editionDefinition?.elevation == nil ? nil : part.editionDefinition?.id
            })
        let all = definition?.sources ?? []
        return all.filter { !heights.contains($0) } + all.filter(heights.contains)
    }
}

extension RegionRate {
    /// The rate and the time left, such as "12/s 76 s"; empty while no tiles are arriving.
    var shortText: String {
        let rate = tilesPerSecond
        guard rate > 0 else { return "" }
        let left = secondsLeft.map { " \(AmountText.seconds($0))" } ?? ""
        return "\(AmountText.count(max(Int(rate), 1)))/s\(left)"
    }
}

extension RegionItem {
    init(_ status: RegionStatus) {
        let now = UnixSeconds.now, record = status.record
        let left = status.expiry.map { $0.seconds(since: now) }
        self.init(
            id: record.id, name: record.package == nil ? record.name : "\(record.name), package",
            state: status.isPausing
                ? RegionItem.pausing : status.isInterrupted ? RegionItem.interrupted : record.stateWord,
            reason: record.explanation,
            settled: record.settled, tiles: record.tiles, absent: record.absent, planned: record.planned,
            failed: record.failed, bytes: record.bytes,
            age: AmountText.age(max(now.seconds(since: record.changed), 0)) + " ago",
            expiry: left.map {
                $0 > 0 ? "fresh for \(AmountText.age($0))" : "stale for \(AmountText.age(-$0)), R: refresh"
            } ?? "",
            bounds: record.definition?.geometry.bounds, zooms: record.mapZooms?.zooms,
            isUnderWay: status.rate != nil,
            isFinished: [.complete, .completeWithGaps].contains(record.state),
            pace: status.isPausing ? "" : status.rate?.shortText ?? "", sources: record.shownSources)
    }
}
