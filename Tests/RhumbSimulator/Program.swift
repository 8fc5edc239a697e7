import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbOffline
import RhumbOpening
@testable import RhumbStore
import RhumbTestSupport

/// A running program: its client, its stores and its jobs. A restart makes another one.
final class Program: @unchecked Sendable {
    let folder: TemporaryFolder
    let client: HTTPClient
    let cache: SharedCache
    let store: RegionStore
    let fetcher: CachedTileFetcher
    let regions: Regions
    /// The jobs that run, by region.
    var jobs: [String: RegionJob] = [:]
    private var archive: TileLayer?
    /// False after a kill. Later results no longer count.
    var isAlive = true

    static let quota = 3 << 20

    /// - Parameter isSecond: True for a second process, which shares nothing in memory with the first.
    init(_ folder: TemporaryFolder, isSecond: Bool = false, renewsRegions: Bool) throws {
        self.folder = folder
        client = HTTPClient(
            ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
        var options = SharedCache.Options()
        options.quota = Program.quota
        let path = folder.path + "/tiles.db"
        cache = isSecond ? try SharedCache(opening: path, options) : try SharedCache.open(path, options)
        store = try RegionStore(folder.path + "/regions.db")
        fetcher = CachedTileFetcher(client, store: cache, regions: store, renewsRegions: renewsRegions)
        regions = Regions(store, cache: cache)
    }

    // MARK: Sources

    static func definition(_ id: String) -> SourceDefinition {
        let isKeyed = id == "tiles", isArchive = id == "town"
        let address =
            isArchive
            ? World.archive : "https://\(id).example/{z}/{x}/{y}.png" + (isKeyed ? "?key={key}" : "")
        var definition = SourceDefinition(id: id, name: id, addresses: [address])
        if isArchive { definition.kind = .archive }
        if isKeyed {
            definition.keys = [
                SourceDefinition.Key(token: "key", environment: "TEST_KEY", configuration: "test")
            ]
            definition.bindKeys()
        }
        definition.zooms = 0...16
        definition.policy = .unlimited
        let limit = World.limits[isArchive ? "maps.example" : "\(id).example"]
        definition.policy.connections = limit?.connections ?? 1
        definition.policy.requestsPerSecond = limit?.rate
        return definition
    }

    /// Returns a source of a region and its layer. The archive must be opened first.
    func source(_ id: String, isReload: Bool = false) async throws -> RegionSource {
        let definition = Program.definition(id)
        if id == "town" {
            var opener = WebSourceOpener(
                loader: DocumentLoader(client, store: cache), environment: { _ in nil })
            opener.reloadsDocuments = isReload
            return try RegionSource(id, await opener.layer(of: definition, id: id), client: client)
        }
        return try RegionSource(id, layer(id), client: client)
    }

    /// Returns the archive as a layer of the map. It stays open.
    func archiveLayer() async throws -> TileLayer {
        if let archive { return archive }
        let opener = WebSourceOpener(
            loader: DocumentLoader(client, store: cache), environment: { _ in nil })
        let opened = try await opener.layer(
            of: Program.definition("town"), id: "town", prefersStored: true)
        archive = archive ?? opened
        return archive ?? opened
    }

    func layer(_ id: String) throws -> TileLayer {
        try WebTileSource(Program.definition(id), environment: { _ in World.secret }).layer(id: id)
    }

    static func url(_ id: String, _ tile: TileID) -> String {
        "https://\(id).example/\(tile.zoom)/\(tile.x)/\(tile.y).png"
    }

    // MARK: The end

    /// Stops everything, as the end of a process does.
    func die() {
        isAlive = false
        client.isOffline = true
        for job in jobs.values { job.cancel(.interrupted) }
        jobs = [:]
    }
}
