internal import Glibc
internal import Rhumb
internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import RhumbTestSupport

/// Measures a steady pan with a slow server: the share of new tiles that are already cached.
enum PanBench {
    private static let seconds = 20

    static func rows() async -> [BenchRow] {
        async let with = share(lookAhead: true)
        async let without = share(lookAhead: false)
        return [
            BenchRow(
                name: "steady pan, server answering after 250 ms: already there", value: await with ?? .nan,
                unit: "%", anchor: "goal ≥ 90"),
            BenchRow(
                name: "the same without look-ahead", value: await without ?? .nan, unit: "%", anchor: "goal 0"
            ),
        ]
    }

    /// Returns the share of tiles that are cached when they come into view during a pan to the east; nil if
    /// it can't be measured.
    private static func share(lookAhead: Bool) async -> Double? {
        let folder = TemporaryFolder(), picture = fakePicture(.world, side: 256)
        guard let cache = try? SharedCache.open(folder.path + "/tiles.db"),
            let server = try? LoopbackServer({ _ in
                usleep(250_000)
                return LoopbackReply(200, picture, headers: ["Cache-Control": "max-age=3600"])
            }),
            let source = try? source(server, lookAhead)
        else { return nil }
        let fetcher = CachedTileFetcher(
            HTTPClient(ClientOptions(userAgent: .rhumb(version: "bench"))), store: cache)
        let engine = TileEngine(decoder: SniffingDecoder(), fetcher: fetcher), layer = source.layer(id: "pan")
        var view = Viewport(
            camera: Camera(center: Coordinate(latitude: 50, longitude: 10), zoom: 12), columns: 240, rows: 70)
        engine.show(view, layers: [layer])
        await engine.settled()
        var seen = Set(layer.cover(of: view).map(\.tile)), new = 0, there = 0
        for _ in 0..<seconds * 10 {
            try? await Task.sleep(for: .milliseconds(100))
            view = view.panned(columns: 2, rows: 0)
            for tile in layer.cover(of: view).map(\.tile) where seen.insert(tile).inserted {
                new += 1
                there +=
                    fetcher.stored(WantedTile(layer: layer, tile: tile, urgency: .prefetch)) == nil ? 0 : 1
            }
            engine.show(view, layers: [layer])
        }
        return new > 0 ? Double(there) / Double(new) * 100 : nil
    }

    private static func source(_ server: LoopbackServer, _ lookAhead: Bool) throws -> WebTileSource {
        var definition = SourceDefinition(id: "pan", name: "Pan", addresses: [server.url("/{z}/{x}/{y}.png")])
        definition.policy.lookAhead = lookAhead
        return try WebTileSource(definition)
    }
}
