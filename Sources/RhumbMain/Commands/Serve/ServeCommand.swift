internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbServer

/// `rhumb serve`: publishes archives and stored maps until it is interrupted.
struct ServeCommand {
    private let invocation: Invocation
    private let session: MapSession
    private let opener: MapOpener

    /// Runs until the process is interrupted. It sends no requests.
    static func run(_ invocation: Invocation) async throws -> Int32 {
        try await invocation.withSession(asksFirst: false) { session in
            session.isOffline = true
            return try await ServeCommand(invocation, session).run()
        }
    }

    private init(_ invocation: Invocation, _ session: MapSession) {
        self.invocation = invocation
        self.session = session
        let options = MapOptions(invocation, session)
        options.opener.styles.depth = .truecolor
        opener = options.opener
    }

    private func run() async throws -> Int32 {
        let sets = try await tilesets()
        guard !sets.isEmpty else {
            throw Notice.Problem("none of these sources may be redistributed, so nothing is served")
        }
        let tiles = TileServer(sets, access: try access())
        var limits = HTTPServer.Limits()
        limits.threads = max(2, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        limits.connections = invocation[.connectionLimit] ?? limits.connections
        // All connections are the proxy's.
        if invocation[.trustForwarded] { limits.connectionsPerAddress = nil }
        let server = try converting(
            HTTPServer(host: host, port: UInt16(invocation[.port] ?? 8080), limits: limits) {
                tiles.answer($0)
            }
        ) { (error: ServerFailure) in Notice.Problem(FailureText.sentence(error)) }
        try invocation.print(
            ["\(server.address)/"]
                + sets.map { "  \(server.address)/\($0.id).json  \(SafeText.sanitised($0.info.name))" },
            [
                "state": "serving", "address": .string(server.address),
                "tilesets": .array(sets.map { .string($0.id) }),
            ])
        return withExtendedLifetime((server, tiles)) { while true { pause() } }
    }

    private var host: String { invocation[.bind] ?? "127.0.0.1" }

    private func access() throws(UsageError) -> ServedAccess {
        var access = ServedAccess()
        access.trustsForwarded = invocation[.trustForwarded]
        access.isLocal = ServedAccess.isLoopback(host)
        for text in invocation[all: .origin] {
            guard let origin = ServedAccess.origin(text) else {
                throw UsageError(
                    "--origin: \(SafeText.sanitised(text, limit: 80)) is no origin; expected a scheme and a host, "
                        + "such as https://maps.example")
            }
            access.origins.append(origin)
        }
        return access
    }

    // MARK: Tilesets

    /// Returns the named archives and sources.
    private func tilesets() async throws -> [ServedTileset] {
        guard !invocation.operands.isEmpty else { throw nothingNamed }
        var sets: [ServedTileset] = []
        for specifier in invocation.operands {
            if Files.exists(specifier) {
                sets.append(try await archive(specifier))
            } else {
                sets += try await stored(named: specifier)
            }
        }
        var taken: Set<String> = [TileServer.reservedID]
        return sets.map { set in
            let names = [set.id] + (2...999).map { "\(set.id)-\($0)" }
            var named = set
            named.id = names.first { taken.insert($0).inserted } ?? set.id
            return named
        }
    }

    /// Cached tiles reveal the viewed areas, so they are published only by name.
    private var nothingNamed: UsageError {
        let sources = storedSources().filter(mayBeServed)
        let names = sources.flatMap { [$0.definition.id] + $0.regions }.map {
            SafeText.sanitised($0, limit: 80)
        }
        let hint = names.isEmpty ? "" : "; stored are \(names.joined(separator: ", "))"
        return UsageError("serve: name the archives, regions or sources to publish\(hint)")
    }

    private func archive(_ path: String) async throws -> ServedTileset {
        var set = try await opened(path)
        set.reopen = { try await opened(path) }
        return set
    }

    private func opened(_ path: String) async throws -> ServedTileset {
        let archive = try Archive.open(path, probe: TileProbes.header)
        let name = path.lastPathName
        let id = RegionID(from: name.split(separator: ".").first.map(String.init) ?? name).text
        var set = ServedTileset(id: id, archive, path: path)
        if set.isVector, let layer = try? await opener.open(path, theme: .day).first { draw(layer, in: &set) }
        return set
    }

    /// Sets the functions that draw a map's tiles and read their names.
    /// - Parameter isServed: Returns true if a tile may be drawn.
    private func draw(
        _ layer: TileLayer, in set: inout ServedTileset,
        where isServed: @escaping @Sendable (TileID) -> Bool = { _ in true }
    ) {
        let fetcher = session.fetcher
        set.draw = { tile in
            guard isServed(layer.dataTile(for: tile)) else { return nil }
            return try await withTaskExecutorPreference(BlockingExecutor.shared) {
                try layer.storedPicture(of: tile, decoder: SniffingDecoder(), fetcher: fetcher)
            }
        }
        guard layer.writesLabels, let features = LayerFeatures(layer, fetcher) else { return }
        set.names = { tile in
            guard isServed(layer.dataTile(for: tile)) else { return nil }
            return try await withTaskExecutorPreference(BlockingExecutor.shared) {
                let data = layer.dataTile(for: tile)
                return try features.labels(of: data, at: tile.zoom, in: .usual).map { (data, $0) }
            }
        }
    }

    // MARK: Stored maps

    /// A source with stored tiles.
    private struct StoredSource {
        var definition: SourceDefinition
        /// The origin of its tiles in regions; nil for a source that only the cache has.
        var origin: TileOrigin?
        var name: String
        var bounds: Bounds?
        /// The regions that store tiles of it.
        var regions: [String]
    }

    /// Returns the stored maps of a name that may be redistributed: all tiles of a source, or those of a
    /// region.
    private func stored(named name: String) async throws -> [ServedTileset] {
        var sets: [ServedTileset] = []
        let all = storedSources(), own = all.filter { $0.regions.contains(name) }
        // The name of a region publishes nothing else, such as a source of the same name.
        let sources = own.isEmpty ? all.filter { $0.definition.id == name } : own
        guard !sources.isEmpty else {
            throw Notice.Problem(
                "\(SafeText.sanitised(name)): no such file, and no stored region or source of that name")
        }
        for source in sources {
            guard mayBeServed(source) else {
                Output.note(
                    "rhumb: \(SafeText.sanitised(source.definition.name)) is not served: its policy does not allow "
                        + "redistribution")
                continue
            }
            guard let layer = try? await opener.openStored(source.definition, theme: .day) else { continue }
            var set = tileset(source, layer, region: own.isEmpty ? nil : name)
            if !own.isEmpty {
                set.id = RegionID(from: own.count == 1 ? name : "\(name)-\(source.definition.id)").text
            }
            sets.append(set)
        }
        return sets
    }

    private func mayBeServed(_ source: StoredSource) -> Bool {
        opener.catalog.providers.governed(source.definition).policy.archives
    }

    /// - Parameter region: The region whose tiles are served; nil for all stored tiles of the source.
    private func tileset(_ source: StoredSource, _ layer: TileLayer, region: String?) -> ServedTileset {
        let definition = source.definition,
            record = region.flatMap { try? session.regions().store.region($0) }
        let covers = record.map { record in
            record.covers.filter { cover in
                source.origin.map { $0.isSameSource(as: cover.origin) } ?? false
            }.map(\.cover)
        }
        let isServed: @Sendable (TileID) -> Bool = { tile in covers?.contains { $0.contains(tile) } ?? true }
        var info = layer.info
        info.bounds = record?.definition?.geometry.bounds ?? source.bounds ?? info.bounds
        info.zooms = layer.dataZooms
        info.name = source.name
        let layers = definition.vectorLayers.map { ["id": .string($0), "fields": [:]] as JSON }
        var set = ServedTileset(
            id: RegionID(from: definition.id).text, info: info,
            isVector: layer.drawing != nil && definition.elevation == nil,
            vectorLayers: .array(layers)
        ) { [fetcher = session.fetcher] tile in
            let want = WantedTile(layer: layer, tile: tile, urgency: .download)
            guard want.tile == tile, isServed(tile),
                case .bitmap(.encoded(let body))? = fetcher.stored(want)?.answer
            else {
                return nil
            }
            return ServedTileset.Tile(body: body, modified: nil)
        }
        set.encoding = definition.elevation?.name
        // The stored tiles may change while they are served.
        set.isFixed = false
        if layer.drawing != nil { draw(layer, in: &set, where: isServed) }
        return set
    }

    /// Returns the sources of all regions, and those with tiles in the cache.
    private func storedSources() -> [StoredSource] {
        var sources: [StoredSource] = []
        for region in (try? session.regions().store.regions()) ?? [] {
            for part in region.parts {
                guard let definition = part.editionDefinition else { continue }
                let bounds = region.definition?.geometry.bounds
                // Sources on the same host may have the same id.
                let index = sources.firstIndex { $0.origin?.isSameSource(as: part.origin) == true }
                if let at = index {
                    sources[at].regions.append(region.id)
                    sources[at].bounds = definition.bounds
                } else {
                    sources.append(
                        StoredSource(
                            definition: definition, origin: part.origin, name: definition.name,
                            bounds: bounds, regions: [region.id]))
                }
            }
        }
        let cached = Set((session.cache?.statistics().rows ?? []).compactMap(\.origin?.source))
        for definition in (try? opener.catalog.sources()) ?? []
        where cached.contains(definition.id)
            && !sources.contains(where: { $0.definition.id == definition.id })
        {
            sources.append(
                StoredSource(
                    definition: definition, name: definition.name, bounds: definition.bounds, regions: []))
        }
        return sources
    }
}
