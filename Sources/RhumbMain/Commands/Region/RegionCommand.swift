internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb region …`: lists, creates, changes and downloads regions.
struct RegionCommand {
    let invocation: Invocation
    let session: MapSession
    let queue: RegionQueue

    var regions: Regions { queue.regions }
    var store: RegionStore { regions.store }

    /// Runs a region command. Only `check --repair` moves a damaged store aside and recovers its contents.
    static func run(_ verb: RegionVerb, _ invocation: Invocation) async throws -> Int32 {
        try await invocation.withSession(asksFirst: false) { session in
            if invocation[.repair], case .failure(.damaged(let file, _)) = session.regionStore {
                return try await RegionMaintenance.recover(file, invocation)
            }
            if RegionCommand.storing.contains(verb) || invocation[.repair] {
                session.offlineSearch.startIndexing()
            }
            defer { if verb == .remove { session.offlineSearch.forgetRemoved() } }
            let queue = try session.offline.regions(openedBy: MapOptions(invocation, session).opener)
            return try await RegionCommand(invocation: invocation, session: session, queue: queue).run(verb)
        }
    }

    private func run(_ verb: RegionVerb) async throws -> Int32 {
        if RegionCommand.notOfPackages.contains(verb) || invocation[.repair] {
            try (try? record())?.requireNoPackage()
        }
        switch verb {
        case .list: try list()
        case .plan: return try await plan()
        case .add: return try await add()
        case .show: try show()
        case .update: return try await update()
        case .resume: return try await resume()
        case .pause: return try await send(.pause)
        case .cancel: return try await send(.cancel)
        case .remove: try await remove()
        case .rename: try rename()
        case .check where invocation[.repair]: return try await RegionMaintenance(self).repair()
        case .check:
            guard invocation.operand != nil else {
                throw UsageError(
                    "region check: missing ID; rhumb area check checks everything that is stored")
            }
            return try RegionMaintenance(self).check()
        case .why: return try RegionMaintenance(self).why()
        case .export: return try RegionMaintenance(self).export()
        case .import: return try await RegionMaintenance(self).importArchive()
        }
        return ExitStatus.done
    }

    /// The commands that store tiles, which are indexed as they arrive.
    private static let storing: Set<RegionVerb> = [.add, .update, .resume, .import]

    /// The commands that have counterparts for packages.
    private static let notOfPackages: Set<RegionVerb> = [.update, .resume, .rename]

    /// Returns the region with the given id, or else the installed package of that name.
    func record() throws -> RegionRecord {
        let id = invocation.operand ?? ""
        do throws(RegionStoreFailure) { return try regions.record(id) } catch {
            guard case .noRegion = error else { throw error }
            let packages = try store.regions().filter { $0.package?.package == id }
            guard let package = packages.first else { throw error }
            guard packages.count == 1 else {
                let ids = packages.map(\.id).joined(separator: ", ")
                throw Notice.Problem("no region \(id), but several packages of that name; give one of \(ids)")
            }
            return try regions.record(package.id)
        }
    }

    // MARK: Listing regions

    private func list() throws {
        if let time = try invocation.seconds(.expiring) { return try listExpiring(within: time) }
        let records = try regions.records(), now = UnixSeconds.now
        let table = TextTable(
            ["id", "state", "tiles", "absent", "stored", "age", "name"], leading: 2, closing: 1,
            records.map { record in
                [
                    record.id, isLeft(record, at: now) ? "interrupted" : record.stateWord,
                    "\(AmountText.count(record.tiles))/\(AmountText.count(record.plannedInUse))",
                    AmountText.count(record.absent),
                    AmountText.bytes(record.bytes),
                    AmountText.age(max(now.seconds(since: record.changed), 0)),
                    record.title,
                ]
            })
        let none = ["No regions yet. See rhumb region add --help."]
        try invocation.print(records.isEmpty ? none : table.lines, .array(records.map(\.summary)))
    }

    /// True for an unfinished region that no process downloads.
    private func isLeft(_ record: RegionRecord, at now: UnixSeconds) -> Bool {
        record.isInterrupted
            || (record.state == .running || record.state == .waitingForNetwork)
                && store.worker(of: record.number, at: now) == nil
    }

    private func listExpiring(within time: Int64) throws {
        let items = try store.expiringItems(before: .now.adding(time))
        let none = ["Nothing expires within \(AmountText.age(time))."]
        try invocation.print(items.isEmpty ? none : items.table(at: .now), .array(items.map(\.json)))
    }

    private func show() throws {
        let record = try record()
        var lines = record.lines
        if let unfinished = record.unfinishedUpdate { lines.insert("  \(unfinished)", at: 2) }
        if let worker = store.worker(of: record.number, at: .now) {
            lines.append(
                "  being downloaded by process "
                    + "\(worker)")
        }
        if let expiry = try store.earliestExpiry(of: record, includesUnknown: true) {
            let left = expiry.seconds(since: .now)
            lines.append(
                left > 0
                    ? "  fresh for \(AmountText.age(left))"
                    : "  stale for \(AmountText.age(-left)); update it with \(record.command("update"))")
        }
        let gaps = try store.gaps(of: record.number)
        lines += gaps.prefix(10).map { "  gap \($0.tile): \($0.reason)" }
        let summary = try summary(record, gaps)
        try invocation.print(lines, summary)
    }

    private func summary(_ record: RegionRecord, _ gaps: [RegionGap]) throws -> JSON {
        record.summary.adding([
            "worker": .count(store.worker(of: record.number, at: .now)),
            "expiresAt": .time(try store.earliestExpiry(of: record, includesUnknown: true)),
            "gaps": .array(
                gaps.map { gap in
                    [
                        "source": .string(gap.origin.key), "tile": .string("\(gap.tile)"),
                        "reason": .string(gap.reason),
                    ]
                }),
        ])
    }

    // MARK: Creating regions

    private func plan() async throws -> Int32 {
        let creation = try await RegionCreation(self), plan = creation.plan
        if let sentence = creation.missingHeights { Output.say("rhumb: \(sentence)") }
        var cost = plan.cost, weights = TileWeights()
        if await weights.readListed(of: plan.definition, plan.sources, cost) {
            cost = weights.applied(to: cost, of: plan.definition.geometry)
        }
        try invocation.print(cost.lines, cost.json)
        guard cost.verdict.mayProceed else { return ExitStatus.failed }
        return creation.isAreaWhole ? ExitStatus.done : ExitStatus.gaps
    }

    private func add() async throws -> Int32 {
        let creation = try await RegionCreation(self), plan = creation.plan
        if let sentence = creation.missingHeights { Output.say("rhumb: \(sentence)") }
        try requireNetwork(for: plan.definition.id.text)
        for note in plan.cost.sources.flatMap(\.notes) { Output.note("rhumb: \(note)") }
        let status = try await work(record(of: plan), pass(.download), sources: plan.sources)
        let isWhole = creation.isAreaWhole && creation.missingHeights == nil
        return status == ExitStatus.done && !isWhole ? ExitStatus.gaps : status
    }

    /// Creates the region of a plan, or returns the existing one, if limits, policies and the free disk space
    /// allow it.
    /// - Throws: A sentence, also if a region of that id has another definition.
    func record(of plan: RegionProposal) async throws -> RegionRecord {
        if let old = try? store.region(plan.definition.id.text) {
            try RegionChange(old: old, plan: plan).requireSame()
        }
        guard plan.cost.verdict == .allowed else { throw RegionStoreFailure.refused(plan.cost.verdict) }
        return try await queue.add(plan)
    }

    /// Throws a sentence if the user has disabled the network, before anything is stored.
    private func requireNetwork(for id: String) throws {
        guard !invocation[.offline] else {
            throw Notice.Problem("region \(id) needs the network, so nothing was changed; omit --offline")
        }
    }

    func pass(_ kind: SyncMode.Kind) -> SyncMode {
        var pass = SyncMode(kind)
        pass.acceptsExpired = invocation[.acceptExpired]
        return pass
    }

    private func update() async throws -> Int32 {
        var pass = pass(.refresh)
        if let age = try invocation.seconds(.olderThan) { pass.olderThan = UnixSeconds.now.adding(-age) }
        var record = try record()
        try requireNetwork(for: record.id)
        if invocation[.reconfigure] {
            record = try await reconfigure(record)
        }
        return try await work(record, pass)
    }

    /// Changes a region to the currently enabled features, and prints the differences.
    private func reconfigure(_ record: RegionRecord) async throws -> RegionRecord {
        let before = try record.readDefinition()
        var after = before
        after.features = try invocation.layerConfiguration().enabledFeatures.map(\.name).sorted()
        let sources = try await queue.sources(of: before, previous: record)
        for source in sources {
            let groups = zip(try regions.groups(before, source), try regions.groups(after, source))
            for (old, new) in groups where old.isContained != new.isContained {
                Output.note("rhumb: \(new.isContained ? "+" : "−") \(new.text)")
            }
        }
        try store.change(record.number, to: after)
        let remaining = sources.contained(in: after.features)
        if Set(remaining.map(\.origin)) == Set(sources.contained(in: before.features).map(\.origin)) {
            return try self.record()
        }
        return try await queue.add(queue.plan(after, of: remaining, isPermitted: invocation[.permitted]))
    }

    /// - Parameter sources: The sources of the region's plan; nil to open them.
    func work(
        _ record: RegionRecord, _ pass: SyncMode, sources: [RegionSource]? = nil
    ) async throws -> Int32 {
        try requireNetwork(for: record.id)
        if invocation[.detach] { return try RegionRun.detach(record, pass, invocation) }
        return try await RegionRun(command: self, record: record, pass: pass, sources: sources).run()
    }

    // MARK: Changing regions

    /// Resumes a region in the process that paused it, or otherwise in this one.
    private func resume() async throws -> Int32 {
        let record = try record()
        let response = try await regions.send(.resume, to: record)
        if case .noWorker = response { return try await work(record, pass(.download)) }
        try report(response, of: record)
        return ExitStatus.done
    }

    /// - Parameter isTold: True if another process works on the region and has received the command.
    private func report(_ line: String, _ state: String, isTold: Bool, of record: RegionRecord) throws {
        try invocation.print(
            [line], ["state": .string(state), "id": .string(record.id), "told": .bool(isTold)])
    }

    /// Reports the effect of a request to another process.
    private func report(_ response: WorkerResponse, of record: RegionRecord) throws {
        guard case .obeyed(let now) = response else {
            return try report(
                "Request sent to the downloading process", "requested", isTold: true, of: record)
        }
        try report("\(now.id) is \(now.stateWord)", now.state.word, isTold: true, of: record)
    }

    private func send(_ command: WorkerCommand) async throws -> Int32 {
        let record = try record()
        let response = try await regions.send(command, to: record)
        guard case .noWorker = response else {
            try report(response, of: record)
            return ExitStatus.done
        }
        if record.state.isUnfinished || record.state == .paused {
            let state = command == .pause ? RegionState.paused : .cancelled
            try store.setState(state, of: record.number, at: .now)
            try report(
                "No process is downloading it; its state was changed", state.word, isTold: false, of: record)
        } else {
            let line = "\(record.id) is \(record.stateWord); no process is downloading it"
            try report(line, record.stateWord, isTold: false, of: record)
        }
        return ExitStatus.done
    }

    private func remove() async throws {
        let ids = (invocation.operand ?? "").split(separator: " ").map(String.init)
        let records = try ids.map { try regions.record($0) }
        for record in records { try record.requireNoPackage() }
        var lines: [String] = [], items: [JSON] = []
        for record in records {
            try await regions.endPaused(record)
            let removal = try regions.remove(record)
            let remaining =
                "\(AmountText.count(removal.sharedTiles, "tile")) (\(AmountText.bytes(removal.sharedBytes)))"
            let shared = removal.sharedTiles > 0 ? "; \(remaining) stay, as other regions use them" : ""
            let own = AmountText.bytes(max(record.bytes - removal.sharedBytes, 0)),
                name = ids.count > 1 ? "\(record.id): " : ""
            lines.append("\(name)removed \(AmountText.count(removal.tiles, "tile")), \(own)\(shared)")
            items.append([
                "state": "removed", "id": .string(record.id), "tiles": .integer(removal.tiles),
                "freedBytes": .integer(removal.freedBytes),
                "sharedTiles": .integer(removal.sharedTiles), "sharedBytes": .integer(removal.sharedBytes),
            ])
        }
        try invocation.print(lines, .array(items))
    }

    private func rename() throws {
        let record = try record()
        let old = try record.readDefinition()
        let id = try invocation[.newID].map { text in try RegionID(text) } ?? old.id
        var new = old.renamed(to: id, name: invocation[.name] ?? (old.name == old.id.text ? "" : old.name))
        new.metadata = try invocation.metadata() ?? old.metadata
        if id != old.id, try store.regions().contains(where: { $0.id == id.text }) {
            throw Notice.Problem("region \(id.text) already exists; choose another id")
        }
        // A process that is downloading the region knows it by its id.
        if id != old.id, record.state == .paused, let worker = store.worker(of: record.number, at: .now) {
            throw Notice.Problem(
                "region \(record.id) is paused in process \(worker); end that with rhumb region cancel "
                    + "\(record.id), then rename it")
        }
        if id != old.id { try store.claim(record, at: .now) }
        defer { if id != old.id { try? store.release(record.number) } }
        try store.change(record.number, to: new)
        try invocation.print(
            ["\(record.id) is now \(id.text), \(new.name)"],
            [
                "state": "renamed", "id": .string(id.text), "oldID": .string(record.id),
                "name": .string(new.name),
            ])
    }
}
