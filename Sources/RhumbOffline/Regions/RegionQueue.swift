public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
public import RhumbOpening
public import RhumbStore
internal import Synchronization

/// Plans regions, makes them, and works on them one after another. Packages are a `MapLoader`'s.
public actor RegionQueue {
    /// Something that is to be done.
    private struct Item {
        let id: String
        let pass: RegionPass
    }

    /// The regions themselves.
    public nonisolated let regions: Regions
    /// The events of queued regions, for one listener.
    public nonisolated let news: AsyncStream<RegionNews>
    let session: any OfflineServices
    let opener: MapOpener
    private let reports: AsyncStream<RegionNews>.Continuation
    private let executor = SerialBlockingExecutor()
    private var waiting: [Item] = []
    /// The id of the region that is about to become the task; nil for none.
    private var starting: String?
    private let current = Mutex<RegionTask?>(nil)
    private var task: RegionTask? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
    private var rate: RegionRate?
    /// True if the rate was above 0 at the last report.
    private var hadRate = false
    /// Regions that could not be started; they are not retried.
    private var refused: Set<String> = []
    /// The regions that this queue was asked to work on.
    private var wanted: Set<String> = []
    private var isClosing = false
    /// Layers that are open: their sources need not be opened again.
    private var layers: [TileLayer] = []
    /// The interval at which ended regions are looked for.
    private static let watch = Duration.seconds(5)
    /// The reason in the record of a region that the end of a queue interrupted.
    private static let interruption = "interrupted when Rhumb was closed"

    /// The executor of the store's work, on which blocking is allowed.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Waits until the session's stores are open.
    /// - Parameter opener: opens the sources of regions.
    /// - Throws: `RegionStoreFailure`, where the session has no regions.
    public init(_ session: any OfflineServices, _ opener: MapOpener) throws(RegionStoreFailure) {
        regions = try session.regions()
        self.session = session
        self.opener = opener
        (news, reports) = AsyncStream.makeStream(of: RegionNews.self)
    }

    /// Says which layers are open: their sources need not be opened again.
    public func show(_ layers: [TileLayer]) { self.layers = layers }

    // MARK: Making

    /// A region about to be made, or to be changed: with its sources opened. Those of a region that is
    /// there are taken as they were kept with it where their names mean something else by now.
    /// - Throws: `RegionFailure`
    public func propose(_ definition: RegionDefinition) async throws(RegionFailure) -> RegionProposal {
        if let package = PackageName(regionID: definition.id.text) { throw .isPackage(package) }
        var definition = definition
        definition.style = definition.style.map(opener.place(ofStyle:))
        let old = try? regions.store.region(definition.id.text)
        let kept = old?.definition?.hasSameSources(as: definition) == true ? old : nil
        let all: [RegionSource]
        if definition.tilesets.isEmpty {
            all = try await sources(of: definition, kept: kept, open: layers)
        } else {
            let scaled = try await scaledSources(of: definition, kept: kept)
            for at in definition.tilesets.indices {
                let origins = scaled.origins(of: definition.tilesets[at])
                definition.tilesets[at].origins =
                    origins.isEmpty ? kept?.definition?.tilesets[at].origins ?? [] : origins
            }
            all = scaled.unique
        }
        let contained = all.contained(in: definition.features)
        if contained.isEmpty, let layer = all.first?.layer {
            throw .feature(.disabled(layer.feature, wanted: layer.info.name))
        }
        return RegionProposal(definition, contained)
    }

    /// Plans a region and its size.
    /// - Parameter isPermitted: True if the user states that the provider allows the download.
    /// - Throws: `RegionStoreFailure`
    public func plan(
        _ proposal: RegionProposal, isPermitted: Bool = false
    ) throws(RegionStoreFailure) -> RegionPlan {
        try regions.plan(proposal.definition, proposal.sources, isPermitted: isPermitted)
    }

    /// Creates a region, or changes the region with that id, without fetching any tile.
    /// - Parameter isPermitted: True if the user states that the providers allow the download.
    /// - Throws: `RegionFailure`
    public func add(
        _ proposal: RegionProposal, isPermitted: Bool = false
    ) async throws(RegionFailure) -> RegionRecord {
        let documents = try await documents(
            of: proposal.sources, style: proposal.definition.style, reloads: false)
        do {
            let manager = try OfflineManager(session, opener)
            for style in proposal.stylePacks { _ = try await manager.loadStylePack(style).pack() }
            return try regions.add(
                proposal.definition, proposal.sources, documents: documents, isPermitted: isPermitted)
        } catch {
            throw RegionFailure(error)
        }
    }

    /// An id that no region has, made of a name.
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

    // MARK: Work

    /// Works on a region at once, until it is done, broken off or fails.
    /// - Throws: `RegionFailure`; `.store(.busy)` when this or another process does already.
    public func start(
        _ record: RegionRecord, _ pass: RegionPass = RegionPass()
    ) async throws(RegionFailure) -> RegionTask {
        let isRefresh = pass.kind == .refresh
        do {
            try record.requireNoPackage()
            let definition = try record.readDefinition()
            let sources = try await sources(
                of: definition, kept: record, open: isRefresh ? [] : layers, reloads: isRefresh
            ).contained(in: definition.features)
            // Policies may have changed since the region was made.
            try regions.requireNoDenial(of: sources)
            let documents =
                isRefresh ? try await documents(of: sources, style: definition.style, reloads: true) : nil
            return try regions.start(record, sources, pass, documents: documents)
        } catch {
            throw RegionFailure(error)
        }
    }

    /// Has a region worked on when those before it are done; once, if it is in line for that already.
    public func enqueue(_ id: String, _ pass: RegionPass = RegionPass()) async {
        wanted.insert(id)
        if !waiting.contains(where: { $0.id == id && $0.pass == pass }) {
            waiting.append(Item(id: id, pass: pass))
        }
        await startNext()
    }

    /// Resumes regions of this queue whose work ended before they were finished, as on a metered connection,
    /// until the queue is closed. Regions that an earlier process left unfinished wait for the user: see
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

    /// The regions that an earlier process left unfinished, and no process works on. `resume(_:)` resumes
    /// one.
    /// - Throws: `RegionStoreFailure`
    public func unfinished() throws(RegionStoreFailure) -> [RegionRecord] {
        try regions.store.regions().filter { record in
            var left = record
            if record.state == .paused, record.reason == RegionQueue.interruption { left.state = .queued }
            return isLeftAlone(left) && !wanted.contains(record.id)
        }
    }

    private func isLeftAlone(_ record: RegionRecord) -> Bool {
        record.state.isUnfinished && record.package == nil
            && regions.store.worker(of: record.number, at: .now) == nil
            && record.id != task?.record.id && record.id != starting
            && !refused.contains(record.id) && !waiting.contains { $0.id == record.id }
    }

    private func startNext() async {
        while task == nil, starting == nil, !isClosing, !waiting.isEmpty {
            let next = waiting.removeFirst()
            starting = next.id
            defer { starting = nil }
            do {
                let record = try regions.store.region(next.id)
                let task = try await start(record, next.pass)
                self.task = task
                rate = RegionRate(record)
                Task { await follow(task) }
                if isClosing { task.cancel() }
            } catch {
                refused.insert(next.id)
                reports.yield(.refused(RegionFailure(error)))
            }
        }
    }

    private func follow(_ task: RegionTask) async {
        var last = ContinuousClock.now - .seconds(1)
        let clock = Task { await reportRate() }
        defer { clock.cancel() }
        for await record in task.progress() {
            rate?.note(record)
            guard ContinuousClock.now - last > .milliseconds(250) else { continue }
            last = .now
            reports.yield(.changed)
        }
        let record = await task.finish()
        self.task = nil
        if !isClosing { reports.yield(.finished(record)) }
        await startNext()
    }

    /// Reports the rate each second while nothing is written and the rate falls.
    private func reportRate() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let hasRate = (rate?.tilesPerSecond ?? 0) > 0
            if hasRate || hadRate { reports.yield(.changed) }
            hadRate = hasRate
        }
    }

    // MARK: Steering

    /// The work of this queue on a region; nil while it is on others.
    public func work(on id: String) -> RegionTask? { task.flatMap { $0.record.id == id ? $0 : nil } }

    /// Returns the status of each region.
    /// - Throws: `RegionStoreFailure`
    public func statuses() throws(RegionStoreFailure) -> [RegionStatus] {
        try regions.store.regions().map { record in
            let isOwn = task?.record.number == record.number
            return RegionStatus(
                record: isOwn ? task?.record ?? record : record,
                expiry: (try? regions.store.earliestExpiry(of: record)) ?? nil, rate: isOwn ? rate : nil)
        }
    }

    /// Pauses a region in the process that downloads it, or stores that it is paused.
    /// - Returns: True if a process is downloading it.
    /// - Throws: `RegionStoreFailure`
    public func pause(_ record: RegionRecord) throws(RegionStoreFailure) -> Bool {
        guard let own = work(on: record.id) else {
            return try regions.store.send(.pause, of: record.number, at: .now)
        }
        own.pause()
        return true
    }

    /// Resumes a region that this process downloads, or queues it.
    public func resume(_ record: RegionRecord) async {
        if let own = work(on: record.id) { own.resume() } else { await enqueue(record.id) }
    }

    /// Ends the download of a region; stored tiles stay.
    /// - Throws: `RegionStoreFailure`
    public func cancel(_ record: RegionRecord) throws(RegionStoreFailure) {
        if let own = work(on: record.id) { return own.cancel() }
        waiting.removeAll { $0.id == record.id }
        try regions.store.setState(.cancelled, of: record.number, at: .now)
    }

    /// Pauses the work while the program is suspended.
    public nonisolated func setSuspended(_ isSuspended: Bool) {
        let task = current.withLock { $0 }
        if isSuspended { task?.pause() } else { task?.resume() }
    }

    /// Ends the queue. Tiles that were received are written, and unfinished regions are marked as paused.
    /// - Returns: The unfinished regions, the running one first.
    @discardableResult
    public func close() async -> [RegionRecord] {
        isClosing = true
        reports.finish()
        let ids = [task?.record.id ?? starting].compactMap(\.self) + waiting.map(\.id)
        waiting = []
        if let task { await RegionQueue.interrupt(task) }
        return ids.compactMap { id in
            guard let record = try? regions.store.region(id), [.queued, .paused].contains(record.state) else {
                return nil
            }
            try? regions.store.setState(
                .paused, of: record.number, reason: RegionQueue.interruption, at: .now)
            return record
        }
    }

    /// Ends work so that it can be resumed. Waits two seconds at most for a write in progress.
    private static func interrupt(_ task: RegionTask) async {
        let before = task.record
        task.cancel()
        let hasEnded = await outcome(within: .seconds(2)) { await task.finish() } != nil
        guard !hasEnded || task.record.state == .cancelled, !task.isLost else { return }
        guard before.state.isUnfinished || before.state == .paused else { return }
        try? task.store.setState(.paused, of: before.number, at: .now)
    }
}
