internal import RhumbCore

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
