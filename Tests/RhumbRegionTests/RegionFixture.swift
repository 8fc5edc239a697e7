import Rhumb
import RhumbCore
@testable import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbOffline
import RhumbStore
import RhumbTestSupport
import Synchronization

/// A tile server, a region store and a shared cache, with a date that tests set. Waits take a twentieth of
/// their time.
final class RegionFixture: Sendable {
    let host: TileHost
    let folder = TemporaryFolder()
    let client: HTTPClient
    let store: RegionStore
    let cache: SharedCache
    private let late = Mutex<Int64>(0)

    init(quota: Int? = nil) throws {
        host = try TileHost()
        client = try RegionFixture.client()
        store = try RegionStore(folder.path + "/regions.db", quota: quota)
        cache = try SharedCache.open(folder.path + "/tiles.db")
    }

    static func client(_ clock: EngineClock? = nil) throws -> HTTPClient {
        var options = ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)"))
        options.timeout = .seconds(600)
        options.idleTimeout = .seconds(600)
        options.connectTimeout = .seconds(600)
        return HTTPClient(options, clock: clock ?? fastClock { .now })
    }

    /// Returns a clock whose waits take a twentieth of their time.
    private static func fastClock(date: @escaping @Sendable () -> UnixSeconds) -> EngineClock {
        let machine = EngineClock.machine
        return EngineClock(
            now: { machine.now() * 20 }, sleep: { try await machine.sleep($0 / 20) }, date: date)
    }

    /// Advances the date by a number of seconds.
    func pass(_ seconds: Int64) { late.withLock { $0 += seconds } }

    var now: UnixSeconds { UnixSeconds.now.adding(late.withLock { $0 }) }

    var clock: EngineClock { RegionFixture.fastClock { [weak self] in self?.now ?? .now } }

    var regions: Regions { Regions(store, cache: cache, clock: clock) }

    // MARK: Sources

    func definition(of id: String = "web") -> SourceDefinition {
        var definition = SourceDefinition(
            id: id, name: "Web", addresses: [host.server.url("/{z}/{x}/{y}.png?key={key}&set=\(id)")])
        definition.keys = [SourceDefinition.Key(token: "key", environment: "TEST_KEY", configuration: "test")]
        definition.bindKeys()
        definition.zooms = 0...16
        definition.policy = .unlimited
        definition.policy.connections = 4
        return definition
    }

    func source(
        _ id: String = "web", supply other: (any RegionSupply)? = nil,
        change: (inout SourceDefinition) -> Void = { _ in }
    ) throws -> RegionSource {
        var definition = definition(of: id)
        change(&definition)
        let web = try WebTileSource(definition, environment: { _ in "SECRETMARKER" })
        let supply = WebTileSupply(
            web, client: client, retrying: RetryRule(tries: 3, backoff: Backoff(base: 0, cap: 0)))
        return RegionSource(id, web.layer(id: id), other ?? supply, definition: definition)
    }

    // MARK: Regions

    /// Returns a definition. By default it has one tile each at zooms 7 and 8, and four at zoom 9.
    func region(
        _ id: String = "home", _ box: Bounds? = Bounds(west: 0.1, south: 0.1, east: 1.3, north: 1.3),
        zooms: ClosedRange<Int> = 7...9, packing: RegionTileSet.Packing = .exact, sources: [String] = ["web"],
        name: String = "", metadata: JSON = .null
    ) throws -> RegionDefinition {
        try RegionDefinition(
            id: RegionID(id), name: name, metadata: metadata, geometry: .box(try require(box)),
            zooms: ZoomRange(zooms.lowerBound, zooms.upperBound), sources: sources, features: ["rendering"],
            packing: packing)
    }

    /// Creates a region and downloads it.
    @discardableResult
    func download(
        _ definition: RegionDefinition, _ source: RegionSource? = nil, _ pass: SyncMode = SyncMode()
    ) async throws -> RegionRecord {
        let source = try source ?? self.source()
        return try await work(regions.add(definition, [source]), source, pass)
    }

    @discardableResult
    func work(
        _ record: RegionRecord, _ source: RegionSource? = nil, _ pass: SyncMode = SyncMode()
    ) async throws -> RegionRecord {
        let task = try regions.start(record, [try source ?? self.source()], pass)
        await task.finish()
        return try store.region(record.id)
    }

    func refresh(_ record: RegionRecord, olderThan: UnixSeconds? = nil) async throws -> RegionRecord {
        var pass = SyncMode(.refresh)
        pass.olderThan = olderThan
        return try await work(record, nil, pass)
    }

    // MARK: Stored tiles

    func tiles(_ definition: RegionDefinition) throws -> [TileID] {
        Array(definition.cover(available: 0...16).tiles())
    }

    func key(_ tile: TileID, _ id: String = "web") throws -> ResourceKey {
        .tile(origin: try source(id).origin, tile)
    }

    func body(_ tile: TileID, _ id: String = "web") throws -> [UInt8]? {
        store.response(for: try key(tile, id))?.body
    }

    /// Returns the number of a region's tiles that are stored as on the server.
    func present(_ definition: RegionDefinition, version: Int = 1) throws -> Int {
        try tiles(definition).count { try body($0) == TileHost.body($0, version) }
    }

    /// Returns the number of rows of a table.
    func count(_ table: String, where condition: String = "1") throws -> Int {
        let connection = try Connection(store.path, .readOnly)
        let statement = try connection.prepare(
            "SELECT count(*) FROM \(table) WHERE \(condition)", to: "count")
        return try statement.step() ? statement.int(0) ?? 0 : 0
    }
}

struct Missing: Error {}

func require<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

extension TileID {
    static func at(_ zoom: Int, _ x: Int, _ y: Int) -> TileID { TileID(zoom: zoom, x: x, y: y) ?? .world }
    var target: String { "/\(zoom)/\(x)/\(y).png" }
}

extension RegionStore {
    /// Deletes an entry, as if it had never been written.
    func lose(_ key: ResourceKey) throws {
        let (condition, zoom, x, y) =
            switch key {
            case .tile(let origin, let tile):
                (
                    "kind = 0 AND source = '\(origin.source)' AND address = '\(origin.address)'", tile.zoom,
                    tile.x, tile.y
                )
            case .document(let address): ("kind = 1 AND address = '\(address)'", -1, 0, 0)
            }
        try Connection(path, .readWrite).execute(
            """
            DELETE FROM entries WHERE origin IN (SELECT id FROM origins WHERE \(condition))
                AND z = \(zoom) AND x = \(x) AND y = \(y)
            """, to: "lose an entry")
    }
}
