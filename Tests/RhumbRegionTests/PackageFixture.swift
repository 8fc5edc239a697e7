@testable import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOffline
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization

/// A publisher of packages, and a user who installs them.
final class PackageFixture: Sendable {
    let box: RegionFixture
    private let files = Mutex<[String: (bytes: [UInt8], etag: String)]>([:])
    private let hook = Mutex<@Sendable (LoopbackRequest) -> LoopbackReply?>({ _ in nil })

    init(quota: Int? = nil) throws {
        box = try RegionFixture(quota: quota)
        box.host.answer { [weak self] in self?.reply($0) ?? LoopbackReply(404) }
    }

    private func reply(_ request: LoopbackRequest) -> LoopbackReply {
        hook.withLock({ $0 })(request) ?? usualReply(to: request)
    }

    /// Returns the default reply.
    func usualReply(to request: LoopbackRequest) -> LoopbackReply {
        guard let (bytes, etag) = files.withLock({ $0[request.target] }) else { return LoopbackReply(404) }
        if request.header("Range") != nil {
            return .part(of: bytes, request, etag: etag, control: "max-age=60")
        }
        var reply = LoopbackReply.validated(request, etag: etag, body: bytes)
        reply.headers.append(("Cache-Control", "max-age=60"))
        return reply
    }

    /// Sets a function that replaces responses. If it returns nil, the default response is sent.
    func intervene(_ reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply?) {
        hook.withLock { $0 = reply }
    }

    /// Serves a file, with a new ETag if it has changed.
    func serve(_ bytes: [UInt8], at target: String) {
        files.withLock { files in
            if files[target]?.bytes == bytes { return }
            let number = files[target].flatMap { Int($0.etag.dropFirst().dropLast()) } ?? 0
            files[target] = (bytes, "\"\(number + 1)\"")
        }
    }

    /// Publishes an archive of these zooms whose images contain their edition.
    func publish(_ name: String, _ edition: Int = 1, zooms: ClosedRange<Int> = 0...3) {
        serve(
            PMTilesFixture(TileID.pyramid(zooms).map { ($0, Self.body($0, edition)) }).bytes,
            at: "/\(name).pmtiles")
    }

    static func body(_ tile: TileID, _ edition: Int = 1) -> [UInt8] { fakePicture(tile, side: 7 + edition) }

    /// - Parameter packages: The packages after the root, as elements of a JSON list.
    func catalog(_ packages: String) {
        serve(
            Array(#"{"rhumb-catalog": 1, "id": "test", "packages": [{"id": "world"}, \#(packages)]}"#.utf8),
            at: "/catalog.json")
    }

    /// Publishes two countries of a continent, each with its own archive.
    func publishCountries(edition: Int = 1) {
        publish("north", edition)
        publish("south", edition)
        let editions = (1...edition).map { #"{"version": "\#($0)", "bytes": 100000}"# }.joined(separator: ",")
        catalog(
            """
            {"id": "land", "parent": "world"},
            {"id": "north", "parent": "land", "title": "North", "area": [0, 10, 20, 20], "archive": "north.pmtiles", "editions": [\(editions)]},
            {"id": "south", "parent": "land", "title": "South", "area": [0, 0, 20, 10], "archive": "south.pmtiles", "editions": [\(editions)]}
            """)
    }

    /// Publishes three countries of a continent, each with its own archive.
    func publishThree(edition: Int = 1) {
        let names = ["north", "south", "west"],
            editions = (1...edition).map { #"{"version": "\#($0)", "bytes": 100000}"# }
        for name in names { publish(name, edition) }
        catalog(
            names.map {
                #"{"id": "\#($0)", "parent": "world", "area": [0, 0, 9, 9], "archive": "\#($0).pmtiles", "editions": [\#(editions.joined(separator: ","))]}"#
            }.joined(separator: ","))
    }

    /// Stops the server when each of these archives is requested for the first time from now on.
    func stopServer(before names: String...) {
        let left = Mutex(Set(names.map { "/\($0).pmtiles" }))
        intervene { [weak self] request in
            guard left.withLock({ $0.remove(request.target) }) != nil else { return nil }
            self?.box.host.server.stop()
            return nil
        }
    }

    /// Serves archives as a server that ignores ranges and has no ETags.
    func ignoreRanges(date: String = "Sat, 21 Nov 2026 10:00:00 GMT") {
        intervene { [weak self] request in
            guard let self, request.target.hasSuffix(".pmtiles") else { return nil }
            let bytes = served(request.target)
            if bytes.isEmpty { return nil }
            if request.header("If-Modified-Since") == date {
                return LoopbackReply(304, headers: ["Last-Modified": date])
            }
            return LoopbackReply(200, bytes, headers: ["Last-Modified": date])
        }
    }

    /// Serves a folder with the catalogue that its publisher creates.
    /// - Parameter edition: The edition of the archives that have changed.
    @discardableResult
    func publish(_ folder: TemporaryFolder, edition: String) throws -> CatalogPublisher.Outcome {
        var publisher = CatalogPublisher(folder.path)
        publisher.id = "test"
        publisher.edition = PackageVersion(edition)
        let outcome = try publisher.publish()
        for name in folder.names {
            serve(Files.read(folder.path + "/" + name, limit: 1 << 30) ?? [], at: "/" + name)
        }
        return outcome
    }

    /// Returns a file that is being served; empty if there is none.
    func served(_ target: String) -> [UInt8] { files.withLock { $0[target]?.bytes ?? [] } }

    var address: String { box.host.server.url("/catalog.json") }

    func loader(of address: String? = nil, features: Set<String> = [], store: RegionStore? = nil) -> MapLoader
    {
        let store = store ?? box.store
        let loader = DocumentLoader(
            box.client, store: BackedStore(box.cache, pinned: store), date: { [box] in box.now })
        return MapLoader(
            address ?? self.address, regions: Regions(store, cache: box.cache, clock: box.clock),
            opener: WebSourceOpener(loader: loader, environment: { _ in nil }),
            features: features)
    }

    /// Returns the number of a package's tiles that are shown in an edition.
    func shown(_ id: String, _ edition: Int = 1) throws -> Int {
        try box.store.region("package-test.\(id)").covers.reduce(0) { sum, part in
            sum
                + part.cover.tiles().count {
                    box.store.response(for: .tile(origin: part.origin, $0))?.body == Self.body($0, edition)
                }
        }
    }
}

extension MapLoader {
    func installAll(_ ids: String...) async throws -> MapLoaderResult { try await install(ids).finish() }
    func uninstallAll(_ ids: String...) async throws -> MapLoaderResult { try await uninstall(ids).finish() }
    func updateAll() async throws -> MapLoaderResult { try await update().finish() }
    func status(_ id: String) async throws -> MapPackage.Status { try await package(id).status }
}
