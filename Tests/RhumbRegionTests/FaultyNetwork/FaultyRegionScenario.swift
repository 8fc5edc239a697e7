import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Synchronization

/// A region whose download is started again until it is complete, over a faulty network. Each start opens the
/// store again, as after a crash.
struct FaultyRegionScenario {
    private let clock = ManualClock()
    private let folder = TemporaryFolder(inMemory: true)
    private let origin: SimulatedOrigin
    private let transport: FaultyTransport
    private let source: RegionSource
    private let definition: RegionDefinition
    private let tiles: [TileID]
    private var store: RegionStore
    private var generator: SplitMix
    /// The stored tiles with their versions; 0 for a tile known not to exist.
    private var held: [TileID: Int] = [:]

    private static let rounds = 6

    init(seed: UInt64) throws {
        generator = SplitMix(seed: seed)
        var rules = SimulatedOrigin.Rules(
            life: { _, _ in .ages },
            content: { url, version in
                FNV1a.hash(url.utf8) % 9 == 0 ? nil : identifiedPicture(url, version)
            })
        rules.validation = SimulatedOrigin.Validation.allCases.randomElement(using: &generator) ?? .both
        origin = SimulatedOrigin(rules, clock)
        var plan = FaultyTransport.Plan(seed: generator.next())
        plan.limit = Int.random(in: 1...8, using: &generator)
        plan.yields = Int.random(in: 0...3, using: &generator)
        // A server that denies access ends the download, which would hide the other faults.
        if Bool.random(using: &generator) { plan.exceptions = [.denied] }
        transport = FaultyTransport(origin, clock, plan)
        var web = SourceDefinition(
            id: "web", name: "Web", addresses: ["http://tiles.example/{z}/{x}/{y}.png"])
        web.zooms = 0...16
        web.policy = .unlimited
        web.policy.connections = Int.random(in: 1...3, using: &generator)
        let tileSource = try WebTileSource(web)
        let supply = WebTileSupply(
            tileSource, client: transport, retrying: RetryRule(tries: 3, backoff: Backoff(base: 0, cap: 0)))
        source = RegionSource("web", tileSource.layer(id: "web"), supply, definition: web)
        let east = [0.3, 0.8, 1.3].randomElement(using: &generator) ?? 1.3
        definition = try RegionDefinition(
            id: RegionID("home"), name: "",
            geometry: .box(try require(Bounds(west: 0.1, south: 0.1, east: east, north: 1.3))),
            zooms: ZoomRange(7, 9), sources: ["web"], features: ["rendering"], packing: .exact)
        tiles = Array(definition.cover(available: 0...16).tiles())
        store = try RegionStore(folder.path + "/regions.db")
    }

    private func url(_ tile: TileID) -> String {
        "http://tiles.example/\(tile.zoom)/\(tile.x)/\(tile.y).png"
    }

    private func key(_ tile: TileID) -> ResourceKey { .tile(origin: source.origin, tile) }

    private var regions: Regions { Regions(store, cache: nil, clock: clock.hastyClock) }
    private var record: RegionRecord { get throws { try store.region("home") } }

    mutating func run() async throws {
        _ = try regions.add(definition, [source])
        for round in 0..<Self.rounds {
            let count = transport.exchanges.count
            do {
                try await act()
            } catch {
                let exchanges = transport.exchanges[count...].map { "\n\($0)" }.joined()
                throw Violation(description: "round \(round): \(error) after\(exchanges)")
            }
        }
        try await finish()
    }

    private mutating func act() async throws {
        store = try RegionStore(folder.path + "/regions.db")
        try checkHeld(try stored(), "after opening the store again")
        if Int.random(in: 0..<3, using: &generator) == 0 {
            origin.publish(url(tiles.randomElement(using: &generator) ?? .world))
        }
        // Longer than each pause of a source.
        clock.advance(by: .seconds(Int.random(in: 700...9000, using: &generator)))
        switch Int.random(in: 0..<12, using: &generator) {
        case 0..<2: try await work(SyncMode(.download))
        case 2..<5: try await work(SyncMode(.retry))
        case 5..<9: try await work(SyncMode(.refresh))
        default: try await browse()
        }
    }

    // MARK: Downloads

    private mutating func work(_ mode: SyncMode) async throws {
        let before = held, old = try record, count = transport.exchanges.count
        if mode.kind == .refresh { revalidated = [] }
        let job = try regions.start(old, [source], mode), interruption = Atomic(false)
        if transport.isFaulty, Int.random(in: 0..<3, using: &generator) == 0 {
            let last = transport.started + Int.random(in: 1...8, using: &generator)
            transport.onRequest { number in
                guard number == last, job.cancel(.interrupted) else { return }
                interruption.store(true, ordering: .releasing)
            }
        }
        let outcome = await job.finish()
        transport.onRequest { _ in }
        if case .failure(let failure) = outcome, failure != .cancelled {
            throw Violation(description: "\(failure)")
        }
        let exchanges = Array(transport.exchanges[count...])
        try checkRequests(exchanges)
        try checkResumption(exchanges, before, old, mode)
        try update(by: exchanges, isInterrupted: interruption.load(ordering: .acquiring))
        try checkLedger()
    }

    /// Checks that no tile is requested again after it arrived, and that the policy's connections suffice.
    private func checkRequests(_ exchanges: [FaultyTransport.Exchange]) throws {
        for (url, requests) in Dictionary(grouping: exchanges, by: \.url) {
            let isRepeated = requests.dropLast().contains { $0.isAccepted && !$0.isDamaged }
            try hold(!isRepeated, "\(url) was requested again after it arrived")
        }
        let urls = Set(tiles.map(url))
        try hold(exchanges.allSatisfy { urls.contains($0.url) }, "a tile outside the region was requested")
        let window = source.supply.policy.connections * 2
        try hold(transport.peak <= window, "\(transport.peak) requests at once, at most \(window) allowed")
    }

    /// Checks that a download requests only missing tiles, and that a resumed refresh requests no tile again.
    private func checkResumption(
        _ exchanges: [FaultyTransport.Exchange], _ before: [TileID: Int], _ old: RegionRecord,
        _ mode: SyncMode
    ) throws {
        guard mode.kind != .refresh else { return }
        let requested = Set(exchanges.map(\.url))
        for tile in before.keys where requested.contains(url(tile)) {
            try hold(old.refresh != nil, "\(tile) was requested, but is stored")
            try hold(!revalidated.contains(tile), "\(tile) was revalidated before")
        }
    }

    /// The tiles that the current refresh has revalidated and stored.
    private var revalidated: Set<TileID> = []

    /// Compares the store with the responses. A response whose tile was not yet written when the download
    /// was interrupted may be lost.
    private mutating func update(by exchanges: [FaultyTransport.Exchange], isInterrupted: Bool) throws {
        let stored = try stored()
        for tile in tiles {
            let requests = exchanges.filter { $0.url == url(tile) }, last = requests.last
            guard let last, last.isAccepted, !last.isDamaged, let response = last.response else {
                try hold(stored[tile] == held[tile], "\(tile) has changed from \(held[tile] ?? -1)")
                continue
            }
            let version = response.status == 404 ? 0 : response.version
            let isKept = isInterrupted && stored[tile] == held[tile]
            try hold(
                stored[tile] == version || isKept,
                "\(tile) is stored as \(stored[tile] ?? -1), not \(version)")
            if response.status == 304 {
                try hold(held[tile] == version, "\(tile): the validators of another version were sent")
            }
            if stored[tile] == version, try isRevalidated(tile, since: last) { revalidated.insert(tile) }
        }
        held = stored
        if try record.refresh == nil { revalidated = [] }
    }

    private func isRevalidated(_ tile: TileID, since exchange: FaultyTransport.Exchange) throws -> Bool {
        store.response(for: key(tile)).map { $0.freshness.receivedAt >= exchange.receivedAt } ?? false
    }

    /// Checks the counts of the ledger. A tile that a refresh could not revalidate is a gap, although its old
    /// version is still stored.
    private func checkLedger() throws {
        let record = try record
        guard record.refresh == nil else { return }
        let gaps = Set(try store.gaps(of: record.number).map(\.tile))
        let counted = held.filter { !gaps.contains($0.key) }, bodies = counted.values.count { $0 > 0 }
        try hold(record.tiles == bodies, "\(record.tiles) tiles in the ledger, \(bodies) stored")
        let absent = counted.count - bodies
        try hold(record.absent == absent, "\(record.absent) absent tiles in the ledger, \(absent) stored")
        try hold(record.failed == gaps.count, "\(record.failed) failed tiles, \(gaps.count) gaps")
        let isDone = counted.count == tiles.count
        if record.state == .complete {
            try hold(isDone, "complete without \(tiles.count - held.count) tiles")
        }
    }

    // MARK: Browsing

    /// Reloads tiles in view, which also updates the region.
    private mutating func browse() async throws {
        let store = store
        let fetcher = CachedTileFetcher(
            transport, store: MemoryStore(), regions: store, renewsRegions: true,
            date: { [clock] in clock.date })
        let packs = PackRenewal(fetcher) { store }
        defer { packs.cancel() }
        fetcher.reload(source.layer)
        let gaps = try record.state == .completeWithGaps ? store.gaps(of: try record.number).map(\.tile) : []
        for tile in tiles.shuffled(using: &generator).prefix(5) {
            let count = transport.exchanges.count
            _ = try? await fetcher.fetch(WantedTile(layer: source.layer, tile: tile), holdsStored: false)
            guard let last = transport.exchanges[count...].last, last.isAccepted, !last.isDamaged,
                let response = last.response, held[tile] != nil || gaps.contains(tile)
            else { continue }
            held[tile] = response.status == 404 ? 0 : response.version
        }
        try checkHeld(try stored(), "after browsing")
        try checkLedger()
    }

    // MARK: The end

    /// Completes the region over a network without faults.
    private mutating func finish() async throws {
        transport.behave()
        clock.advance(by: .seconds(4000))
        try await work(SyncMode(.retry))
        try checkComplete("a retry")
        let count = transport.exchanges.count
        try await work(SyncMode(.download))
        try hold(transport.exchanges.count == count, "a request for a complete region")
        clock.advance(by: .seconds(60))
        try await work(SyncMode(.refresh))
        let refreshed = transport.exchanges[count...]
        try hold(refreshed.count == tiles.count, "a refresh of \(tiles.count) tiles: \(refreshed.count)")
        for tile in tiles where held[tile] ?? 0 > 0 {
            let current = origin.version(of: url(tile))
            try hold(held[tile] == current, "\(tile) is \(held[tile] ?? 0) after a refresh, not \(current)")
        }
        try checkComplete("a refresh")
        try await showOffline()
    }

    private func checkComplete(_ work: String) throws {
        let record = try record
        try hold(record.state == .complete, "\(record.state) after \(work): \(record.reason)")
    }

    /// Shows the region without a network.
    private func showOffline() async throws {
        transport.isOffline = true
        let fetcher = CachedTileFetcher(
            transport, store: MemoryStore(), regions: store, date: { [clock] in clock.date })
        for tile in tiles {
            let shown = fetcher.stored(WantedTile(layer: source.layer, tile: tile))
            try hold(shown.map { version($0.answer, tile) } == held[tile], "\(tile) is not shown offline")
        }
        try hold(transport.offlineCalls == 0, "a request while offline")
    }

    // MARK: The store

    private func checkHeld(_ stored: [TileID: Int], _ moment: String) throws {
        for tile in tiles {
            try hold(
                stored[tile] == held[tile],
                "\(tile) is \(stored[tile] ?? -1), not \(held[tile] ?? -1) \(moment)")
        }
    }

    /// Returns the stored tiles with their versions. A tile with the body of another address is a violation.
    private func stored() throws -> [TileID: Int] {
        var versions: [TileID: Int] = [:]
        for tile in tiles {
            guard let response = store.response(for: key(tile)) else { continue }
            let version = response.body.map { origin.version(of: $0, at: url(tile)) ?? -1 } ?? 0
            try hold(version >= 0, "\(tile) is stored with the body of another tile, or damaged")
            versions[tile] = version
            guard version > 0 else { continue }
            let expected = Validators(of: origin.validators(url(tile), version))
            try hold(
                response.validators == expected, "\(tile) v\(version) is stored with \(response.validators)")
        }
        return versions
    }

    private func version(_ answer: TileAnswer, _ tile: TileID) -> Int {
        guard case .bitmap(.encoded(let bytes)) = answer else { return 0 }
        return origin.version(of: bytes, at: url(tile)) ?? -1
    }
}

extension ManualClock {
    /// The clock for downloads: a wait advances it at once. The heartbeat, once a second, waits until it is
    /// cancelled.
    var hastyClock: EngineClock {
        EngineClock(
            now: { self.now },
            sleep: { time in
                if time >= .seconds(1) {
                    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
                    for await _ in stream {}
                    continuation.finish()
                    throw CancellationError()
                }
                self.advance(by: time + .milliseconds(1))
                await Task.yield()
            }, date: { self.date })
    }
}
