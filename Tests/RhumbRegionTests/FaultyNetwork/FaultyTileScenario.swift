import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
import RhumbStore
import RhumbTestSupport

/// A view of tiles through the cache, over a faulty network. A model of the cache, written only from
/// RFC 9111 and Rhumb's documented departures, predicts each response and each request.
struct FaultyTileScenario {
    /// The model's copy of a tile.
    private struct Copy {
        /// The version; 0 if the tile is known not to exist.
        var version: Int
        let life: SimulatedOrigin.Life
        let exchange: FaultyTransport.Exchange
        /// The time when the server generated or confirmed it, by the clock without skew.
        let generatedAt: Duration
        /// True if the user or the program marked it as outdated.
        var isOutdated = false

        /// The age in seconds (RFC 9111, 4.2.3).
        func age(at now: UnixSeconds) -> Int64 {
            let received = exchange.receivedAt, kept = now.seconds(since: received)
            // The clock was set back, so that the age is unknown.
            if kept < 0 { return 0 }
            let date = exchange.response?.headers.first("Date").flatMap { HTTPDate.parse($0, now: received) }
            let apparent = date.map { received.seconds(since: $0) } ?? 0
            return max(apparent, received.seconds(since: exchange.sentAt), 0) + kept
        }

        func hasExpired(at now: UnixSeconds) -> Bool { life.seconds <= age(at: now) }

        func isFresh(at now: UnixSeconds) -> Bool {
            !isOutdated && life != .noCache && !hasExpired(at: now)
        }

        /// Returns true if its own directives forbid its use without revalidation.
        func isForbidden(at now: UnixSeconds) -> Bool {
            life == .noCache || life == .mustRevalidate && hasExpired(at: now)
        }
    }

    private let clock = ManualClock()
    private let folder = TemporaryFolder(inMemory: true)
    private let isShared: Bool
    private var store: any ResponseStore
    private let origin: SimulatedOrigin
    private let transport: FaultyTransport
    private var fetcher: CachedTileFetcher
    private var generator: SplitMix
    private var layers: [TileLayer] = []
    /// Layers that may not request anything.
    private var silentLayers: [TileLayer] = []
    private var copies: [String: Copy] = [:]

    private static let tiles = TileID.pyramid(1...1).prefix(3)
    private static let steps = 24

    init(seed: UInt64) throws {
        generator = SplitMix(seed: seed)
        let lives = SimulatedOrigin.Life.allCases, kinds = SimulatedOrigin.Validation.allCases
        var rules = SimulatedOrigin.Rules(
            life: { url, version in
                let draw = FNV1a.hash("\(url) \(version) \(seed)".utf8)
                return lives[Int(draw % UInt64(lives.count))]
            },
            content: { url, version in
                let isAbsent = FNV1a.hash("\(version) \(url)".utf8) % 7 == 0
                return isAbsent ? nil : identifiedPicture(url, version)
            })
        rules.validation = kinds.randomElement(using: &generator) ?? .both
        origin = SimulatedOrigin(rules, clock)
        var plan = FaultyTransport.Plan(seed: generator.next())
        plan.setsClock = Bool.random(using: &generator)
        transport = FaultyTransport(origin, clock, plan)
        isShared = seed % 50 == 0
        store =
            isShared
            ? try SharedCache.open(
                folder.path + "/tiles.db", SharedCache.Options(now: { [clock] in clock.date }))
            : MemoryStore()
        var configuration = LayerConfiguration()
        configuration.neverOverTheAir = [.truck]
        fetcher = CachedTileFetcher(
            transport, store: store, configuration: configuration, date: { [clock] in clock.date })
        layers = try ["a", "b"].map { try layer($0) }
        silentLayers = [
            try layer("c") { $0.policy.viewing = false }, try layer("d") { $0.feature = .truck },
        ]
    }

    private func layer(
        _ name: String, _ change: (inout SourceDefinition) -> Void = { _ in }
    ) throws -> TileLayer {
        var definition = SourceDefinition(
            id: name, name: name, addresses: ["http://\(name).example/{z}/{x}/{y}.png"])
        definition.zooms = 0...3
        change(&definition)
        return try WebTileSource(definition).layer(id: name)
    }

    private func url(_ layer: TileLayer, _ tile: TileID) -> String {
        "http://\(layer.id).example/\(tile.zoom)/\(tile.x)/\(tile.y).png"
    }

    mutating func run() async throws {
        for step in 0..<Self.steps {
            let count = transport.exchanges.count
            do {
                try await act()
                if step % 6 == 5 { try checkStore() }
            } catch {
                throw Violation(description: "step \(step): \(error) after \(transport.exchanges[count...])")
            }
        }
        if isShared { try checkDisk() }
    }

    private mutating func act() async throws {
        let layer = layers[Int.random(in: 0..<2, using: &generator)],
            tile = Self.tiles[Int.random(in: 0..<3, using: &generator)]
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<10:
            let isVisible = Int.random(in: 0..<10, using: &generator) > 0
            try await fetch(layer, tile, isVisible ? .visible(view: 1) : .prefetch)
            try checkStore(layer, tile)
        case 10...12: origin.publish(url(layer, tile))
        case 13, 14: clock.advance(by: .seconds(Int.random(in: 1...200, using: &generator)))
        case 15: clock.advance(by: .seconds(Int.random(in: 1000...100_000, using: &generator)))
        case 16: transport.setClock(using: &generator)
        case 17: try await showOffline()
        case 18 where Bool.random(using: &generator): reload(layer)
        case 18: invalidate(layer, tile)
        default: try await fetchSilently(tile)
        }
    }

    // MARK: Actions

    private mutating func reload(_ layer: TileLayer) {
        fetcher.reload(layer)
        for tile in Self.tiles { copies[url(layer, tile)]?.isOutdated = true }
    }

    private mutating func invalidate(_ layer: TileLayer, _ tile: TileID) {
        guard let key = ResourceKey(WantedTile(layer: layer, tile: tile)),
            var response = store.response(for: key)
        else { return }
        response.isInvalidated = true
        store.store(response, for: key)
        copies[url(layer, tile)]?.isOutdated = true
    }

    /// Fetches tiles that may not be requested.
    private func fetchSilently(_ tile: TileID) async throws {
        let count = transport.exchanges.count
        for layer in silentLayers {
            _ = try? await fetcher.fetch(WantedTile(layer: layer, tile: tile), holdsStored: false)
        }
        try hold(transport.exchanges.count == count, "a request that the source's policy forbids")
    }

    /// Shows all tiles without a network: each stored one must be there.
    private mutating func showOffline() async throws {
        transport.isOffline = true
        defer { transport.isOffline = false }
        let count = transport.exchanges.count
        for layer in layers {
            for tile in Self.tiles {
                let want = WantedTile(layer: layer, tile: tile), url = url(layer, tile)
                let fetched = try? await fetcher.fetch(want, holdsStored: false)
                try hold(version(fetched, url) == copies[url]?.version, "offline: \(url) lost")
                try hold(fetcher.stored(want)?.mustAsk != true, "offline: \(url) must be revalidated")
                if let copy = copies[url], case .new(_, .fresh)? = fetched {
                    try hold(
                        copy.isFresh(at: clock.date) || isGlanced(copy), "offline: \(url) counts as fresh")
                }
            }
        }
        try hold(
            transport.exchanges.count == count && transport.offlineCalls == 0, "a request while offline")
    }

    private mutating func fetch(
        _ layer: TileLayer, _ tile: TileID, _ urgency: WantedTile.Urgency
    ) async throws {
        let want = WantedTile(layer: layer, tile: tile, urgency: urgency), url = url(layer, tile)
        try checkStored(want, url)
        let count = transport.exchanges.count, copy = copies[url]
        let wasFresh = copy?.isFresh(at: clock.date) ?? false
        if wasFresh, let copy { try checkTrueAge(copy, url) }
        let fetched = try? await fetcher.fetch(want, holdsStored: false)
        let exchanges = transport.exchanges[count...]
        for exchange in exchanges { try apply(exchange, url) }
        try hold(exchanges.allSatisfy { $0.url == url }, "\(url): another address was requested")
        if wasFresh {
            try hold(exchanges.isEmpty, "\(url): a request for a fresh tile")
            try hold(version(fetched, url) == copy?.version, "\(url): the fresh copy is not used")
        } else if let last = exchanges.last, last.isAccepted {
            try checkReceived(fetched, last, want, url)
        } else {
            let isUsed = copy.map { isSubstitute($0, for: exchanges.last) } ?? false
            try hold((fetched != nil) == isUsed, "\(url): use of a stale copy: \(fetched != nil)")
            guard let fetched else { return }
            try hold(version(fetched, url) == copy?.version, "\(url): another version instead of the copy")
            guard case .new(_, .stale) = fetched else { throw Violation(description: "\(url): not stale") }
        }
    }

    /// Returns true if a copy is used because a request failed. Without a server, every copy is. After an
    /// error of the server, only one that was marked as outdated and may be used without revalidation, or one
    /// with `stale-if-error` (RFC 5861).
    private func isSubstitute(_ copy: Copy, for failed: FaultyTransport.Exchange?) -> Bool {
        let noServer: [TransportFault] = [.connectionRefused, .nameNotFound, .connectionLost, .timedOut]
        if let end = failed?.end, noServer.contains(end) { return true }
        if copy.isOutdated { return !copy.isForbidden(at: clock.date) }
        // After the clock was set back, the age is unknown.
        return copy.life == .staleWhileRevalidate && copy.exchange.receivedAt <= clock.date
            && copy.age(at: clock.date) < copy.life.seconds + 100_000
            && [500, 502, 503, 504].contains(failed?.response?.status)
    }

    /// Applies a response to the model.
    private mutating func apply(_ exchange: FaultyTransport.Exchange, _ url: String) throws {
        guard exchange.isAccepted, let response = exchange.response else { return }
        let known = copies[url]?.version
        if response.status == 304 {
            try hold(known == response.version, "\(url): the validators of another version were sent")
        }
        let life = origin.rules.life(url, response.version)
        copies[url] =
            life == .noStore
            ? nil
            : Copy(
                version: response.shownVersion, life: life, exchange: exchange,
                generatedAt: response.generatedAt)
    }

    // MARK: Checks

    private func checkReceived(
        _ fetched: FetchedTile?, _ last: FaultyTransport.Exchange, _ want: WantedTile, _ url: String
    ) throws {
        let expected = last.isDamaged ? -1 : last.response?.shownVersion
        try hold(version(fetched, url) == expected, "\(url): a valid response is not used")
        guard let copy = copies[url], case .new(_, .fresh)? = fetched else { return }
        try hold(copy.isFresh(at: clock.date) || isGlanced(copy), "\(url): a stale tile counts as fresh")
    }

    /// Returns true if a tile that always needs revalidation was received within a minute.
    private func isGlanced(_ copy: Copy) -> Bool {
        copy.life == .noCache && !copy.isOutdated
            && clock.date.seconds(since: copy.exchange.receivedAt) < 60
    }

    /// Checks that a copy is not older than its lifetime by the true time, except for the time that the
    /// client's clock was set back. The age of a duplicate depends on that clock, too.
    private func checkTrueAge(_ copy: Copy, _ url: String) throws {
        guard clock.date >= copy.exchange.receivedAt else { return }
        let isDuplicate = copy.exchange.fault == .duplicate
        let setBack = transport.setBack - (isDuplicate ? .zero : copy.exchange.setBack)
        let age = clock.now - copy.generatedAt - setBack
        try hold(age < .seconds(copy.life.seconds + 1), "\(url): \(age) old, \(copy.life)")
    }

    /// Checks the stored tile that is on screen until a request is answered.
    private func checkStored(_ want: WantedTile, _ url: String) throws {
        guard let copy = copies[url] else {
            return try hold(fetcher.stored(want) == nil, "\(url): a tile that the model lacks is stored")
        }
        guard let stored = fetcher.stored(want) else { throw Violation(description: "\(url): lost") }
        try hold(version(stored.answer, url) == copy.version, "\(url): another version is stored")
        let now = clock.date, isForbidden = copy.isOutdated || copy.isForbidden(at: now)
        try hold(stored.mustAsk == isForbidden, "\(url): must be revalidated: \(stored.mustAsk)")
        let isFresh = if case .fresh = stored.standing { true } else { false }
        try hold(isFresh == (copy.isFresh(at: now) || isGlanced(copy)), "\(url): \(stored.standing)")
    }

    /// Checks all stored tiles.
    private mutating func checkStore() throws {
        for layer in layers {
            for tile in Self.tiles { try checkStore(layer, tile) }
        }
        if let memory = store as? MemoryStore {
            try hold(memory.responses.count == copies.count, "a tile without an address is stored")
        }
    }

    /// Checks a stored tile. A damaged one is discarded, as by the engine.
    private mutating func checkStore(_ layer: TileLayer, _ tile: TileID) throws {
        let want = WantedTile(layer: layer, tile: tile), url = url(layer, tile)
        guard let key = ResourceKey(want), let stored = store.response(for: key) else {
            return try hold(copies[url] == nil, "\(url): an acknowledged tile is lost")
        }
        guard let copy = copies[url] else { throw Violation(description: "\(url): stored") }
        if copy.exchange.isDamaged {
            fetcher.discard(want)
            copies[url] = nil
            return
        }
        let version = stored.body.map { origin.version(of: $0, at: url) ?? -1 } ?? 0
        try hold(version == copy.version, "\(url): stored \(version) of \(copy.version)")
        guard version > 0 else { return }
        let expected = Validators(of: origin.validators(url, version))
        try hold(stored.validators == expected, "\(url): stored with \(stored.validators)")
    }

    /// Opens the cache again: nothing is lost.
    private mutating func checkDisk() throws {
        store = MemoryStore()
        fetcher = CachedTileFetcher(transport)
        store = try SharedCache.open(folder.path + "/tiles.db")
        try checkStore()
    }

    /// Returns the version of a tile: 0 if it is absent, −1 if its body is none of its address; nil without a
    /// tile.
    private func version(_ fetched: FetchedTile?, _ url: String) -> Int? {
        if case .new(let answer, _)? = fetched { version(answer, url) } else { nil }
    }

    private func version(_ answer: TileAnswer, _ url: String) -> Int {
        guard case .bitmap(.encoded(let bytes)) = answer else { return 0 }
        return origin.version(of: bytes, at: url) ?? -1
    }
}

extension WireResponse {
    /// The version; 0 if the resource does not exist.
    fileprivate var shownVersion: Int { status == 404 ? 0 : version }
}
