// The Swift code of the tutorials, word for word, between "snippet" and "end". RhumbTutorialTests compares
// the two and runs this program. Its arguments are a folder with city.pmtiles, and the URLs of a tile
// server, a catalogue, a routing engine and a style.

internal import Glibc
internal import Rhumb
internal import RhumbBrowser

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

func openAMap() async throws {
    // snippet
    let agent = try UserAgent("Hikes/2.1 (+https://hikes.example)")
    let session = await MapSession.open(.init(userAgent: agent))
    let layers = try await session.opener.open("city.pmtiles")  // or a folder, an address, a style, "osm"
    let camera = Camera(center: Coordinate(latitude: 60.17, longitude: 24.94), zoom: 15)
    let view = Viewport(camera: camera, columns: 120, rows: 40)

    session.engine.show(view, layers: layers)
    await session.engine.settled()
    let scene = session.engine.board.scene(of: view, layers: layers)  // rasters, and where each one goes
    session.close()
    // end
    say("open: \(scene.isComplete) \(!scene.layers[0].pictures.isEmpty)")
    // snippet
    do throws(MapOpenFailure) {
        _ = try await session.opener.open("city")
    } catch {
        guard case .unknown(let name, let names) = error else { throw error }
        print("no map is called \(name); these are: \(names.joined(separator: ", "))")
    }
    // end
}

// snippet
/// A chequered world.
struct Chequers: TileLayerDataSource {
    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        let isDark = (tile.x + tile.y).isMultiple(of: 2)
        return .bitmap(
            .raster(Raster(width: 256, height: 256, filledWith: RGB(isDark ? 0x335577 : 0xDDEEFF))))
    }
}
// end

func makeASource() -> TileLayer {
    // snippet
    let info = TileSourceInfo(name: "Chequers", attribution: "nobody", zooms: 0...10)
    let layer = TileLayer(id: "chequers", source: Chequers(), info: info)
    // end
    return layer
}

func embedTheBrowser(_ layer: TileLayer, _ session: MapSession) async {
    // snippet
    var browser = Browser(columns: 80, rows: 24, layers: [layer])
    var painter = MapPainter()
    let effects = browser.update(.key(.character("+")), at: .seconds(1))
    // end
    say("effects: \(effects.contains(.updateView))")
    // snippet
    session.engine.show(browser.map.viewport, layers: browser.map.layers)
    await session.engine.settled()
    let scene = session.engine.board.scene(of: browser.map.viewport, layers: browser.map.layers)
    let map = painter.paint(
        scene, viewport: browser.map.viewport, settings: browser.map.settings, theme: browser.theme)
    let screen = browser.view(scene, map: map)
    // end
    say("screen: \(screen.columns)x\(screen.rows) \(scene.isComplete)")
}

func openWithACache(_ agent: UserAgent) async -> MapSession {
    // snippet
    var options = MapSession.Options(userAgent: agent)
    options.cache = "tiles.db"
    options.cacheQuota = 200 << 20
    options.regions = .success("regions.db")
    let session = await MapSession.open(options)
    // end
    return session
}

func look(into session: MapSession) {
    // snippet
    if let statistics = session.cache?.statistics() {
        print("\(statistics.entries) entries, \(statistics.usedBytes) of \(statistics.quota) bytes")
    }
    // end
    say("cache: \(session.cache?.statistics().path ?? "none")")
}

func fillAhead(_ session: MapSession, _ address: String) async throws {
    // snippet
    let layer = try await session.opener.openLayer(address)
    let ground = try MapPrefetcher.ground(
        around: Coordinate(latitude: 60.45, longitude: 22.26), radius: 20_000)
    let plan = try session.offline.prefetcher(of: layer).plan(ground, zooms: ZoomRange(6, 9))
    print("\(plan.missing) of \(plan.tiles) tiles to fetch, about \(plan.bytes) bytes")
    let tally = try await plan.start().value()
    // end
    say("ahead: \(tally.fetched == plan.missing)")
}

func makeARegion(_ session: MapSession, _ address: String) async throws {
    // snippet
    guard let box = Bounds(west: 21.9, south: 60.3, east: 22.5, north: 60.6) else { return }
    let home = try RegionDefinition(
        id: RegionID("home"), geometry: .box(box), zooms: ZoomRange(6, 9), sources: [address],
        features: session.configuration.enabledFeatures.map(\.name))
    let queue = try session.offline.regions()
    let plan = try await queue.plan(home)
    print("\(plan.cost.toFetch) tiles to fetch, \(plan.cost.size.text)")
    // end
    // snippet
    let job = try await plan.start()
    for await update in job.updates() {
        print("\(update.progress.settled) of \(update.progress.planned)")
    }
    let check = try queue.regions.check(job.record)
    // end
    say("region: \(check.isWhole) \(check.present == plan.cost.tiles)")
    try await manageRegions(queue)
    await queue.close()
}

func search(in session: MapSession) throws {
    // snippet
    let result = try session.search("Turku", near: Coordinate(latitude: 60.45, longitude: 22.26))
    for match in result.matches {
        print("\(match) at \(match.coordinate.latitude), \(match.coordinate.longitude)")
    }
    if let problem = result.problem { print("not everything was searched: \(problem)") }
    // end
    // snippet
    var query = MapSearchQuery("", near: Coordinate(latitude: 60.17, longitude: 24.94))
    query.kind = SearchKind(.pharmacy)
    query.limit = 5
    let nearest = try session.search.search(query).features
    // end
    // snippet
    let spot = try session.search.describe(Coordinate(latitude: 60.17, longitude: 24.94))
    print(spot.address ?? "no address is stored here")
    // end
    say("search: \(nearest.isEmpty)")
}

func loadAStylePack(_ session: MapSession, _ style: String) async throws {
    // snippet
    let manager = try session.offline.stylePacks()
    let load = try await manager.loadStylePack(for: style, metadata: ["trip": "Elba"])
    for await update in load.updates() {
        print("\(update.progress.completed) of \(update.progress.required)")
    }
    let pack = try await load.value()
    for missing in pack.missing { print("\(missing.address): \(missing.reason)") }
    // end
    // snippet
    for pack in try manager.allStylePacks() { print(pack, pack.metadata) }
    try manager.removeStylePack(for: style)
    // end
    say("style pack: \(pack.metadata["trip"]?.string ?? "") \(try manager.allStylePacks().isEmpty)")
}

func chooseFeatures(of session: MapSession) {
    let usual = session.configuration
    // snippet
    var configuration = LayerConfiguration(enabledFeatures: [.detailRendering, .offlineSearch])
    configuration.implicitlyPrefetchedFeatures = [.rendering]
    configuration.passThroughFeatures = [.trafficFlow]
    session.configuration = configuration
    // end
    say("features: \(session.configuration.enabledFeatures.contains(.rendering))")
    session.configuration = usual
}

func manageRegions(_ queue: RegionQueue) async throws {
    // snippet
    for status in try await queue.statuses() {
        print(status.record)  // such as "home: complete, 86 of 86 tiles, 1.2 MB"
        if let expiry = status.expiry { print("the first tile expires at \(expiry)") }
    }
    // end
    // snippet
    let record = try queue.regions.store.region("home")
    var definition = try record.readDefinition()
    definition.name = "At home"
    definition.metadata = ["trip": "Elba"]
    try queue.regions.store.change(record.number, to: definition)
    // end
    // snippet
    let update = try await queue.start(record, SyncMode(.refresh))
    let updated = try await update.value()
    print("\(updated.parts[0].unchanged) tiles were unchanged")
    // end
    say("updated: \(updated.state == .complete) \(updated.name)")
    // snippet
    let job = try await queue.start(record, SyncMode(.refresh))
    job.cancel()
    do throws(OfflineFailure) {
        _ = try await job.value()
    } catch .cancelled {
        print("cancelled: \(job.record)")
    } catch {
        print("failed: \(error)")
    }
    // end
    // snippet
    let removal = try queue.regions.remove(record)
    print("\(removal.tiles) tiles removed, \(removal.freedBytes) bytes freed")
    // end
    say("removed: \(try queue.regions.store.regions().allSatisfy { $0.id != "home" })")
}

func changeQuotas(of session: MapSession) {
    // snippet
    session.cacheQuota = 100 << 20
    session.regionQuota = 2 << 30
    // end
    // snippet
    session.cacheQuota = 0
    print(session.cache?.statistics().entries ?? 0)
    session.cacheQuota = SharedCache.usualQuota
    // end
    say("quotas: \(session.cache?.statistics().entries ?? -1) \(session.regionQuota ?? 0)")
}

func workOffline(_ session: MapSession, _ address: String) async throws {
    let layers = [try await session.opener.openLayer(address)]
    let view = Viewport(
        camera: Camera(center: Coordinate(latitude: -20, longitude: -60), zoom: 3), columns: 80, rows: 24)
    // snippet
    session.isOffline = true
    session.engine.show(view, layers: layers)
    await session.engine.settled()
    let offline = session.engine.board.scene(of: view, layers: layers)

    session.isOffline = false
    await session.engine.settled()
    let online = session.engine.board.scene(of: view, layers: layers)
    // end
    say("offline: \(offline.failedCount > 0) \(online.failedCount)")
    // snippet
    let stored = try await session.offline.layers(theme: .day)
    session.engine.show(view, layers: layers + stored)
    // end
    say("stored: \(stored.count)")
}

func installAPackage(_ session: MapSession, _ catalog: String) async throws {
    // snippet
    let loader = try session.offline.packages(of: catalog)
    let package = try await loader.package(at: Coordinate(latitude: 60.17, longitude: 24.94))
    let plan = try await loader.plan([package.id])
    print("\(package.englishTitle): up to \(plan.bytes) bytes, \(package.status)")
    // end
    // snippet
    let job = try await plan.start()
    for await update in job.updates() {
        print("\(update.progress.tiles.settled) of \(update.progress.tiles.planned)")
    }
    let result = await job.finish()
    // end
    // snippet
    let update = try await loader.checkForUpdate()
    if !update.isUpToDate { _ = try await update.start().finish() }
    // end
    // snippet
    var publisher = CatalogPublisher(".")
    publisher.id = "mine"
    publisher.title = "My maps"
    let outcome = try publisher.publish()
    print("published \(outcome.published.joined(separator: ", "))")
    // end
    guard case .success = result else { return say("\(result)") }
    say("package: \(try await loader.package(package.id).status), \(outcome.published.count) published")
}

func findARoute(_ session: MapSession, _ engine: String) async throws {
    // snippet
    let request = RouteRequest(
        from: Coordinate(latitude: 43.7312, longitude: 7.4189),
        to: Coordinate(latitude: 43.735, longitude: 7.425))
    let answer = try await session.routes.routes(request, by: [engine], now: .now)
    if let route = answer.routes.first {
        print("\(Int(route.distance)) m in \(Int(route.duration)) s, \(route.steps.count) steps")
        print(answer.attribution)
    }
    // end
}

func findARouteOffline(_ session: MapSession) async throws {
    // snippet
    var walk = RouteRequest(
        from: Coordinate(latitude: 43.7312, longitude: 7.4189),
        to: Coordinate(latitude: 43.735, longitude: 7.425))
    walk.mode = .foot
    do {
        let answer = try await session.routes.routes(walk, by: ["tiles"], now: .now)
        for line in answer.routes[0].lines { print(line.words) }
    } catch {
        print("No route: \(error)")
    }
    // end
}

func showTraffic(_ session: MapSession) async throws {
    let layers = try await session.opener.open("city.pmtiles")
    let view = Viewport(
        camera: Camera(center: Coordinate(latitude: 60.17, longitude: 24.94), zoom: 3), columns: 80, rows: 24)
    // snippet
    do throws(SourceFailure) {
        try session.traffic.choose(TrafficChoice(flow: .relative))
    } catch {
        print("no traffic: \(error)")
    }
    // end
    // snippet
    session.traffic.show(view, over: layers)
    await session.traffic.settled()
    let scene = session.traffic.scene(of: view, over: layers)
    if let status = session.traffic.status { print(status.description) }
    // end
    say("traffic: \(scene.isComplete)")
}

guard CommandLine.arguments.count == 6, chdir(CommandLine.arguments[1]) == 0 else { exit(2) }
try await openAMap()
let session = await openWithACache(try UserAgent("Hikes/2.1 (+https://hikes.example)"))
await embedTheBrowser(makeASource(), session)
try await fillAhead(session, CommandLine.arguments[2])
try await makeARegion(session, CommandLine.arguments[2])
try await installAPackage(session, CommandLine.arguments[3])
look(into: session)
do { try search(in: session) } catch SearchFailure.layersNotDownloaded { say("search: true") }
try await loadAStylePack(session, CommandLine.arguments[5])
chooseFeatures(of: session)
try await workOffline(session, CommandLine.arguments[2])
try await findARoute(session, CommandLine.arguments[4])
try await findARouteOffline(session)
try await showTraffic(session)
changeQuotas(of: session)
session.close()
