internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import Synchronization

/// Answers queries about regions, and reports their state.
final class RegionAnswers: Sendable {
    private let opened: Lazy<Result<RegionQueue, RegionStoreFailure>>
    private let inbox: Inbox
    /// The features that are on.
    private let features: @Sendable () -> Set<Feature>
    private let opener: MapOpener
    /// The tile sizes of the planned sources.
    private let weights = Mutex(TileWeights())
    /// The layers of the last planned source that is not on the map. A change of the draft uses them again.
    private let offered = Mutex<[TileLayer]>([])

    init(_ session: MapSession, _ opener: MapOpener, _ inbox: Inbox) {
        opened = Lazy { Result { () throws(RegionStoreFailure) in try RegionQueue(session, opener) } }
        features = { session.configuration.enabledFeatures }
        self.opener = opener
        self.inbox = inbox
    }

    /// The queue of the session. Waits until its stores are open.
    private var queue: Result<RegionQueue, RegionStoreFailure> { opened.value }

    /// Names the regions that an earlier run left unfinished, and reports all changes from now on.
    func begin() {
        Task.detached(executorPreference: BlockingExecutor.shared) { [self] in
            guard let queue = try? queue.get() else { return }
            Task.detached { await queue.resumeUnfinished() }
            await RegionAnswers.postAll(queue, inbox)
            if let unfinished = try? await queue.unfinished(), let first = unfinished.first {
                let others = unfinished.count > 1 ? " and \(unfinished.count - 1) more" : ""
                inbox.put(
                    .regionDone(
                        .success("Download unfinished: \(first.progressText)\(others) · r, then p: resume")))
            }
            for await news in queue.news {
                switch news {
                case .changed: await RegionAnswers.postAll(queue, inbox)
                case .finished(let record): inbox.put(.regionDone(record.outcome))
                case .refused(let failure): inbox.put(.regionDone(.failure(Notice.Problem(failure))))
                }
            }
        }
    }

    private static func postAll(_ queue: RegionQueue, _ inbox: Inbox) async {
        guard let statuses = try? await queue.statuses() else { return }
        inbox.put(.regions(statuses.map { RegionItem($0) }))
    }

    func answer(_ question: RegionQuestion, _ layers: [TileLayer]) {
        Task.detached(executorPreference: BlockingExecutor.shared) { [self] in
            switch question {
            case .list: if let queue = try? queue.get() { await RegionAnswers.postAll(queue, inbox) }
            case .plan(let draft): await postPlans(draft, layers)
            case .start(let draft):
                reopenOffered()
                await report { try await start(propose(draft, layers, $0), draft, $0) }
            case .startIfAllowed(let draft):
                reopenOffered()
                let found = await plan(draft, layers)
                guard case .success(let (proposal, plan)) = found, plan.verdict == .allowed else {
                    return inbox.put(.downloadRefused(found.map(\.plan), draft))
                }
                await report { try await start(proposal, draft, $0) }
            case .holders(let question): inbox.put(.tileHolders(holders(of: question, layers), question))
            case .act(let act, let id):
                await report { try await perform(act, $0.regions.store.region(id), $0) }
            }
        }
    }

    private func holders(of question: TileHolderQuestion, _ layers: [TileLayer]) -> [String] {
        guard let store = try? queue.get().regions.store,
            let layer = layers.first(where: { $0.id == question.layer }),
            case .tile(let origin, let tile)? = ResourceKey(WantedTile(layer: layer, tile: question.tile)),
            let found = try? store.holdings(of: tile)
        else { return [] }
        return found.filter { $0.origin.isSameSource(as: origin) }.map(\.region.designation)
    }

    func rename(_ id: String, to name: String) {
        Task.detached(executorPreference: BlockingExecutor.shared) { [self] in
            await report { queue in
                let record = try queue.regions.store.region(id)
                try record.requireNoPackage()
                var definition = try record.readDefinition()
                definition.name = SafeText.sanitised(name, limit: 80)
                try queue.regions.store.change(record.number, to: definition)
                return "Renamed to \(definition.name)"
            }
        }
    }

    private func report(_ body: (RegionQueue) async throws -> String) async {
        inbox.put(.regionDone(await outcome(body)))
    }

    private func outcome<Value>(
        _ body: (RegionQueue) async throws -> Value
    ) async -> Result<Value, Notice.Problem> {
        do {
            return .success(try await body(queue.get()))
        } catch {
            return .failure(error as? Notice.Problem ?? Notice.Problem(error))
        }
    }

    // MARK: Making

    /// Makes the next proposal open its source again, because the archive may have been replaced.
    private func reopenOffered() { offered.withLock { $0 = [] } }

    private func plan(
        _ draft: RegionDraft, _ layers: [TileLayer]
    ) async -> Result<(proposal: RegionProposal, plan: RegionPlan), Notice.Problem> {
        await outcome { queue in
            let proposal = try await propose(draft, layers, queue)
            let plan = try await queue.plan(proposal, isPermitted: draft.isPermitted)
            return (proposal, weights.withLock { $0 }.applied(to: plan))
        }
    }

    /// Reports a plan, and a more accurate one once the sizes of some tiles are known.
    private func postPlans(_ draft: RegionDraft, _ layers: [TileLayer]) async {
        let first = await plan(draft, layers)
        inbox.put(.regionPlan(first.map(\.plan), draft))
        guard case .success(let (proposal, plan)) = first else { return }
        var sampled = weights.withLock { $0 }
        guard await sampled.sample(of: proposal, plan, in: draft.box) else { return }
        weights.withLock { $0 = sampled }
        inbox.put(.regionPlan(.success(sampled.applied(to: plan)), draft))
    }

    private func propose(
        _ draft: RegionDraft, _ layers: [TileLayer], _ queue: RegionQueue
    ) async throws -> RegionProposal {
        let drafted =
            draft.source == nil ? layers.filter { draft.layers.contains($0.id) } : offered.withLock(\.self)
        await queue.show(drafted)
        var definition = try RegionDefinition(
            id: await queue.freeID(for: draft.name), name: draft.name,
            geometry: try draft.corridor?.geometry ?? .box(draft.box),
            zooms: ZoomRange(draft.zooms.lowerBound, draft.zooms.upperBound),
            sources: draft.source.map { [$0.id] } ?? Set(drafted.map(\.words)).sorted(),
            features: features().map(\.name).sorted(), scale: opener.isDoubled ? 2 : 1,
            packing: draft.isExact ? .exact : .wholePacks)
        definition.style = opener.styles.choice
        let proposal = try await queue.propose(definition)
        if draft.source != nil { offered.withLock { $0 = proposal.sources.map(\.layer) } }
        return proposal
    }

    private func start(
        _ proposal: RegionProposal, _ draft: RegionDraft, _ queue: RegionQueue
    ) async throws -> String {
        let record = try await queue.add(proposal, isPermitted: draft.isPermitted)
        Task { await queue.enqueue(record.id) }
        return "Downloading \(record.name): \(AmountText.count(record.planned, "tile"))"
    }

    // MARK: Acts

    private func perform(
        _ act: RegionAct, _ record: RegionRecord, _ queue: RegionQueue
    ) async throws -> String {
        if ![.pause, .cancel, .export].contains(act) { try record.requireNoPackage() }
        switch act {
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
            let removal = try queue.regions.remove(record)
            return "Removed \(record.id), freed \(AmountText.bytes(removal.freedBytes)) on disk"
        case .export:
            return try export(record, queue.regions)
        }
    }

    /// One archive; of several sources one each.
    private func export(_ record: RegionRecord, _ regions: Regions) throws -> String {
        let name =
            record.parts.count > 1
            ? "\(record.id)-\(Regions.sourcePlaceholder).pmtiles" : "\(record.id).pmtiles"
        let files = try regions.exportEach(record, to: name, generator: "Rhumb \(CommandTable.version)")
        return "Wrote "
            + files.map { file in
                "\(file.path): \(AmountText.count(file.summary.tiles, "tile")), \(AmountText.bytes(file.summary.bytes))"
            }.joined(separator: "; ")
    }

    // MARK: The terminal

    /// Suspends or resumes the work with the program.
    func setSuspended(_ isSuspended: Bool) {
        try? opened.valueIfMade?.get().setSuspended(isSuspended)
    }

    /// Ends the work when the program ends.
    /// - Returns: A sentence for each unfinished region.
    func close() async -> [String] {
        let unfinished = (try? await opened.valueIfMade?.get().close()) ?? []
        return unfinished.map {
            "Download unfinished: \($0.progressText). To resume it: rhumb region resume \($0.id)"
        }
    }
}
