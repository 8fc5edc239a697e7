import Rhumb
import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests that a session opens its sources, reports failures and closes.
struct MapSessionTests {
    private func options() throws -> MapSession.Options {
        MapSession.Options(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
    }

    // MARK: News

    /// Closes a session and returns all failures that it reported.
    private func troubles(_ session: MapSession) async -> [any Error] {
        session.close()
        var troubles: [any Error] = []
        for await news in session.news { if case .trouble(let failure) = news { troubles.append(failure) } }
        return troubles
    }

    @Test func `the news end with the session`() async throws {
        let session = await MapSession.open(try options())
        #expect(await troubles(session).isEmpty)
    }

    @Test func `stores that can't be opened are reported with a remedy, and the session works without them`()
        async throws
    {
        let folder = TemporaryFolder(),
            text = Array("not a database".utf8) + [UInt8](repeating: 1, count: 5000)
        var options = try options()
        options.regions = .success(folder.write(text, to: "regions.db"))
        options.cache = folder.write(text, to: "tiles.db")
        let session = await MapSession.open(options)
        #expect(throws: RegionStoreFailure.self) { try session.regions() }
        let told = await troubles(session)
        #expect(told.contains { ($0 as? any RecoverableError)?.remedy == .repairRegions })
        #expect(told.contains { $0 is CacheFailure })
    }

    @Test func `a session opens while its stores are still being opened, and then has them`() async throws {
        let folder = TemporaryFolder(), path = folder.path + "/tiles.db"
        let other = try Connection(path, .readWrite)
        try other.execute("BEGIN EXCLUSIVE; CREATE TABLE t (a)", to: "hold the file")
        var options = try options()
        options.cache = path
        let session = await MapSession.open(options)
        try other.execute("ROLLBACK", to: "let go of the file")
        #expect(session.cache?.path == path)
        #expect(await troubles(session).allSatisfy { $0 is LockTimeout.Wait })
    }

    @Test func `stores that are opened later have no files before, and then serve all that ask`()
        async throws
    {
        let folder = TemporaryFolder()
        var options = try options()
        options.cache = folder.path + "/tiles.db"
        options.regions = .success(folder.path + "/regions.db")
        options.opensStoresLater = true
        let session = await MapSession.open(options)
        #expect(["tiles.db", "regions.db"].allSatisfy { FileFacts("\(folder.path)/\($0)") == nil })
        session.openStores()
        #expect(try session.regions().store.regions().isEmpty)
        #expect(["tiles.db", "regions.db"].allSatisfy { FileFacts("\(folder.path)/\($0)") != nil })
        #expect(await troubles(session).isEmpty)
    }

    @Test func `without a folder for regions nothing is reported, because none was requested`() async throws {
        let session = await MapSession.open(try options())
        #expect(throws: RegionStoreFailure.switchedOff) { try session.regions() }
        #expect(await troubles(session).isEmpty)
    }

    // MARK: Quotas

    private func fill(_ cache: SharedCache?) {
        for tile in TileID.pyramid(0...3) {
            let freshness = Freshness(
                headers: [:], requestedAt: .now, receivedAt: .now, policy: .tiles())
            cache?.store(
                StoredResponse(
                    body: fakePicture(tile) + [UInt8](repeating: 0, count: 4000), freshness: freshness),
                for: .tile(origin: TileOrigin(source: "a", address: "b"), tile))
        }
    }

    @Test func `quotas can be changed while the session is open, and 0 removes what the cache holds`()
        async throws
    {
        let folder = TemporaryFolder()
        var options = try options()
        options.cache = folder.path + "/tiles.db"
        options.regions = .success(folder.path + "/regions.db")
        let session = await MapSession.open(options)
        defer { session.close() }
        #expect(session.cacheQuota == SharedCache.usualQuota && session.regionQuota == nil)
        fill(session.cache)
        let full = try #require(session.cache?.statistics())
        session.cacheQuota = 200_000
        let less = try #require(session.cache?.statistics())
        #expect(less.entries < full.entries && less.usedBytes <= 200_000 && less.quota == 200_000)
        session.cacheQuota = 0
        #expect(session.cache?.statistics().entries == 0)
        fill(session.cache)
        #expect(session.cache?.statistics().entries == 0)
        session.regionQuota = 0
        #expect(try session.regions().store.quota == 0)
    }

    @Test func `the quota of a second session applies to the cache that both share`() async throws {
        let folder = TemporaryFolder()
        var options = try options()
        options.cache = folder.path + "/tiles.db"
        options.cacheQuota = 9 << 20
        let first = await MapSession.open(options)
        defer { first.close() }
        _ = first.cache
        for (quota, expected) in [(nil, 9 << 20), (4 << 20, 4 << 20)] as [(Int?, Int)] {
            options.cacheQuota = quota
            let second = await MapSession.open(options)
            defer { second.close() }
            #expect(second.cacheQuota == expected && first.cacheQuota == expected)
        }
    }

    // MARK: Places

    private struct OneTown: PlaceSearch {
        func places(matching text: String, near: Coordinate?, limit: Int, forgives: Bool) -> [PlaceMatch] {
            []
        }
        func nearest(to point: Coordinate, minimumImportance: Double) -> PlaceBearing? { nil }
        func places(in bounds: Bounds, minimumImportance: Double, limit: Int) -> [NamedPlace] { [] }
    }

    @Test func `places are opened once at the first query, and found only while their feature is enabled`()
        async throws
    {
        let opened = Mutex(0)
        var options = try options()
        options.places = { () throws(PlaceSearchFailure) in
            opened.withLock { $0 += 1 }
            return OneTown()
        }
        let session = await MapSession.open(options)
        defer { session.close() }
        #expect(opened.withLock(\.self) == 0)
        for _ in 0..<2 { #expect(try session.search.places(matching: "a", near: nil, limit: 1).isEmpty) }
        #expect(opened.withLock(\.self) == 1)
        try session.configuration.enable(exactly: [.rendering])
        #expect(
            throws: PlaceSearchFailure.disabled(.disabled(.offlineSearch, wanted: "searching for places"))
        ) {
            try session.search.places(matching: "a", near: nil, limit: 1)
        }
    }

    @Test func `a default session can be searched, and reports what it lacks`() async throws {
        let session = await MapSession.open(try options())
        defer { session.close() }
        let result = try session.search.search(MapSearchQuery("Turku"))
        #expect(result.matches.isEmpty)
        #expect(result.problem?.contains("neither a cache nor regions") == true)
    }

    @Test func `a session with a cache but no places reports that names are not searched`() async throws {
        let folder = TemporaryFolder()
        var options = try options()
        options.cache = folder.path + "/tiles.db"
        let session = await MapSession.open(options)
        defer { session.close() }
        let problem = try session.search.search(MapSearchQuery("Turku")).problem
        #expect(problem?.contains("no list of places") == true)
    }

    @Test func `if a search service fails, the stored results and the reason are returned`() async throws {
        let session = await MapSession.open(try options())
        defer { session.close() }
        let result = try await session.search.search(MapSearchQuery("Turku"), online: "")
        #expect(result.problem == "\(OnlineSearchFailure.noService)")
    }

    // MARK: Routes and offline content

    @Test func `a default session has a route finder, which needs an engine`() async throws {
        var options = try options()
        options.isOffline = true
        let session = await MapSession.open(options)
        defer { session.close() }
        let place = Coordinate(latitude: 60.4, longitude: 22.3)
        await #expect(throws: RouteFailure.self) {
            try await session.routes.routes(
                RouteRequest(from: place, to: place), by: ["osrm=http://192.0.2.1:5000"], now: .now)
        }
    }

    @Test func `a session has one queue of regions if it has a file for them`() async throws {
        let folder = TemporaryFolder()
        let bare = await MapSession.open(try options())
        defer { bare.close() }
        #expect(throws: RegionStoreFailure.switchedOff) { try bare.offline.regions() }
        var options = try options()
        options.regions = .success(folder.path + "/regions.db")
        let session = await MapSession.open(options)
        defer { session.close() }
        #expect(try session.offline.regions() === session.offline.regions())
        #expect(try session.offline.catalogs().isEmpty == false)
        #expect(try session.offline.stylePacks().allStylePacks().isEmpty)
    }
}
