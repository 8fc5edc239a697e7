import CSimulation
import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbOffline
import RhumbStore
import RhumbTestSupport

/// The user's actions.
extension Simulation {
    private static let ids = ["home", "work", "trip", "sea", "town"]

    func act() throws {
        let program = try open()
        switch draw(0..<43) {
        case 0..<12: for _ in 0..<draw(1..<6) { view(program) }
        case 12..<16: download(program, Simulation.ids.randomElement(using: &generator) ?? "home")
        case 16: job(program)?.pause()
        case 17: job(program)?.resume()
        case 18: job(program)?.cancel()
        case 19, 20: download(program, complete.randomElement(sorted: &generator) ?? "home", refresh: true)
        case 21: remove(program, complete.randomElement(sorted: &generator) ?? "home")
        case 22: verify(program, complete.randomElement(sorted: &generator) ?? "home")
        case 23:
            // An empty cache has 192 KiB.
            program.cache.quota = [Program.quota, 260_000, 350_000].randomElement(using: &generator) ?? 0
            checkQuota(program)
        case 24, 25:
            program.client.isOffline.toggle()
            log("offline \(program.client.isOffline)")
        case 26: program.client.isMetered.toggle()
        case 27: world.isDown.toggle()
        case 28...31: publish()
        case 32: world.publish(World.archive)
        case 33: jump()
        case 34: failDisk()
        case 35: try restart(losing: [nil, 0, 30, 100, 101].randomElement(using: &generator) ?? nil)
        case 36: try openSecond()
        case 37: closeSecond()
        case 38: if let second { view(second) }
        case 39: if let second { download(second, "other") }
        default: viewArchive(program)
        }
    }

    private func job(_ program: Program) -> RegionJob? {
        let ids = program.jobs.keys.sorted()
        guard let id = ids.randomElement(using: &generator) else { return nil }
        log("a job of \(id)")
        return program.jobs[id]
    }

    private func jump() {
        let seconds = [-86_400, -3600, -30, 30, 3600, 86_400].randomElement(using: &generator) ?? 30
        slack += Int64(abs(seconds))
        lastDate = max(lastDate, sim_now() / Simulation.second + offset)
        offset += Int64(seconds)
        sim_jump(Int64(seconds) * Simulation.second)
        log("the clock jumps by \(seconds) s")
    }

    private func failDisk() {
        hasDiskFault = true
        hadDiskFault = true
        switch draw(0..<4) {
        case 0: sim_disk_room(Int64(draw(0..<200_000)))
        case 1: sim_disk_faults(Int32(draw(1..<4)))
        default:
            sim_disk_room(-1)
            sim_disk_faults(0)
            hasDiskFault = false
        }
        log("disk")
    }

    private func publish() {
        lastPublished = (draw(0..<2) == 0 ? "tiles" : "slow", spot())
        world.publish(Program.url(lastPublished.source, lastPublished.tile))
    }

    /// A tile near those of the regions.
    private func spot() -> TileID {
        let zoom = draw(7..<12), first = 1 << (zoom - 1), count = 1 << max(0, zoom - 8)
        return TileID(zoom: zoom, x: first + draw(0..<count), y: first - 1 - draw(0..<count)) ?? .world
    }

    // MARK: Views

    private func view(_ program: Program) {
        let isChanged = draw(0..<4) == 0
        let id = isChanged ? lastPublished.source : draw(0..<3) == 0 ? "slow" : "tiles"
        let tile = isChanged ? lastPublished.tile : spot()
        guard let layer = try? program.layer(id) else { return }
        world.use(id)
        let want = WantedTile(
            layer: layer, tile: tile, urgency: draw(0..<4) == 0 ? .prefetch : .visible(view: event))
        if draw(0..<8) == 0 { program.fetcher.reload(layer) }
        if let stored = program.fetcher.stored(want), !stored.mustAsk {
            check(stored.answer, stored.standing, id, tile, "stored")
        }
        start("view \(id) \(tile)", in: program) { [self] in
            switch try await program.fetcher.fetch(want, holdsStored: false) {
            case .new(let answer, let validity):
                if program.isAlive { check(answer, validity, id, tile, "shown") }
                return validity.isStale ? "stale" : "shown"
            case .unchanged: return "unchanged"
            }
        }
    }

    /// Looks at a tile of the archive, which the map keeps open.
    @discardableResult
    private func viewArchive(_ program: Program) -> Int {
        let tile = World.archiveTiles.randomElement(using: &generator) ?? .world, view = event
        world.use("town")
        return start("view archive \(tile)", in: program) { [self] in
            let layer = try await program.archiveLayer()
            let want = WantedTile(layer: layer, tile: tile, urgency: .visible(view: view))
            guard
                case .new(.bitmap(.encoded(let body)), let validity) =
                    try await program.fetcher.fetch(want, holdsStored: false), program.isAlive
            else { return "nothing" }
            guard let version = world.archiveVersion(tile, body) else {
                violate("A tile is shown as its server sent it.", "\(tile) of the archive has other bytes")
                return ""
            }
            shownArchive = version
            let time = sim_now() - (260 + slack) * Simulation.second
            if case .fresh = validity, !world.wasCurrent(World.archive, version, since: time) {
                violate("No stale tile is shown as fresh.", "version \(version) of the archive is shown")
            }
            return "edition \(version) \(validity.isStale ? "stale" : "shown")"
        }
    }

    /// A map that is open shows a new version of an archive within two minutes.
    private func noticeArchive(_ program: Program) throws {
        for _ in 0..<4 {
            shownArchive = nil
            let number = viewArchive(program)
            try wait(for: number, seconds: 400, "No job is stuck.")
            if shownArchive == nil { log("no tile of the archive") }
            try pass(65)
        }
        let current = world.version(of: World.archive)
        if shownArchive != current {
            violate(
                "A map notices a changed archive.",
                "it shows version \(shownArchive.map(String.init) ?? "none") of \(current)")
        }
        if let violation { throw violation }
    }

    /// Checks a tile against those that the server ever had.
    private func check(
        _ answer: TileAnswer, _ validity: TileValidity, _ id: String, _ tile: TileID, _ how: String
    ) {
        guard case .bitmap(.encoded(let body)) = answer else { return }
        let url = Program.url(id, tile), versions = world.versions(url, body)
        guard let version = versions.last else {
            return violate("A tile is shown as its server sent it.", "\(url) is \(how) with other bytes")
        }
        guard case .fresh = validity else { return }
        let life = world.life(url, version).seconds + slack + 200
        if !world.wasCurrent(url, version, since: sim_now() - life * Simulation.second) {
            violate("No stale tile is shown as fresh.", "version \(version) of \(url) is \(how) as fresh")
        }
    }

    // MARK: Regions

    private func definition(_ id: String) throws -> (RegionDefinition, source: String) {
        let source = id == "town" ? "town" : id == "sea" || id == "trip" ? "slow" : "tiles"
        let east = ["home": 0.8, "work": 1.3, "trip": 1.6, "sea": 0.3][id] ?? 1.0
        let box =
            id == "town"
            ? Bounds(west: -180, south: -85, east: 180, north: 85)
            : Bounds(west: 0.1, south: 0.1, east: east, north: 1.3)
        guard let box else { throw Violation(promise: "", text: "no box") }
        return (
            try RegionDefinition(
                id: RegionID(id), name: id, metadata: .null, geometry: .box(box),
                zooms: id == "town" ? ZoomRange(0, 4) : ZoomRange(7, 10), sources: [source],
                features: ["rendering"], packing: .exact), source
        )
    }

    /// Downloads, resumes or updates a region.
    @discardableResult
    func download(_ program: Program, _ id: String, refresh: Bool = false, retry: Bool = false) -> Int {
        start("download \(id)\(refresh ? " again" : "")", in: program) { [self] in
            let (definition, name) = try definition(id)
            world.use(name)
            let source = try await program.source(name, isReload: refresh)
            if let running = program.jobs[id], !running.state.isOver {
                try secondJob(program, id, source)
                return "is running"
            }
            guard program.isAlive, program.jobs[id] == nil else { return "too late" }
            let known = try program.store.regions().first { $0.id == id }
            let record = try known ?? program.regions.add(definition, [source])
            let mode = SyncMode(refresh ? .refresh : retry ? .retry : .download)
            let job = try program.regions.start(record, [source], mode)
            program.jobs[id] = job
            _ = await job.finish()
            guard program.isAlive else { return "" }
            program.jobs[id] = nil
            let stored = try program.store.region(id)
            // From here on, the user relies on it.
            if stored.state == .complete, job.record.state == .complete { complete.insert(id) }
            return "\(stored.state) \(stored.settled)/\(stored.planned) \(stored.reason)"
        }
    }

    /// Tries to download a region that is being downloaded.
    private func secondJob(_ program: Program, _ id: String, _ source: RegionSource) throws {
        guard program.isAlive else { return }
        let job: RegionJob
        do { job = try program.regions.start(try program.store.region(id), [source]) } catch { return }
        job.cancel()
        violate("Only one job works on a region.", "two jobs of \(id)")
    }

    private func remove(_ program: Program, _ id: String) {
        complete.remove(id)
        start("remove \(id)", in: program) {
            let removed = try program.regions.remove(program.store.region(id))
            return "\(removed)"
        }
    }

    private func verify(_ program: Program, _ id: String) {
        guard complete.contains(id), program.jobs[id] == nil else { return }
        start("check \(id)", in: program) { [self] in
            let check = try program.regions.check(program.store.region(id))
            guard program.isAlive, complete.contains(id), program.jobs[id] == nil else { return "" }
            if !check.isWhole, !hasDiskFault {
                violate("A complete region shows every tile offline.", "\(id) is not whole: \(check)")
            }
            return "whole \(check.isWhole)"
        }
    }

    // MARK: Without faults

    /// Once the faults stop, every job ends, and everything is complete and current.
    func calm() throws {
        log("calm")
        let program = try open()
        world.isFaulty = false
        world.isDown = false
        sim_disk_room(-1)
        sim_disk_faults(0)
        hasDiskFault = false
        program.client.isOffline = false
        program.client.isMetered = false
        closeSecond()
        for job in program.jobs.values { job.resume() }
        // The longest time for which a server may have asked to wait.
        try pass(3700)
        if slack > 0 {
            // Until the clock reaches its last date again, responses from then count as fresh. After a day,
            // all have expired.
            try pass(Int(max(0, lastDate - sim_now() / Simulation.second - offset)) + 86_400)
            slack = 0
        }
        world.publish(World.archive)
        try noticeArchive(program)
        for id in Set(try program.store.regions().map(\.id)).union(["home", "town"]).sorted() {
            for refresh in [false, true] {
                for (id, job) in program.jobs.sorted(by: { $0.key < $1.key }) {
                    let number = start("end of \(id)", in: program) {
                        await job.finish()
                        return ""
                    }
                    try wait(for: number, seconds: 1200, "Once the faults stop, every job ends.")
                }
                let number = download(program, id, refresh: refresh, retry: !refresh)
                try wait(for: number, seconds: 1200, "Once the faults stop, every job ends.")
                guard let record = try? program.store.region(id) else {
                    violate("Once the faults stop, every job ends.", "\(id) can't be created")
                    continue
                }
                // Without an update, an archive that was replaced can't be continued.
                if refresh, record.state != .complete {
                    violate(
                        "Once the faults stop, every job ends.",
                        "\(id) is \(record.state) \(record.settled)/\(record.planned): \(record.reason)")
                }
            }
        }
        try check(all: true, program, isCurrent: true)
        try checkFiles()
        try viewUnreachableTiles(program)
        world.isFaulty = true
    }

    /// While its server can't be reached, a view requests a tile at most three times.
    private func viewUnreachableTiles(_ program: Program) throws {
        world.isDown = true
        // No region and no other view has tiles of this zoom.
        let tile = TileID(zoom: 12, x: 2048, y: 2047) ?? .world
        for id in ["tiles", "slow"] {
            let want = WantedTile(
                layer: try program.layer(id), tile: tile, urgency: .visible(view: event))
            let requests = world.requestCount
            let number = start("view unreachable \(id)", in: program) {
                "\(try await program.fetcher.fetch(want, holdsStored: false))"
            }
            try wait(for: number, seconds: 400, "No job is stuck.")
            let count = world.requestCount - requests
            if count > RetryRule.interactive.tries {
                violate("A view gives up after three tries.", "\(count) requests of a tile of \(id)")
            }
        }
        world.isDown = false
        try pass(61)
    }
}

extension Set<String> {
    func randomElement(sorted generator: inout SplitMix) -> String? {
        sorted().randomElement(using: &generator)
    }
}
