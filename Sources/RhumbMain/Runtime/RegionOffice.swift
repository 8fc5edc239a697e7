internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import Synchronization

/// Keeps the regions for the program on the terminal: plans, starts, goes on with what was broken
/// off, one region after another, and tells how they stand.
final class RegionOffice: Sendable {
    private struct State {
        var layers: [TileLayer] = []
        var queue: [(id: String, pass: RegionPass)] = []
        /// What is about to become the task.
        var starting: String?
        var task: RegionTask?
        var meter: RateMeter?
        /// Those that could not be taken up: nobody wants to be told again and again.
        var refused: Set<String> = []
        var isClosing = false
    }

    private let regions: Regions?
    private let client: HTTPClient
    private let loader: DocumentLoader
    private let fetcher: CachedTileFetcher
    private let opener: SourceOpener
    private let inbox: Inbox
    private let state = Mutex(State())
    /// How often regions are looked for that were left alone.
    private static let watch = Duration.seconds(5)

    init(_ web: Web, _ opener: SourceOpener, _ inbox: Inbox) {
        (regions, client, loader, fetcher) = (web.regions, web.client, web.loader, web.fetcher)
        (self.opener, self.inbox) = (opener, inbox)
    }

    // MARK: Questions

    func answer(_ question: RegionQuestion, _ layers: [TileLayer]) {
        state.withLock { $0.layers = layers }
        Task.detached { [self] in
            switch question {
            case .list: tellList()
            case .plan(let draft): inbox.put(.regionPlan(Result { () throws(Notice.Problem) in try plan(draft) }, draft))
            case .start(let draft): report { () throws(Notice.Problem) in try start(draft) }
            case .startIfAllowed(let draft): startIfAllowed(draft)
            case .act(let act, let id): report { () throws(Notice.Problem) in try perform(act, id) }
            }
        }
    }

    func rename(_ id: String, to name: String) {
        report { () throws(Notice.Problem) in
            try self.told { regions in
                let record = try regions.store.region(id)
                var definition = try record.readDefinition()
                definition.name = SafeText.sanitised(name, limit: 80)
                try regions.store.change(record.number, to: definition)
                return "now called \(definition.name)"
            }
        }
    }

    private func report(_ body: () throws(Notice.Problem) -> String) {
        inbox.put(.regionDone(Result { () throws(Notice.Problem) in try body() }))
    }

    /// Runs `body` with the regions; its errors become sentences.
    private func told<Value>(_ body: (Regions) throws -> Value) throws(Notice.Problem) -> Value {
        guard let regions else { throw Notice.Problem("\(RegionStoreFailure.switchedOff)") }
        do {
            return try body(regions)
        } catch let problem as Notice.Problem {
            throw problem
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    // MARK: Planning

    private func plan(_ draft: RegionDraft) throws(Notice.Problem) -> RegionPlan {
        try told { regions in
            let (definition, sources) = try made(draft, regions)
            return try regions.plan(definition, sources, isPermitted: draft.isPermitted)
        }
    }

    private func made(_ draft: RegionDraft, _ regions: Regions) throws -> (RegionDefinition, [RegionSource]) {
        let layers = state.withLock { $0.layers }.filter { draft.layers.contains($0.id) }
        let maps = Dictionary(grouping: layers, by: \.words).sorted { $0.key < $1.key }
        let features = fetcher.configuration.enabledFeatures.map(\.name).sorted()
        let all = try maps.flatMap { try RegionSource.all($0.key, $0.value, client: client) }, sources = all.contained(in: features)
        if sources.isEmpty, let layer = all.first?.layer { throw FeatureFailure.disabled(layer.feature, wanted: layer.info.name) }
        let taken = Set(try regions.store.regions().map(\.id))
        var id = RegionID(from: draft.name), number = 2
        while taken.contains(id.text) {
            id = RegionID(from: "\(draft.name) \(number)")
            number += 1
        }
        var definition = try RegionDefinition(
            id: id, name: draft.name, geometry: .box(draft.box),
            zooms: ZoomRange(draft.zooms.lowerBound, draft.zooms.upperBound), sources: all.map(\.words), features: features,
            scale: opener.isDoubled ? 2 : 1, packing: draft.isExact ? .exact : .wholePacks)
        definition.style = opener.vectorMaps.stylePath.map(Files.named)
        return (definition, sources)
    }

    private func startIfAllowed(_ draft: RegionDraft) {
        let outcome = Result { () throws(Notice.Problem) in try plan(draft) }
        if case .success(let plan) = outcome, plan.verdict == .allowed {
            report { () throws(Notice.Problem) in try start(draft) }
        } else {
            inbox.put(.regionPlan(outcome, draft))
        }
    }

    private func start(_ draft: RegionDraft) throws(Notice.Problem) -> String {
        try told { regions in
            let (definition, sources) = try made(draft, regions)
            let record = try regions.add(definition, sources, documents: opener.documents(of: sources, style: definition.style, loader))
            enqueue(record.id, RegionPass(.download))
            return "downloading \(definition.name): \(AmountText.count(record.planned)) tiles"
        }
    }

    // MARK: Work

    /// Takes up what was broken off, now and as long as the program runs: unfinished regions that no
    /// living process works on.
    func resumeUnfinished() {
        Task.detached { [self] in
            tellList()
            while !state.withLock({ $0.isClosing }) {
                for record in (try? regions?.store.regions()) ?? [] where isLeftAlone(record) && !client.isMetered {
                    enqueue(record.id, RegionPass(.download))
                }
                try? await Task.sleep(for: RegionOffice.watch)
            }
        }
    }

    private func isLeftAlone(_ record: RegionRecord) -> Bool {
        guard record.state.isUnfinished, regions?.store.worker(of: record.number, at: .now) == nil else { return false }
        return state.withLock { state in
            record.id != state.task?.record.id && record.id != state.starting
                && !state.refused.contains(record.id) && !state.queue.contains { $0.id == record.id }
        }
    }

    private func enqueue(_ id: String, _ pass: RegionPass) {
        state.withLock { $0.queue.append((id, pass)) }
        startNext()
    }

    private func startNext() {
        guard let regions else { return }
        let next = state.withLock { state -> (id: String, pass: RegionPass)? in
            guard state.task == nil, state.starting == nil, !state.isClosing, !state.queue.isEmpty else { return nil }
            let next = state.queue.removeFirst()
            state.starting = next.id
            return next
        }
        guard let next else { return }
        do {
            let record = try regions.store.region(next.id)
            let task = try start(record, next.pass, regions)
            state.withLock { ($0.task, $0.meter, $0.starting) = (task, RateMeter(record), nil) }
            follow(task)
        } catch {
            inbox.put(.regionDone(.failure(Notice.Problem("\(error)"))))
            state.withLock { state in
                state.starting = nil
                state.refused.insert(next.id)
            }
            startNext()
        }
    }

    private func start(_ record: RegionRecord, _ pass: RegionPass, _ regions: Regions) throws -> RegionTask {
        guard pass.kind == .refresh else {
            let layers = state.withLock { $0.layers }
            return try regions.start(record, opener.sources(of: record, client: client, open: layers), pass)
        }
        var opener = opener
        opener.web?.reloadsDocuments = true
        let sources = try opener.sources(of: record, client: client)
        return try regions.update(record, sources, documents: opener.documents(of: sources, style: record.definition?.style, loader, reloads: true), pass)
    }

    private func follow(_ task: RegionTask) {
        Task.detached { [self] in
            var last = ContinuousClock.now - .seconds(1)
            for await record in task.progress() {
                state.withLock { $0.meter?.note(record) }
                guard ContinuousClock.now - last > .milliseconds(250) else { continue }
                last = .now
                tellList()
            }
            let record = await task.finish()
            state.withLock { $0.task = nil }
            if !state.withLock({ $0.isClosing }) { inbox.put(.regionDone(record.outcome)) }
            startNext()
        }
    }

    private func perform(_ act: RegionAct, _ id: String) throws(Notice.Problem) -> String {
        try told { regions in
            let record = try regions.store.region(id)
            let own = state.withLock { $0.task }.flatMap { $0.record.id == id ? $0 : nil }
            switch act {
            case .pause:
                own?.pause()
                let isTold = try own != nil || regions.store.wish(.pause, of: record.number, at: .now)
                return isTold ? "paused \(id)" : "nobody works on \(id): it is \(record.stateWord)"
            case .resume:
                if let own { own.resume() } else { enqueue(id, RegionPass(.download)) }
                return "going on with \(id)"
            case .cancel:
                own?.cancel()
                if own == nil { try regions.store.setState(.cancelled, of: record.number, at: .now) }
                return "stopped \(id); what is stored stays"
            case .refresh:
                enqueue(id, RegionPass(.refresh))
                return "asking about every tile of \(id)"
            case .retry:
                enqueue(id, RegionPass(.retry))
                return "trying the gaps of \(id) again"
            case .remove:
                let removal = try regions.remove(record)
                return "removed \(id); the disk got \(AmountText.bytes(removal.freedBytes)) back"
            case .export:
                return try export(record, regions)
            }
        }
    }

    /// One archive; of several sources one each.
    private func export(_ record: RegionRecord, _ regions: Regions) throws -> String {
        let name = record.parts.count > 1 ? "\(record.id)-\(Regions.sourcePlaceholder).pmtiles" : "\(record.id).pmtiles"
        let files = try regions.exportEach(record, to: name, generator: "Rhumb \(CommandTable.version)")
        return "wrote " + files.map { file in
            "\(file.path): \(AmountText.count(file.summary.tiles)) tiles, \(AmountText.bytes(file.summary.bytes))"
        }.joined(separator: "; ")
    }

    // MARK: The terminal

    /// The program is suspended, or goes on.
    func setSuspended(_ isSuspended: Bool) {
        guard let task = state.withLock({ $0.task }) else { return }
        if isSuspended { task.pause() } else { task.resume() }
    }

    /// The program ends: what is under way is written, and taken up the next time.
    func close() {
        let task = state.withLock { state in
            state.isClosing = true
            return state.task
        }
        guard let task, let regions else { return }
        let before = task.record
        task.cancel()
        _ = wait(upTo: 2) { await task.finish() }
        if task.record.state == .cancelled, before.state.isUnfinished {
            try? regions.store.setState(.queued, of: before.number, reason: "broken off", at: .now)
        }
    }

    private func tellList() {
        guard let regions, let records = try? regions.store.regions() else { return }
        let task = state.withLock { $0.task }, pace = state.withLock { $0.meter?.text ?? "" }
        inbox.put(.regions(records.map { record in
            let isOwn = task?.record.number == record.number
            return RegionItem(
                isOwn ? task?.record ?? record : record, expiry: (try? regions.store.earliestExpiry(of: record)) ?? nil,
                isUnderWay: isOwn, pace: isOwn ? pace : "")
        }))
    }
}
