internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import RhumbTestSupport

/// Measures filling the cache over HTTP, including everything except decoding, compared with curl discarding
/// its output.
enum FillBench {
    private static let tileBytes = 18_000
    private static let columns = 400
    private static let rowCount = 20
    static let tileCount = columns * rowCount
    private static let connections = 16

    static func rows() async -> [BenchRow] {
        guard let server = NginxServer(files: files()) else {
            print("  filling the cache: left out, nginx is not installed")
            return []
        }
        defer { withExtendedLifetime(server) {} }
        let urls = tiles.map { server.url("\($0.x)/\($0.y).png") }
        var curl: Double?, bare = 0.0, best: (rate: Double, cpu: Double) = (0, 0)
        // Alternates, so that other load on the machine affects all of them.
        for _ in 0..<4 {
            curl = [curl, HTTPBench.curlRate(urls, connections: connections)].compactMap(\.self).max()
            bare = max(bare, bareRate())
            if let run = await fill(server), run.rate > best.rate { best = run }
        }
        return [
            BenchRow(
                name: "18 kB tiles from nginx on loopback into the cache", value: best.rate, unit: "tiles/s",
                anchor:
                    "goal ≥ 0.85 of bare SQLite's \(Int(bare)), without a network: \(CacheBench.ratio(best.rate, bare))"
            ),
            BenchRow(
                name: "the same beside curl into nothing", value: curl.map { best.rate / $0 } ?? .nan,
                unit: "",
                anchor: curl.map { "curl \(Int($0)) tiles/s" } ?? "curl is not installed"),
            BenchRow(name: "the same: processor time of Rhumb", value: best.cpu, unit: "µs/tile", anchor: ""),
        ]
    }

    private static let tiles: [TileID] = (0..<tileCount).compactMap {
        TileID(zoom: 9, x: $0 % columns, y: $0 / columns)
    }

    /// Returns distinct tiles by path.
    private static func files() -> [String: [UInt8]] {
        var tile: [UInt8] = [0x89, 0x50, 0x4E, 0x47] + CachedTiles.noise + CachedTiles.noise
        tile.removeLast(tile.count - tileBytes)
        return Dictionary(
            uniqueKeysWithValues: tiles.enumerated().map { number, place in
                for byte in 0..<4 { tile[100 + byte] = UInt8(truncatingIfNeeded: number >> (byte * 8)) }
                return ("\(place.x)/\(place.y).png", tile)
            })
    }

    /// Returns the number of tiles per second that the SQL statements alone store.
    static func bareRate() -> Double {
        let folder = TemporaryFolder()
        guard let tables = try? CachedTiles(folder.path + "/tables.db", count: 0) else { return 0 }
        let speed = try? BareSQLite.fill(
            folder.path + "/bare.db", like: tables.path, count: tileCount, bytes: tileBytes)
        return speed?.rate ?? 0
    }

    /// Returns nil unless every tile arrives completely and is cached.
    private static func fill(_ server: NginxServer) async -> (rate: Double, cpu: Double)? {
        let folder = TemporaryFolder()
        var options = ClientOptions(userAgent: .rhumb(version: "bench")), room = SharedCache.Options()
        options.connections = connections
        room.quota = 1 << 30
        var definition = SourceDefinition(
            id: "bench", name: "Bench", addresses: [server.url("{x}/{y}.png?z={z}")])
        definition.policy.connections = connections
        guard let cache = try? SharedCache.open(folder.path + "/tiles.db", room),
            let source = try? WebTileSource(definition)
        else { return nil }
        let fetcher = CachedTileFetcher(HTTPClient(options), store: cache), layer = source.layer(id: "bench")
        let clock = ContinuousClock(), start = clock.now, cpuStart = HTTPBench.processorSeconds()
        await withTaskGroup(of: Void.self) { group in
            for part in 0..<connections * 2 {
                group.addTask {
                    for number in stride(from: part, to: tileCount, by: connections * 2) {
                        let want = WantedTile(layer: layer, tile: tiles[number], urgency: .prefetch)
                        _ = try? await fetcher.fetch(want, holdsStored: false)
                    }
                }
            }
        }
        cache.flush()
        let seconds = (clock.now - start) / .seconds(1), cpu = HTTPBench.processorSeconds() - cpuStart
        guard cache.statistics().entries == tileCount else { return nil }
        return (Double(tileCount) / seconds, cpu * 1e6 / Double(tileCount))
    }
}
