internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb cache …`: examines and changes the shared cache.
struct CacheCommand {
    private let invocation: Invocation
    private let cache: SharedCache

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        guard let path = invocation.cachePath else {
            throw Notice.Problem("no folder for the cache: set HOME, or use --cache-path")
        }
        var options = SharedCache.Options()
        options.quota = invocation[.cacheSize] ?? options.quota
        options.lockTimeout = LockTimeout(limit: invocation.lockTimeout) { Output.note("rhumb: \($0)") }
        options.onTrouble = { Output.say("rhumb: \($0)") }
        cache = try SharedCache.open(path, options)
    }

    func run(_ verb: CacheVerb) async throws -> Int32 {
        switch verb {
        case .stats: try invocation.print(cache.statistics().lines, cache.statistics().json)
        case .list: try list()
        case .why: return try why()
        case .verify: return try verify()
        case .invalidate:
            let count = try cache.invalidate(filter)
            try invocation.print(
                ["\(CacheCommand.entries(count)) marked as stale; they are revalidated on next use"],
                ["state": "invalidated", "entries": .integer(count)])
        case .clear:
            try report("cleared", ProgressMeter.run("clearing", .share) { try cache.clear(filter) })
            forgetInSearch()
        case .trim:
            try report(
                "trimmed",
                ProgressMeter.run("trimming", .share) { try cache.trim(to: invocation[.trimmedSize]) })
        case .prefetch: return try await CachePrefetch(invocation: invocation).run()
        }
        return ExitStatus.done
    }

    /// Removes entries that left the cache from the search index.
    private func forgetInSearch() {
        let places = LazyPlaceSearch({ LayerConfiguration() }, open: EmbeddedPlaces.open)
        OfflineSearchEngine(places, regions: nil, cache: cache.path) { LayerConfiguration() }.forgetRemoved()
    }

    private var filter: CacheFilter {
        var filter = CacheFilter()
        filter.source = invocation[.source]
        filter.zooms = invocation[.zooms]
        filter.bounds = invocation[.bbox]
        filter.state = invocation[.state].flatMap(CacheFilter.State.init)
        return filter
    }

    private func list() throws {
        let now = UnixSeconds.now
        let order = invocation[.sort].flatMap(CacheOrder.init) ?? .use
        let rows = cache.list(filter, by: order, limit: invocation[.limit] ?? 100)
        let names = OriginNames(rows.compactMap(\.origin))
        let table = TextTable(
            ["entry", "state", "age", "size"], leading: 2,
            rows.map { row in
                [
                    row.title(names), row.state(at: now).rawValue,
                    AmountText.age(max(now.seconds(since: row.response.freshness.receivedAt), 0)),
                    row.size.map(AmountText.bytes) ?? "",
                ]
            })
        let none = ["Nothing cached" + (filter == CacheFilter() ? "" : " matches")]
        try invocation.print(rows.isEmpty ? none : table.lines, .array(rows.map { $0.json(at: now) }))
    }

    private func why() throws -> Int32 {
        guard let text = invocation.operand, let tile = TileID(text: text) else {
            throw UsageError("cache why: expected a tile as zoom/column/row, such as 14/9370/4621")
        }
        var filter = filter
        filter.zooms = tile.zoom...tile.zoom
        let corner = tile.center
        filter.bounds = Bounds(
            west: corner.longitude, south: corner.latitude, east: corner.longitude, north: corner.latitude)
        let now = UnixSeconds.now
        let rows = cache.list(filter, by: .key).filter {
            if case .tile(_, tile) = $0.key { true } else { false }
        }
        let where_ = invocation[.source].map { " of \($0)" } ?? ""
        let none = ["\(tile)\(where_) is not stored; it is fetched when needed"]
        let held = holdings(of: tile)
        let lines =
            rows.flatMap { $0.explanation(at: now) } + held.flatMap { $0.explanation(of: tile, at: now) }
        try invocation.print(
            lines.isEmpty ? none : lines,
            .array(rows.map { $0.json(at: now) } + held.map { $0.json(of: tile, at: now) }))
        return lines.isEmpty ? ExitStatus.failed : ExitStatus.done
    }

    /// Returns the copies of a tile in regions, and reports any problems with them.
    private func holdings(of tile: TileID) -> [RegionTileRecord] {
        guard let path = invocation.regionPath, Files.exists(path) else { return [] }
        do throws(RegionStoreFailure) {
            return try RegionStore(path).holdings(of: tile, source: invocation[.source])
        } catch {
            Output.say("rhumb: \(FailureText.sentence(error))")
            return []
        }
    }

    private func verify() throws -> Int32 {
        let check = try ProgressMeter.run("verifying", .count("bodies")) { try cache.verify() }
        let summary =
            "\(CacheCommand.entries(check.entries)), \(AmountText.count(check.bodies, "body", plural: "bodies")): "
            + (check.faults.isEmpty ? "no problems" : "damaged")
        try invocation.print(
            [summary] + check.faults,
            [
                "state": check.faults.isEmpty ? "complete" : "damaged", "entries": .integer(check.entries),
                "bodies": .integer(check.bodies), "problems": .messages(check.faults),
            ])
        return check.faults.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    private static func entries(_ count: Int) -> String {
        AmountText.count(count, "entry", plural: "entries")
    }

    private func report(_ state: String, _ removed: (entries: Int, bytes: Int)) throws {
        try invocation.print(
            [
                "removed \(CacheCommand.entries(removed.entries)), freed \(AmountText.bytes(removed.bytes)) on disk"
            ],
            ["state": .string(state), "entries": .integer(removed.entries), "bytes": .integer(removed.bytes)])
    }
}
