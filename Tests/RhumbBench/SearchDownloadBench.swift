internal import Glibc
internal import Rhumb
internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import RhumbTestSupport

/// Measures how much indexing slows down the download of a region of vector tiles.
enum SearchDownloadBench {
    /// Enough tiles for several seconds, because an indexer that finds nothing at first rests for two.
    private static let side = 128
    private static let zoom = 14

    @Sendable static func rows() async -> [BenchRow] {
        guard let server = NginxServer(files: files) else {
            print("  downloads that are indexed: left out, nginx is not installed")
            return []
        }
        defer { withExtendedLifetime(server) {} }
        var plain = 0.0, indexed = 0.0
        // Alternates, so that other load on the machine affects both.
        for _ in 0..<2 {
            plain = max(plain, await rate(server, isIndexed: false))
            indexed = max(indexed, await rate(server, isIndexed: true))
        }
        guard plain > 0, indexed > 0 else { return [] }
        return [
            BenchRow(
                name: "download of \(side * side) vector tiles", value: plain, unit: "tiles/s", anchor: ""),
            BenchRow(
                name: "slower while they are indexed", value: 100 * (1 - indexed / plain), unit: "%",
                anchor: "at most 15"),
        ]
    }

    /// Distinct tiles by path. They differ by a field that decoders skip.
    private static var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for x in 0..<side {
            for y in 0..<side {
                var number: [UInt8] = [0x78]
                number.append(varint: UInt64(x * side + y))
                files["\(zoom)/\(x)/\(y).mvt"] = SyntheticCity.body + number
            }
        }
        return files
    }

    private static func rate(_ server: NginxServer, isIndexed: Bool) async -> Double {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var definition = SourceDefinition(
            id: "nginx", name: "nginx", addresses: [server.url("{z}/{x}/{y}.mvt")])
        definition.zooms = zoom...zoom
        definition.policy = .unlimited
        definition.isVector = true
        var options = ClientOptions(userAgent: .rhumb(version: "bench"))
        options.connections = 16
        guard let store = try? RegionStore(folder.path + "/regions.db"),
            let web = try? WebTileSource(definition),
            let source = try? RegionSource("nginx", web.layer(id: "nginx"), client: HTTPClient(options)),
            let region = try? region(source)
        else { return 0 }
        let places = LazyPlaceSearch({ LayerConfiguration() }) { () throws(PlaceSearchFailure) in
            throw .unreadable("none")
        }
        let search = OfflineSearchEngine(places, regions: store, cache: nil) { LayerConfiguration() }
        if isIndexed { search.startIndexing() }
        defer { search.stopIndexing() }
        let regions = Regions(store, cache: nil), start = ContinuousClock.now
        guard let record = try? regions.add(region, [source]),
            let end = try? await regions.start(record, [source], SyncMode()).value(),
            end.state == .complete
        else { return 0 }
        return Double(side * side) / (start.duration(to: .now) / .seconds(1))
    }

    private static func region(_ source: RegionSource) throws -> RegionDefinition? {
        guard let first = TileID(zoom: zoom, x: 0, y: 0)?.center,
            let last = TileID(zoom: zoom, x: side - 1, y: side - 1)?.center,
            let box = Bounds(
                west: first.longitude, south: last.latitude, east: last.longitude, north: first.latitude)
        else { return nil }
        return try RegionDefinition(
            id: RegionID("city"), geometry: .box(box), zooms: ZoomRange(zoom, zoom),
            sources: [source.specifier],
            features: [source.layer.feature.name], packing: .exact)
    }
}
