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
            throw Notice.Problem(
                "there is nothing to serve: name an archive, or download a region of a source that may be redistributed"
            )
        }
        let tiles = TileServer(sets, trustsForwarded: invocation[.trustForwarded])
        var limits = HTTPServer.Limits()
        limits.threads = max(2, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        limits.connections = invocation[.connectionLimit] ?? limits.connections
        let server: HTTPServer
        do throws(ServerFailure) {
            server = try HTTPServer(
                host: invocation[.bind] ?? "127.0.0.1", port: UInt16(invocation[.port] ?? 8080),
                limits: limits
            ) { tiles.answer($0) }
        } catch {
            throw Notice.Problem(FailureText.sentence(error))
        }
        try invocation.print(
            ["\(server.address)/"]
                + sets.map { "  \(server.address)/\($0.id).json  \(SafeText.sanitised($0.info.name))" },
            [
                "state": "serving", "address": .string(server.address),
                "tilesets": .array(sets.map { .string($0.id) }),
            ])
        return withExtendedLifetime((server, tiles)) { while true { pause() } }
    }

    // MARK: Tilesets

    /// Returns the named archives and sources, or else everything that is stored.
    private func tilesets() async throws -> [ServedTileset] {
        var sets: [ServedTileset] = []
        for words in invocation.operands {
            if Files.exists(words) {
                sets.append(try await archive(words))
            } else {
                let found = try await stored(named: words)
                guard !found.isEmpty else {
                    throw Notice.Problem(
                        "\(SafeText.sanitised(words)): no such file, and no stored region or source of that name"
                    )
                }
                sets += found
            }
        }
        if invocation.operands.isEmpty { sets = try await stored(named: nil) }
        var taken: Set<String> = []
        return sets.map { set in
            let names = [set.id] + (2...999).map { "\(set.id)-\($0)" }
            var named = set
            named.id = names.first { taken.insert($0).inserted } ?? set.id
            return named
        }
    }

    private func archive(_ path: String) async throws -> ServedTileset {
        let archive = try Archive.open(path, probe: TileProbes.header)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let id = RegionID(from: name.split(separator: ".").first.map(String.init) ?? name).text
        var set = ServedTileset(id: id, archive, path: path)
        if set.isVector, let layer = try? await opener.open(path, theme: .day).first { draw(layer, in: &set) }
        return set
    }

    /// Sets the functions that draw a map's tiles and read their names.
    private func draw(_ layer: TileLayer, in set: inout ServedTileset) {
        let fetcher = session.fetcher
        set.draw = { tile in
            await withTaskExecutorPreference(BlockingExecutor.shared) {
                layer.storedPicture(of: tile, decoder: SniffingDecoder(), fetcher: fetcher)
            }
        }
        guard layer.writesLabels, let features = LayerFeatures(layer, fetcher) else { return }
        set.names = { tile in
            await withTaskExecutorPreference(BlockingExecutor.shared) {
                let data = layer.dataTile(for: tile)
                return (try? features.labels(of: data, at: tile.zoom, in: .usual)).flatMap { $0 }
                    .map { (data, $0) }
            }
        }
    }

    // MARK: Stored maps

    /// A source with stored tiles.
    private struct StoredSource {
        var definition: SourceDefinition
        var name: String
        var bounds: Bounds?
        /// The regions that store tiles of it.
        var regions: [String]
    }

    /// Returns the stored maps that may be redistributed.
    /// - Parameter name: A region or a source; nil for all.
    private func stored(named name: String?) async throws -> [ServedTileset] {
        let sources = storedSources().filter { source in
            name.map { source.definition.id == $0 || source.regions.contains($0) } ?? true
        }
        var sets: [ServedTileset] = []
        for source in sources {
            let policy = opener.catalog.providers.governed(source.definition).policy
            guard policy.archives else {
                Output.note(
                    "rhumb: \(SafeText.sanitised(source.definition.name)) is not served: its policy does not allow "
                        + "redistribution")
                continue
            }
            guard let layer = try? await opener.openStored(source.definition, theme: .day) else { continue }
            sets.append(tileset(source, layer))
        }
        return sets
    }

    private func tileset(_ source: StoredSource, _ layer: TileLayer) -> ServedTileset {
        var info = layer.info
        info.bounds = source.bounds ?? info.bounds
        info.zooms = layer.dataZooms
        info.name = source.name
        let definition = source.definition
        let layers = definition.vectorLayers.map { ["id": .string($0), "fields": [:]] as JSON }
        var set = ServedTileset(
            id: RegionID(from: definition.id).text, info: info, isVector: layer.drawing != nil,
            vectorLayers: .array(layers)
        ) { [fetcher = session.fetcher] tile in
            let want = WantedTile(layer: layer, tile: tile, urgency: .download)
            guard want.tile == tile, case .bitmap(.encoded(let body))? = fetcher.stored(want)?.answer else {
                return nil
            }
            return ServedTileset.Tile(body: body, modified: nil)
        }
        // The stored tiles may change while they are served.
        set.isFixed = false
        if layer.drawing != nil { draw(layer, in: &set) }
        return set
    }

    /// Returns the sources of all regions, and those with tiles in the cache.
    private func storedSources() -> [StoredSource] {
        var sources: [StoredSource] = []
        for region in (try? session.regions().store.regions()) ?? [] {
            for case let definition? in region.parts.map(\.definition) {
                let bounds = region.definition?.geometry.bounds
                if let at = sources.firstIndex(where: { $0.definition.id == definition.id }) {
                    sources[at].regions.append(region.id)
                    sources[at].bounds = definition.bounds
                } else {
                    sources.append(
                        StoredSource(
                            definition: definition, name: definition.name, bounds: bounds,
                            regions: [region.id]))
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
