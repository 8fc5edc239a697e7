package import RhumbCore
internal import Synchronization

/// The tiles of a region store or of the shared cache. They can be read while others use the file.
package final class StoreTiles: SearchableTiles {
    private let reader: Mutex<StoredTileReader>

    /// - Parameter path: The path of the store.
    package init(_ path: String) { reader = Mutex(StoredTileReader(path)) }

    /// Returns the origins of vector tiles.
    package func sources() throws(StoreFailure) -> [(key: String, state: Int)] {
        try reader.withLock { (reader) throws(StoreFailure) in try reader.sources() }
    }

    /// Returns all tiles with a body.
    package func tiles(of source: String) throws(StoreFailure) -> [StoredTile] {
        try reader.withLock { (reader) throws(StoreFailure) in try reader.tiles(of: source) }
    }

    /// Returns a stored tile.
    package func body(_ tile: TileID, of source: String) -> [UInt8]? {
        (try? reader.withLock { (reader) throws(StoreFailure) in try reader.body(tile, of: source) }) ?? nil
    }

    package func isDamaged(_ tile: TileID, of source: String) -> Bool {
        (try? reader.withLock { (reader) throws(StoreFailure) in try reader.isDamaged(tile, of: source) })
            ?? false
    }

    /// Returns true unless the source is an archive. Archives are in another list.
    package func isGone(_ source: String) -> Bool { !source.hasPrefix(ArchiveTiles.mark) }
}

/// A connection to a store with the numbers of its origins. Used by one thread at a time.
private final class StoredTileReader {
    private let path: String
    private var connection: Connection?
    private var origins: [String: Int] = [:]
    /// The known kinds of origins: true for vector tiles, false for pictures.
    private var areShapes: [Int: Bool] = [:]
    private var newest = BodyChangeLog()
    /// The number of tiles that are examined to distinguish pictures from vector tiles.
    private static let sample = 3

    init(_ path: String) { self.path = path }

    private func open() throws(StoreFailure) -> Connection {
        if let connection, !connection.hasMoved { return connection }
        let opened = try Connection(path, .readOnly)
        // A full disk leaves an empty file.
        guard try opened.integer("SELECT count(*) FROM sqlite_master") > 0 else {
            throw StoreFailure(code: 14, attempt: "list the stored tiles", file: path, reason: "it is empty")
        }
        connection = opened
        origins = [:]
        areShapes = [:]
        newest = BodyChangeLog()
        return opened
    }

    func sources() throws(StoreFailure) -> [(key: String, state: Int)] {
        let connection = try open()
        try newest.update(connection)
        let rows = try connection.prepare(
            """
            SELECT id, \(TileOrigin.columns), sum(entries) AS tiles, sum(bytes) AS size FROM origins JOIN totals ON origin = id
            WHERE kind = 0 AND totals.entries > totals.absent GROUP BY id
            """, to: "list the stored tiles")
        var found: [(id: Int, key: String, state: Int)] = []
        while try rows.step() {
            let id = rows.int("id") ?? 0,
                state = (rows.int("tiles") ?? 0) &* 1_000_003 &+ (rows.int("size") ?? 0)
            found.append((id, TileOrigin(row: rows).description, state &+ newest.state(of: id)))
        }
        origins = Dictionary(found.map { ($0.key, $0.id) }) { first, _ in first }
        var shapes: [(key: String, state: Int)] = []
        for source in found where try isOfShapes(source.id, connection) {
            shapes.append((source.key, source.state))
        }
        return shapes
    }

    private func isOfShapes(_ origin: Int, _ connection: Connection) throws(StoreFailure) -> Bool {
        if let cached = areShapes[origin] { return cached }
        let rows = try connection.prepare(
            "SELECT bytes FROM entries JOIN bodies ON body = id WHERE origin = ?1 LIMIT \(StoredTileReader.sample)",
            to: "read stored tiles")
        try rows.bind(1, origin)
        var isSeen = false, isOfShapes = false
        while try rows.step() {
            guard let bytes = rows.bytes(0), let body = try? TileBody.unwrapped(bytes, "", in: "") else {
                continue
            }
            isSeen = true
            isOfShapes = isOfShapes || TileKind(of: body).isVector
        }
        if isSeen { areShapes[origin] = isOfShapes }
        return isOfShapes
    }

    func tiles(of source: String) throws(StoreFailure) -> [StoredTile] {
        guard let origin = try number(of: source) else { return [] }
        // Bodies are identified by their hashes, because row ids are reused.
        let rows = try open().prepare(
            "SELECT z, x, y, hash FROM entries JOIN bodies ON bodies.id = body WHERE origin = ?1 AND z >= 0",
            to: "list stored tiles")
        try rows.bind(1, origin)
        return try rows.all { row in
            TileID(zoom: row.int(0) ?? -1, x: row.int(1) ?? -1, y: row.int(2) ?? -1).map {
                StoredTile($0, body: row.int(3) ?? 0)
            }
        }
    }

    func body(_ tile: TileID, of source: String) throws(StoreFailure) -> [UInt8]? {
        try stored(tile, of: source).flatMap { try? TileBody.unwrapped($0, "\(tile)", in: "") }
    }

    func isDamaged(_ tile: TileID, of source: String) throws(StoreFailure) -> Bool {
        guard let bytes = try stored(tile, of: source) else { return false }
        return (try? TileBody.unwrapped(bytes, "\(tile)", in: "")) == nil
    }

    private func stored(_ tile: TileID, of source: String) throws(StoreFailure) -> [UInt8]? {
        guard let origin = try number(of: source) else { return nil }
        let row = try open().prepare(
            "SELECT bytes FROM entries JOIN bodies ON body = id WHERE \(EntryKey.condition)",
            to: "read a stored tile")
        try row.bind(EntryKey(origin: origin, z: tile.zoom, x: tile.x, y: tile.y).values)
        return try row.first { $0.bytes(0) }
    }

    private func number(of source: String) throws(StoreFailure) -> Int? {
        if origins.isEmpty { _ = try sources() }
        return origins[source]
    }
}

/// Reports which origins of a store have received bodies since the first call. Compares row ids, because a
/// replacement can have the same size.
struct BodyChangeLog {
    /// The last known body.
    private var last: Body?
    /// The newest row ids by origin, for origins that received a body since then.
    private var ofOrigins: [Int: Int] = [:]
    /// The number of times that row ids may have been reused.
    private var renumberings = 0

    private struct Body: Equatable {
        let id: Int
        let hash: Int
    }

    /// Returns a number that changes when an origin may have received a body.
    func state(of origin: Int) -> Int { ofOrigins[origin, default: 0] &* 31 &+ renumberings &* 1_000_003 }

    /// Looks for new bodies. If it fails, none of them is recorded.
    mutating func update(_ connection: Connection) throws(StoreFailure) {
        let newest = try Self.body("ORDER BY id DESC LIMIT 1", connection)
        try compare(newest, connection)
        last = newest
    }

    private mutating func compare(_ newest: Body?, _ connection: Connection) throws(StoreFailure) {
        guard let last else { return }
        // While this row exists, new rows get greater ids.
        guard try Self.body("WHERE id = \(last.id)", connection) == last else {
            renumberings += 1
            return
        }
        guard let newest, newest.id > last.id else { return }
        let rows = try connection.prepare(
            "SELECT origin, max(body) FROM entries WHERE body > ?1 GROUP BY origin", to: "look for new tiles")
        try rows.bind(1, last.id)
        while try rows.step() { if let origin = rows.int(0) { ofOrigins[origin] = rows.int(1) } }
    }

    private static func body(_ which: String, _ connection: Connection) throws(StoreFailure) -> Body? {
        let row = try connection.prepare("SELECT id, hash FROM bodies \(which)", to: "look for new tiles")
        guard try row.step(), let id = row.int(0), let hash = row.int(1) else { return nil }
        return Body(id: id, hash: hash)
    }
}
