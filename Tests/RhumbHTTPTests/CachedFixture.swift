import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbStore
import RhumbTestSupport

/// A loopback server behind the client, the shared cache and the engine, with a date that the test sets. The
/// view shows a single tile, the world.
struct CachedFixture {
    let server: LoopbackServer
    let clock = ManualClock()
    let folder = TemporaryFolder()
    let client: HTTPClient
    let store: SharedCache
    let fetcher: CachedTileFetcher
    let layer: TileLayer
    let view = Viewport.small(0.1, 0.1, zoom: 0)

    init(
        headers: HTTPHeaders = [:], configuration: LayerConfiguration = LayerConfiguration(),
        change: (inout TileLayer) -> Void = { _ in },
        _ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) throws {
        try self.init(
            configuration: configuration,
            { server in
                var layer = try CachedFixture.source(server, headers).layer(id: "web")
                change(&layer)
                return layer
            }, script)
    }

    /// - Parameter layer: Returns a layer that shows the server's tiles.
    init(
        configuration: LayerConfiguration = LayerConfiguration(),
        _ layer: (LoopbackServer) throws -> TileLayer,
        _ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) throws {
        server = try LoopbackServer(script)
        // The client's waits are real, but its dates are not.
        client = try .forTests(
            clock: EngineClock(
                now: EngineClock.machine.now, sleep: EngineClock.machine.sleep,
                date: { [clock] in clock.date }))
        var options = SharedCache.Options(now: { [clock] in clock.date })
        options.quota = 8 << 20
        store = try SharedCache.open(folder.path + "/tiles.db", options)
        fetcher = CachedTileFetcher(
            client, store: store, configuration: configuration, date: { [clock] in clock.date })
        self.layer = try layer(server)
    }

    static func source(_ server: LoopbackServer, _ headers: HTTPHeaders = [:]) throws -> WebTileSource {
        var definition = SourceDefinition(
            id: "web", name: "Web", addresses: [server.url("/{z}/{x}/{y}.png?key=KEYMARKER")])
        definition.zooms = 0...6
        definition.headers = headers
        return try WebTileSource(definition)
    }

    /// Returns an engine as after a new start of the program: with nothing in memory, but the same cache.
    func engine(prefetch: PrefetchLimits = PrefetchLimits()) -> EngineHarness {
        EngineHarness(fetcher: fetcher, clock: clock, decoder: SeedDecoder(), prefetch: prefetch)
    }

    /// Shows the world, and returns the picture's seed when all work is done.
    func show(_ harness: EngineHarness) async -> Int? {
        await harness.show(view, [layer])
        return seed(harness)
    }

    /// Returns the result of a new start. Afterwards the engine shows nothing, and so requests nothing.
    func showAnew() async -> Int? {
        let start = engine()
        let seed = await show(start)
        await start.show(view, [])
        return seed
    }

    /// Returns the seed of the shown picture; −1 if the tile is known not to exist, nil if nothing is shown.
    func seed(_ harness: EngineHarness) -> Int? {
        switch harness.state(layer, .world) {
        case .ready(let raster): Int(raster.pixels[0])
        case .absent: -1
        case .failed, nil: nil
        }
    }

    func mark(_ harness: EngineHarness) -> TileMark? {
        harness.engine.board.mark(of: TileKey(layer: layer.id, tile: .world))
    }

    func failure(_ harness: EngineHarness) -> TileFailure? {
        if case .failed(let failure) = harness.state(layer, .world) { failure } else { nil }
    }

    /// Waits until the server has received this many requests and the engine has handled the responses.
    /// Returns false if there are more.
    func asked(_ times: Int, _ harness: EngineHarness) async -> Bool {
        let server = server
        let isAsked = await eventually { server.requestCount >= times }
        await harness.engine.settled()
        return isAsked && server.requestCount == times
    }

    var want: WantedTile { WantedTile(layer: layer, tile: .world) }

    var stored: StoredResponse? { ResourceKey(want).flatMap { store.response(for: $0) } }

    func fetch(holdsStored: Bool = false) async throws -> FetchedTile {
        try await fetcher.fetch(want, holdsStored: holdsStored)
    }
}

/// Decodes the pictures made by `picture`. The seed is the colour; a picture of zeros is corrupt.
struct SeedDecoder: ImageDecoder {
    func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster {
        guard let seed = bytes.last, seed > 0, bytes == picture(bytes.count, seed: seed) else {
            throw .corrupt(kind: "PNG", reason: "no seed")
        }
        let grey = UInt32(seed)
        return Raster(width: 256, height: 256, filledWith: RGB(grey << 16 | grey << 8 | grey))
    }
}
