internal import Glibc
internal import Rhumb
internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore
internal import RhumbTestSupport

/// Measures downloading, refreshing and removing regions with a durable store, compared with curl, which
/// stores nothing.
enum RegionDownloadBench {
    private static let side = 100
    private static let zoom = 14
    private static let connections = 16
    private static let tileBytes = 17_000

    static func rows() async -> [BenchRow] {
        guard let server = NginxServer(files: files) else {
            print("  region downloads: left out, nginx is not installed")
            return []
        }
        defer { withExtendedLifetime(server) {} }
        return await downloads(server)
    }

    /// Measures large regions, whose tiles are in memory.
    static func largeRows() async -> [BenchRow] { await memory() + [await removal()].compactMap(\.self) }

    // MARK: Tiles from nginx

    /// Distinct tiles by path.
    private static var files: [String: [UInt8]] {
        var generator = SplitMix(seed: 10_000)
        let noise = BenchPicture(
            noise: (0..<tileBytes).map { _ in UInt8.random(in: 0...255, using: &generator) })
        var files: [String: [UInt8]] = [:]
        for x in 0..<side {
            for y in 0..<side { files["\(zoom)/\(x)/\(y).png"] = noise.named("\(x)/\(y)") }
        }
        return files
    }

    private static func downloads(_ server: NginxServer) async -> [BenchRow] {
        var curl: Double?, bare = 0.0, download = 0.0, refresh = 0.0, bodies = 0, checks: [Double] = []
        var cpu = (download: Double.infinity, client: Double.infinity, bare: Double.infinity)
        let urls = (0..<side * side).map { server.url("\(zoom)/\($0 / side)/\($0 % side).png") }
        // Alternates, so that other load on the machine affects all of them.
        for _ in 0..<3 {
            curl = [curl, HTTPBench.curlRate(urls, connections: connections)].compactMap(\.self).max()
            let cpuStart = HTTPBench.processorSeconds()
            bare = max(bare, FillBench.bareRate())
            cpu.bare = min(
                cpu.bare, (HTTPBench.processorSeconds() - cpuStart) * 1e6 / Double(FillBench.tileCount))
            if let client = await HTTPBench.download(urls, bytes: tileBytes) {
                cpu.client = min(cpu.client, client.cpu)
            }
            guard let bench = Bench(), let source = try? bench.source(server) else { continue }
            if let rate = await bench.rate(source, SyncMode()) {
                download = max(download, rate.tiles)
                cpu.download = min(cpu.download, rate.cpu)
            }
            if let rate = await bench.rate(source, SyncMode(.refresh)) {
                refresh = max(refresh, rate.tiles)
                bodies += rate.bodies
            }
            checks = bench.checkTimes()
        }
        let ratio =
            "goal ≥ 0.85 of bare SQLite's \(Int(bare)), without a network: \(CacheBench.ratio(download, bare))"
        let parts = "bare SQLite \(Int(cpu.bare)), the client alone \(Int(cpu.client))"
        let beside = curl.map { "\(ratio); curl into nothing \(Int($0))" }
        return [
            BenchRow(
                name: "download of 10,000 tiles of 18 kB, durable", value: download, unit: "tiles/s",
                anchor: beside ?? ratio),
            BenchRow(
                name: "download: processor time of Rhumb", value: cpu.download, unit: "µs/tile", anchor: parts
            ),
            BenchRow(
                name: "refresh of the same, unchanged", value: refresh, unit: "tiles/s",
                anchor: "at least the download's"),
            BenchRow(name: "bodies that came with it", value: Double(bodies), unit: "", anchor: "none"),
            BenchRow(
                name: "check of these tiles", value: checks.first ?? .nan, unit: "s",
                anchor: "again \(((checks.last ?? .nan) * 1000).rounded()) ms"),
        ]
    }

    // MARK: Tiles from memory

    /// Measures how much more memory a large region needs than a small one, with both downloads interrupted
    /// after the same number of tiles.
    private static func memory() async -> [BenchRow] {
        guard let bench = Bench() else { return [] }
        let first = MemoryGrowth()
        await bench.begin("small", zooms: 14...14, tiles: 10_000)
        let small = first.peak, second = MemoryGrowth()
        await bench.begin("large", zooms: 14...17, tiles: 10_000)
        return [
            BenchRow(
                name: "memory of 1,000,000 planned tiles beyond 10,000", value: second.peak - small,
                unit: "MiB",
                anchor: "none to speak of")
        ]
    }

    private static func removal() async -> BenchRow? {
        guard let bench = Bench() else { return nil }
        await bench.begin("all", zooms: 14...15, tiles: .max, columns: 142)
        let before = bench.store.bytesOnDisk
        let clock = ContinuousClock(), start = clock.now
        guard let record = try? bench.store.region("all"), let removal = try? bench.regions.remove(record)
        else { return nil }
        let seconds = (clock.now - start) / .seconds(1)
        return BenchRow(
            name: "removal of a region of \(AmountText.count(removal.tiles)) tiles", value: seconds,
            unit: "s",
            anchor:
                "at most 5; \(AmountText.bytes(before)) became \(AmountText.bytes(bench.store.bytesOnDisk))")
    }
}

/// A separate region store.
private final class Bench: Sendable {
    let folder = TemporaryFolder()
    let store: RegionStore
    let client: HTTPClient
    var regions: Regions { Regions(store, cache: nil) }

    init?() {
        var options = ClientOptions(userAgent: .rhumb(version: "bench"))
        options.connections = 16
        guard let store = try? RegionStore(folder.path + "/regions.db") else { return nil }
        self.store = store
        client = HTTPClient(options)
    }

    /// Returns the times in seconds of the first and the second check of all regions.
    func checkTimes() -> [Double] {
        let clock = ContinuousClock()
        return (0..<2).map { _ in
            clock.measure {
                for record in (try? store.regions()) ?? [] { _ = try? regions.check(record) }
            } / .seconds(1)
        }
    }

    func source(_ server: NginxServer) throws -> RegionSource {
        var definition = SourceDefinition(
            id: "nginx", name: "nginx", addresses: [server.url("{z}/{x}/{y}.png")])
        definition.zooms = 0...16
        definition.policy = .unlimited
        return try RegionSource("nginx", WebTileSource(definition).layer(id: "nginx"), client: client)
    }

    /// Returns a region with columns 0…columns−1 and the same rows at the lowest zoom, and their descendants.
    func region(
        _ id: String, _ zooms: ClosedRange<Int>, columns: Int, _ source: RegionSource
    ) throws -> RegionDefinition? {
        let corners = [
            TileID(zoom: zooms.lowerBound, x: 0, y: 0),
            TileID(zoom: zooms.lowerBound, x: columns - 1, y: columns - 1),
        ]
        guard let first = corners[0]?.center, let last = corners[1]?.center,
            let box = Bounds(
                west: first.longitude, south: last.latitude, east: last.longitude, north: first.latitude)
        else { return nil }
        return try RegionDefinition(
            id: RegionID(id), geometry: .box(box), zooms: ZoomRange(zooms.lowerBound, zooms.upperBound),
            sources: [source.specifier], features: [source.layer.feature.name], packing: .exact)
    }

    /// Returns the number of tiles per second, the processor time per tile in µs, and the number of bodies
    /// received; nil unless all tiles arrive.
    func rate(_ source: RegionSource, _ pass: SyncMode) async -> (tiles: Double, cpu: Double, bodies: Int)? {
        guard let definition = try? region("home", 14...14, columns: 100, source),
            let record = try? regions.add(definition, [source])
        else { return nil }
        let clock = ContinuousClock(), start = clock.now, cpuStart = HTTPBench.processorSeconds()
        guard let end = try? await regions.start(record, [source], pass).value(), end.state == .complete,
            end.settled == 10_000
        else { return nil }
        let seconds = (clock.now - start) / .seconds(1), cpu = HTTPBench.processorSeconds() - cpuStart
        return (10_000 / seconds, cpu * 100, pass.kind == .refresh ? end.parts[0].done : 0)
    }

    /// Downloads a region from a source that has all tiles, or a limited number of them, in memory.
    func begin(_ id: String, zooms: ClosedRange<Int>, tiles: Int, columns: Int = 100) async {
        var definition = SourceDefinition(
            id: "ready", name: "ready", addresses: ["http://ready.example/{z}/{x}/{y}.png"])
        definition.zooms = 0...18
        definition.policy = .unlimited
        guard let web = try? WebTileSource(definition) else { return }
        let picture = BenchPicture(noise: [UInt8](repeating: 7, count: 6000))
        let supply = ReadySupply(origin: web.origin) { picture.named("\($0)") }
        let source = RegionSource(
            "ready", web.layer(id: "ready"), supply, definition: definition)
        guard let asked = try? region(id, zooms, columns: columns, source),
            let record = try? regions.add(asked, [source]),
            let task = try? regions.start(record, [source])
        else { return }
        for await update in task.updates() where update.progress.settled >= tiles { task.cancel() }
        await task.finish()
    }
}

/// PNG files of one size and colour that differ by an embedded name. Regions store only valid images.
private struct BenchPicture: Sendable {
    private let start: [UInt8], end: [UInt8]

    /// - Parameter noise: Bytes that increase the size of the files.
    init(noise: [UInt8]) {
        let plain = blankPicture(.init(0x336699), side: 256)
        start = plain.dropLast(12) + BenchPicture.chunk(noise)
        end = Array(plain.suffix(12))
    }

    func named(_ name: String) -> [UInt8] { start + BenchPicture.chunk(Array(name.utf8)) + end }

    /// Returns a PNG chunk that decoders skip.
    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        let content = Array("ruMb".utf8) + bytes
        return bigEndian(UInt32(bytes.count)) + content + bigEndian(crc32(content))
    }
}
