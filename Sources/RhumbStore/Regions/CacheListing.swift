public import RhumbCore

/// The order of a list of entries.
public enum CacheOrder: String, Sendable, CaseIterable {
    /// Most recently used first.
    case use
    /// By source, edition, zoom, column and row.
    case key
    /// Largest first.
    case size
    /// Oldest first.
    case age

    fileprivate var sql: String {
        switch self {
        case .use: "used DESC"
        case .key: "z, x, y"
        case .size: "entries.size DESC"
        case .age: "received - age"
        }
    }
}

/// The position and state of a cached tile, for drawing it on a map.
public struct CacheSpot: Sendable, Hashable {
    /// The tile.
    public let tile: TileID
    /// The state.
    public let state: CacheFilter.State
}

extension SharedCache {
    /// Returns the first entries that match a filter.
    public func list(
        _ filter: CacheFilter = CacheFilter(), by order: CacheOrder = .use, limit: Int = 100
    ) -> [CacheRow] {
        flush()
        let now = options.now()
        return scan { (table) throws(StoreFailure) in
            guard order == .key else {
                return try CachePage(filter, order, table).rows(at: now, limit: limit)
            }
            var rows: [CacheRow] = []
            let page = try CachePage(filter, order, table, isOfOrigin: true)
            for origin in try table.originsByName() where rows.count < limit {
                rows += try page.rows(of: origin, at: now, limit: limit - rows.count)
            }
            return rows
        } ?? []
    }

    /// Returns the number of entries that match a filter.
    public func count(_ filter: CacheFilter) -> Int {
        flush()
        let now = options.now()
        return scan { (table) throws(StoreFailure) in
            let statement = try table.connection.prepare(
                "SELECT count(*) FROM entries JOIN origins ON id = origin WHERE \(filter.condition)",
                to: "count entries")
            try filter.bind(to: statement, at: now)
            return try statement.first { $0.int(0) } ?? 0
        } ?? 0
    }

    /// Returns the tiles of a source at one zoom within a box, at most 20,000, for drawing them on a map.
    public func spots(origin: TileOrigin, zoom: Int, in box: WorldBox) -> [CacheSpot] {
        let now = options.now()
        return scan { (table) throws(StoreFailure) in try table.spots(origin, zoom, box, now) } ?? []
    }
}

/// The query that lists entries. By key, it runs once for each origin, whose entries are already sorted, so
/// that a million of them need no sorting.
private struct CachePage {
    private let filter: CacheFilter
    private let statement: Statement

    init(
        _ filter: CacheFilter, _ order: CacheOrder, _ table: ResponseTable, isOfOrigin: Bool = false
    ) throws(StoreFailure) {
        self.filter = filter
        statement = try table.connection.prepare(
            """
            SELECT \(StoredResponse.columns), kind, z, x, y, body, entries.size AS length, used, \(CacheRow.originColumns),
                (SELECT count(*) - 1 FROM entries AS twin WHERE twin.body = entries.body) AS twins
            FROM entries JOIN origins ON id = origin WHERE \(isOfOrigin ? "origin = @origin AND " : "")\(filter.condition)
            ORDER BY \(order.sql) LIMIT @limit
            """, to: "list the cache")
    }

    func rows(of origin: Int? = nil, at now: UnixSeconds, limit: Int) throws(StoreFailure) -> [CacheRow] {
        try filter.bind(to: statement, at: now)
        if let origin { try statement.bind("origin", origin) }
        try statement.bind("limit", max(limit, 0))
        return try statement.all { CacheRow($0) }
    }
}

extension RegionStore {
    /// Returns the stored tiles of a source at one zoom within a box, at most 20,000, for drawing them on a
    /// map.
    public func spots(
        origin: TileOrigin, zoom: Int, in box: WorldBox, at now: UnixSeconds
    ) -> [CacheSpot] {
        (try? read { (table) throws(StoreFailure) in try table.spots(origin, zoom, box, now) }) ?? []
    }
}

extension ResponseTable {
    fileprivate func originsByName() throws(StoreFailure) -> [Int] {
        let statement = try connection.prepare(
            "SELECT id FROM origins ORDER BY source, address, edition, id", to: "list the cache")
        return try statement.all { $0.int(0) ?? 0 }
    }

    fileprivate func spots(
        _ origin: TileOrigin, _ zoom: Int, _ box: WorldBox, _ now: UnixSeconds
    ) throws(StoreFailure) -> [CacheSpot] {
        guard let id = try originID(origin) else { return [] }
        let side = Double(1 << zoom)
        func index(_ part: Double) -> Int { Int((part * side).rounded(.down)) }
        let statement = try connection.prepare(
            """
            SELECT x, y, body IS NULL, \(CacheFilter.isFresh) FROM entries
            WHERE origin = @origin AND z = @zoom AND x BETWEEN @west AND @east AND y BETWEEN @north AND @south
            LIMIT 20000
            """, to: "map the cached tiles")
        try statement.bind([
            "now": Int(now.value), "origin": id, "zoom": zoom, "west": index(box.minX),
            "east": index(box.maxX), "north": index(box.minY), "south": index(box.maxY),
        ])
        return try statement.all { row in
            let isAbsent = row.int(2) == 1, isFresh = row.int(3) == 1
            return TileID(zoom: zoom, x: row.int(0) ?? -1, y: row.int(1) ?? -1).map {
                CacheSpot(tile: $0, state: isAbsent ? .absent : isFresh ? .fresh : .stale)
            }
        }
    }
}

extension CacheRow {
    fileprivate static let originColumns = "source, address, origins.size AS size, edition, addresses"

    fileprivate init?(_ row: Statement) {
        let origin = TileOrigin(row: row)
        if row.int("kind") == 1 {
            key = .document(origin.address)
        } else {
            guard let tile = row.tile else { return nil }
            key = .tile(origin: origin, tile)
        }
        size = row.int("body").flatMap { _ in row.int("length") }
        lastUse = row.moment("used") ?? UnixSeconds(0)
        name = SafeText.sanitised(origin.source.isEmpty ? origin.address : origin.source)
        twins = max(row.int("twins") ?? 0, 0)
        response = StoredResponse(row: row, body: nil)
    }

    /// Returns the state at a time.
    public func state(at now: UnixSeconds) -> CacheFilter.State {
        if size == nil { return .absent }
        return response.state(at: now) == .fresh ? .fresh : .stale
    }
}
