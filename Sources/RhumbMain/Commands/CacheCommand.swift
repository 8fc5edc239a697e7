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
        defer { cache.finish() }
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
        let text = invocation.operand ?? ""
        guard let tile = TileID(text: text) else { return try explain(document: text) }
        let asked = deepestTile(tile)
        var shown = asked, copies = copies(of: asked)
        while copies.isEmpty, let parent = shown.parent {
            shown = parent
            copies = self.copies(of: parent)
        }
        let source = invocation[.source].map { " of \(SafeText.sanitised($0))" } ?? ""
        var lines: [String] = []
        if asked != tile {
            lines.append("\(source.dropFirst(4)) ends at zoom \(asked.zoom): \(asked) is drawn for \(tile)")
        }
        if copies.isEmpty || shown != asked {
            lines.append("\(asked)\(source) is not stored; it is fetched when needed")
        }
        if !copies.isEmpty, shown != asked {
            lines.append("until then, or without a network, \(shown) is drawn for it:")
        }
        try invocation.print(lines + copies.lines, .array(copies.json))
        return copies.isEmpty || shown != asked ? ExitStatus.failed : ExitStatus.done
    }

    /// Explains the copy of a document, such as a style.
    private func explain(document address: String) throws -> Int32 {
        let now = UnixSeconds.now
        let rows = cache.list(CacheFilter(), by: .key).filter { $0.key == .document(address) }
        guard !rows.isEmpty || URLReference.isWeb(address) else {
            throw UsageError(
                "cache why: expected a tile as zoom/column/row, such as 14/9370/4621, or the address of a document "
                    + "as rhumb cache list shows it")
        }
        let none = ["\(SafeText.sanitised(address)) is not stored; it is fetched when needed"]
        try invocation.print(
            rows.isEmpty ? none : rows.flatMap { $0.explanation(at: now) },
            .array(rows.map { $0.json(at: now) }))
        return rows.isEmpty ? ExitStatus.failed : ExitStatus.done
    }

    /// Returns the tile that is drawn for a tile beyond the last zoom of the source, or else the tile itself.
    private func deepestTile(_ tile: TileID) -> TileID {
        guard let name = invocation[.source],
            let definition = (try? invocation.catalog().source(named: name)) ?? nil,
            definition.zooms.upperBound < tile.zoom
        else { return tile }
        var tile = tile
        while tile.zoom > definition.zooms.upperBound, let parent = tile.parent { tile = parent }
        return tile
    }

    /// Returns the copies of a tile in the cache and in regions.
    private func copies(of tile: TileID) -> TileCopies {
        var filter = filter
        filter.zooms = tile.zoom...tile.zoom
        let center = tile.center
        filter.bounds = Bounds(
            west: center.longitude, south: center.latitude, east: center.longitude, north: center.latitude)
        let rows = cache.list(filter, by: .key).filter {
            if case .tile(_, tile) = $0.key { true } else { false }
        }
        return TileCopies(tile: tile, cached: rows, held: holdings(of: tile))
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

/// The stored copies of a tile.
private struct TileCopies {
    let tile: TileID
    let cached: [CacheRow]
    let held: [RegionTileRecord]
    private let now = UnixSeconds.now

    var isEmpty: Bool { cached.isEmpty && held.isEmpty }

    var lines: [String] {
        cached.flatMap { $0.explanation(at: now) } + held.flatMap { $0.explanation(of: tile, at: now) }
    }

    var json: [JSON] { cached.map { $0.json(at: now) } + held.map { $0.json(of: tile, at: now) } }
}
