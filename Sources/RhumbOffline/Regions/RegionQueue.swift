public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
public import RhumbOpening
public import RhumbStore
internal import Synchronization

/// Plans and creates regions, and downloads them one after another. Packages are handled by `MapLoader`.
public actor RegionQueue {
    /// A queued download.
    private struct Item {
        let id: String
        let pass: SyncMode
        let sources: [RegionSource]?
    }

    /// The stored regions.
    public nonisolated let regions: Regions
    let session: any OfflineServices
    let opener: MapOpener
    private let executor = SerialBlockingExecutor()
    private var waiting: [Item] = []
    /// The id of the region whose task is being started; nil if none.
    private var starting: String?
    private let current = Mutex<RegionJob?>(nil)
    private var job: RegionJob? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
    private var rate: RegionRate?
    /// The tile sizes of planned sources.
    private var weights = TileWeights()
    /// The ids of regions that could not be started. They are not retried.
    private var refused: Set<String> = []
    /// The ids of the regions that were queued here.
    private var wanted: Set<String> = []
    private var isClosing = false
    /// The interval of checks for regions to resume.
    private static let watch = Duration.seconds(5)
    /// The reason stored for a region whose download was interrupted because its queue was closed.
    private static let interruption = "interrupted when Rhumb was closed"

    /// The executor for work on the store, which may block.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Creates a queue. Waits until the session's stores are open.
    /// - Parameter opener: Opens the sources of regions.
    /// - Throws: `RegionStoreFailure` if the session has no regions.
    public init(_ session: any OfflineServices, _ opener: MapOpener) throws(RegionStoreFailure) {
        regions = try session.regions()
        self.session = session
        self.opener = opener
    }

    // MARK: Creating regions

    /// Plans a region to be created or changed. For an existing region, its stored sources replace those
    /// whose names now refer to other sources.
    /// - Parameters:
    ///   - layers: Open layers, whose sources need not be opened again.
    ///   - isPermitted: True if the user confirms that the providers allow the download.
    /// - Throws: `OfflineFailure`
    public func plan(
        _ definition: RegionDefinition, open layers: [TileLayer] = [], isPermitted: Bool = false
    ) async throws(OfflineFailure) -> RegionProposal {
        if let package = PackageName(regionID: definition.id.text) { throw .isPackage(package) }
        for name in definition.features {
            _ = try converting(Feature.named(name), to: OfflineFailure.feature)
        }
        var definition = definition
        definition.style = definition.style.map(opener.location(ofStyle:))
        let old = try? regions.store.region(definition.id.text)
        let previous = old?.definition?.hasSameSources(as: definition) == true ? old : nil
        let all: [RegionSource]
        if definition.tilesets.isEmpty {
            all = try await sources(
                definition.sources, scale: definition.scale, previous: previous, open: layers)
        } else {
            let scaled = try await scaledSources(of: definition, previous: previous)
            for at in definition.tilesets.indices {
                let origins = scaled.origins(of: definition.tilesets[at])
                definition.tilesets[at].origins =
                    origins.isEmpty ? previous?.definition?.tilesets[at].origins ?? [] : origins
            }
            all = scaled.unique
        }
        let contained = all.contained(in: definition.features)
        // A source of heights that is left out would be missed only without a network.
        let kinds = Set(contained.map(\.specifier))
        if let layer = all.first(where: {
            contained.isEmpty || $0.layer.feature == .terrain && !kinds.contains($0.specifier)
        })?.layer {
            throw .feature(.disabled(layer.feature, wanted: layer.info.name))
        }
        return try plan(definition, of: contained, isPermitted: isPermitted)
    }

    /// Plans a region with or without heights.
    /// - Parameters:
    ///   - heights: The source of the heights.
    ///   - isIncluded: True to include them, false for none; nil for the default: if the provider allows
    ///     downloads without asking, and they add less than a quarter.
    ///   - layers: Open layers, whose sources need not be opened again.
    ///   - isPermitted: True if the user confirms that the providers allow the download.
    /// - Throws: `OfflineFailure`
    public func plan(
        _ definition: RegionDefinition, heights: String, isIncluded: Bool?, open layers: [TileLayer] = [],
        isPermitted: Bool = false
    ) async throws(OfflineFailure) -> RegionProposal {
        func high() async throws(OfflineFailure) -> RegionProposal {
            let high = try converting(definition.withHeights(of: heights), to: OfflineFailure.definition)
            let plan = try await plan(high, open: layers, isPermitted: isPermitted)
            guard let source = plan.sources.first(where: { $0.specifier == heights }),
                source.definition.elevation == nil
            else { return plan }
            throw .other(
                "\(SafeText.sanitised(heights, limit: 60)) has no elevation; use a source of terrain-RGB or "
                    + "terrarium tiles with the encoding in its description")
        }
        if isIncluded == true { return try await high() }
        // By default, only a provider that allows downloads receives a request, for its description.
        let isFree =
            URLReference(heights).localPath != nil
            || (try? opener.catalog.source(named: heights))??.policy.offline == .allowed
        if isIncluded == nil, isFree, var plan = try? await high(), plan.needsHeights(of: heights) {
            plan.cost = await weighed(plan)
            if plan.cost.isSmallAddition(heights) { return plan }
        }
        return try await plan(definition, open: layers, isPermitted: isPermitted)
    }

    /// Returns the cost of a plan with the sizes of a few tiles of each source.
    private func weighed(_ plan: RegionProposal) async -> RegionPlan {
        var sampled = weights
        let area = plan.definition.geometry
        _ = await sampled.sample(
            of: plan.definition, plan.sources, plan.cost, in: area.bounds, zooms: 1,
            cache: regions.cache)
        weights = sampled
        return sampled.applied(to: plan.cost, of: area)
    }

    /// Plans a region of sources that are already open.
    /// - Parameter isPermitted: True if the user confirms that the providers allow the download.
    /// - Throws: `OfflineFailure`
    public func plan(
        _ definition: RegionDefinition, of sources: [RegionSource], isPermitted: Bool = false
    ) throws(OfflineFailure) -> RegionProposal {
        let cost = try converting(regions.plan(definition, sources, isPermitted: isPermitted)) {
            (error: RegionStoreFailure) in OfflineFailure(error)
        }
        return RegionProposal(
            definition: definition, sources: sources, cost: cost, isPermitted: isPermitted, queue: self)
    }

    /// Creates a region, or changes the region with that id. Fetches no tiles.
    /// - Throws: `OfflineFailure`
    public func add(_ plan: RegionProposal) async throws(OfflineFailure) -> RegionRecord {
        let documents = try await documents(
            of: plan.sources, style: plan.definition.style, reloads: false)
        do {
            let manager = try OfflineManager(session, opener)
            for style in plan.stylePacks { _ = try await manager.plan(style).start().value() }
            return try regions.add(
                plan.definition, plan.sources, documents: documents, isPermitted: plan.isPermitted)
        } catch {
            throw OfflineFailure(error)
        }
    }

    /// Returns an unused region id derived from a name.
    /// - Throws: `RegionStoreFailure`
    public func freeID(for name: String) throws(RegionStoreFailure) -> RegionID {
        let taken = Set(try regions.store.regions().map(\.id))
        var id = RegionID(from: name), number = 2
        while taken.contains(id.text) {
            id = RegionID(from: "\(name) \(number)")
            number += 1
        }
        return id
    }

    // MARK: Downloads

    /// Starts to download a region immediately, regardless of the queue.
    /// - Parameter planned: The sources of the region's plan; nil to open them again.
    /// - Throws: `OfflineFailure`; `.store(.busy)` if this or another process is already downloading it.
    public func start(
        _ record: RegionRecord, _ pass: SyncMode = SyncMode(), sources planned: [RegionSource]? = nil
    ) async throws(OfflineFailure) -> RegionJob {
        do {
            try record.requireNoPackage()
            let definition = try record.readDefinition(), sources: [RegionSource]
            // Missing and damaged documents are fetched again with any download.
            let lacksDocuments = try !regions.store.missingDocuments(of: record.number).isEmpty
            let reloads = pass.kind == .refresh || lacksDocuments
            if let planned {
                sources = planned
            } else {
                sources = try await self.sources(of: definition, previous: record, reloads: reloads)
                    .contained(in: definition.features)
            }
            // Policies may have changed since the region was created.
            try regions.requireNoDenial(of: sources)
            if reloads { try record.requireAll(sources) }
            if pass.kind == .refresh { try record.requireSameMaps(sources, definition) }
            let documents =
                reloads ? try await documents(of: sources, style: definition.style, reloads: true) : nil
            return try regions.start(record, sources, pass, documents: documents)
        } catch {
            throw OfflineFailure(error)
        }
    }

    /// Appends a download to the queue, unless the same download is already queued.
    /// - Parameter sources: The sources of the region's plan; nil to open them when the download starts.
    public func enqueue(
        _ id: String, _ pass: SyncMode = SyncMode(), sources: [RegionSource]? = nil
    ) async {
        wanted.insert(id)
        if !waiting.contains(where: { $0.id == id && $0.pass == pass }) {
            waiting.append(Item(id: id, pass: pass, sources: sources))
        }
        await startNext()
    }

    /// Resumes regions of this queue whose downloads stopped early, such as on a metered connection, until
    /// the queue is closed. Regions that an earlier process left unfinished wait for the user: see
    /// `unfinished()`.
    public func resumeUnfinished() async {
        while !isClosing {
            for record in (try? regions.store.regions()) ?? []
            where wanted.contains(record.id) && isLeftAlone(record) && !session.client.isMetered {
                await enqueue(record.id)
            }
            try? await Task.sleep(for: RegionQueue.watch)
        }
    }

    /// Returns the unfinished regions of earlier processes that no process is downloading. `resume(_:)`
    /// resumes one.
    /// - Throws: `RegionStoreFailure`
    public func unfinished() throws(RegionStoreFailure) -> [RegionRecord] {
        try regions.store.regions().filter(isInterrupted)
    }

    private func isInterrupted(_ record: RegionRecord) -> Bool {
        var left = record
        if record.state == .paused, record.reason == RegionQueue.interruption { left.state = .queued }
        return isLeftAlone(left) && !wanted.contains(record.id)
    }

    private func isLeftAlone(_ record: RegionRecord) -> Bool {
        record.state.isUnfinished && record.package == nil
            && regions.store.worker(of: record.number, at: .now) == nil
            && record.id != job?.record.id && record.id != starting
            && !refused.contains(record.id) && !waiting.contains { $0.id == record.id }
    }

    private func startNext() async {
        while job == nil, starting == nil, !isClosing, !waiting.isEmpty {
            let next = waiting.removeFirst()
            starting = next.id
            defer { starting = nil }
            do {
                let record = try regions.store.region(next.id)
                let job = try await start(record, next.pass, sources: next.sources)
                self.job = job
                rate = RegionRate(record)
                Task { await follow(job) }
                if isClosing { job.cancel(.interrupted) }
            } catch {
                let failure = OfflineFailure(error)
                refused.insert(next.id)
                if failure.isPermanent { fail(next.id, failure) }
                regions.store.post(.refused(id: next.id, failure))
            }
        }
    }

    /// Marks a waiting region as failed because it can't be downloaded in its present form.
    private func fail(_ id: String, _ failure: OfflineFailure) {
        guard let record = try? regions.store.region(id), record.state.isUnfinished else { return }
        regions.store.fail(record.number, reason: failure.description, at: .now)
    }

    private func follow(_ job: RegionJob) async {
        let clock = Task { await reportRate(of: job) }
        for await update in job.updates() { rate?.note(update.progress) }
        clock.cancel()
        await job.finish()
        self.job = nil
        await startNext()
    }

    /// Reports changes of the rate once a second, so that it drops to 0 while nothing is written.
    private func reportRate(of job: RegionJob) async {
        var hadRate = false
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let hasRate = (rate?.tilesPerSecond ?? 0) > 0
            if hasRate || hadRate { regions.store.post(.progress(job.record)) }
            hadRate = hasRate
        }
    }

    // MARK: Controlling downloads

    /// Returns the running download of a region; nil if this queue is not downloading it.
    public func work(on id: String) -> RegionJob? { job.flatMap { $0.record.id == id ? $0 : nil } }

    /// Returns the status of all regions.
    /// - Throws: `RegionStoreFailure`
    public func statuses() throws(RegionStoreFailure) -> [RegionStatus] {
        try regions.store.regions().map { (record) throws(RegionStoreFailure) in
            let own = job.flatMap { $0.record.number == record.number && !$0.state.isOver ? $0 : nil }
            // Counting reads all entries of the tiles: too much for each report of a running download.
            let shown = if let own { own.record } else { try regions.counted(record) }
            return RegionStatus(
                record: shown,
                expiry: (try? regions.store.earliestExpiry(of: record, includesUnknown: true)) ?? nil,
                rate: own == nil ? nil : rate,
                isPausing: own.map { $0.isPaused && $0.record.state == .running } ?? false,
                isInterrupted: isInterrupted(record))
        }
    }

    /// Pauses the download of a region in this or another process, or marks the region as paused.
    /// - Returns: True if a process is downloading it.
    /// - Throws: `RegionStoreFailure`
    public func pause(_ record: RegionRecord) throws(RegionStoreFailure) -> Bool {
        guard let own = work(on: record.id) else {
            return try regions.store.send(.pause, of: record.number, at: .now)
        }
        own.pause()
        return true
    }

    /// Resumes the download of a region, or queues it.
    public func resume(_ record: RegionRecord) async {
        if let own = work(on: record.id) { return own.resume() }
        // Another process may have paused it.
        if (try? regions.store.send(.resume, of: record.number, at: .now)) == true { return }
        await enqueue(record.id)
    }

    /// Cancels the download of a region in this or another process. Stored tiles remain.
    /// - Throws: `RegionStoreFailure`
    public func cancel(_ record: RegionRecord) throws(RegionStoreFailure) {
        if let own = work(on: record.id) {
            own.cancel()
            return
        }
        waiting.removeAll { $0.id == record.id }
        if try regions.store.send(.cancel, of: record.number, at: .now) { return }
        try regions.store.setState(.cancelled, of: record.number, at: .now)
    }

    /// Pauses the running download while the program is suspended.
    public nonisolated func setSuspended(_ isSuspended: Bool) {
        let job = current.withLock { $0 }
        if isSuspended { job?.pause() } else { job?.resume() }
    }

    /// Closes the queue. Writes the received tiles, and marks unfinished regions as paused.
    /// - Returns: The unfinished regions, the running one first.
    @discardableResult
    public func close() async -> [RegionRecord] {
        isClosing = true
        let ids = [job?.record.id ?? starting].compactMap(\.self) + waiting.map(\.id)
        waiting = []
        if let job { await RegionQueue.interrupt(job, in: regions.store) }
        return ids.compactMap { id in
            guard let record = try? regions.store.region(id), [.queued, .paused].contains(record.state) else {
                return nil
            }
            try? regions.store.setState(
                .paused, of: record.number, reason: RegionQueue.interruption, at: .now)
            return record
        }
    }

    /// Stops a download so that it can be resumed. Waits up to two seconds for a write in progress.
    private static func interrupt(_ job: RegionJob, in store: RegionStore) async {
        guard job.cancel(.interrupted), await outcome(within: .seconds(2), of: { await job.finish() }) == nil,
            job.state.stop == .interrupted
        else { return }
        try? store.setState(.paused, of: job.record.number, at: .now)
    }
}
