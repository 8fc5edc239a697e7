internal import Glibc
public import RhumbCore

/// The result of checking the cache.
public struct CacheCheck: Sendable, Equatable {
    /// The number of entries checked.
    public internal(set) var entries = 0
    /// The number of bodies checked.
    public internal(set) var bodies = 0
    /// Descriptions of faults; empty if there are none.
    public internal(set) var faults: [String] = []
}

extension SharedCache {
    /// Marks entries for revalidation before their next use online. Deletes nothing.
    /// - Returns: The number of entries.
    /// - Throws: `StoreFailure`.
    @discardableResult
    public func invalidate(_ filter: CacheFilter = CacheFilter()) throws(StoreFailure) -> Int {
        try change(filter, "UPDATE entries SET flags = flags | 8", to: "invalidate entries")
    }

    /// Marks the entries of keys for revalidation before their next use online.
    /// - Throws: `StoreFailure`.
    public func invalidate(_ keys: [ResourceKey]) throws(StoreFailure) {
        for key in keys {
            var filter = CacheFilter()
            filter.key = key
            try invalidate(filter)
        }
    }

    /// Deletes entries and returns their space to the disk.
    /// - Returns: The number of entries, and the bytes by which the file shrank.
    /// - Throws: `StoreFailure`.
    @discardableResult
    public func clear(
        _ filter: CacheFilter = CacheFilter()
    ) throws(StoreFailure) -> (entries: Int, bytes: Int) {
        let before = CacheFile(path: path).bytesOnDisk
        let entries = try change(filter, "DELETE FROM entries", to: "delete entries")
        try compact()
        return (entries, max(before - CacheFile(path: path).bytesOnDisk, 0))
    }

    /// Deletes the least recently used entries until the cache uses at most `bytes` (nil for the quota), and
    /// returns the space to the disk.
    /// - Returns: The number of entries, and the bytes by which the file shrank.
    /// - Throws: `StoreFailure`.
    @discardableResult
    public func trim(to bytes: Int? = nil) throws(StoreFailure) -> (entries: Int, bytes: Int) {
        flush()
        let before = CacheFile(path: path).bytesOnDisk, target = bytes ?? quota
        let entries =
            try write { (writer) throws(StoreFailure) in
                try writer.connection.transaction(to: "trim the cache") { () throws(StoreFailure) in
                    try writer.shrink(to: target)
                }
            } ?? 0
        try compact()
        return (entries, max(before - CacheFile(path: path).bytesOnDisk, 0))
    }

    /// Checks all pages, entries and bodies.
    /// - Throws: `StoreFailure` if the cache can't be read.
    public func verify() throws(StoreFailure) -> CacheCheck {
        flush()
        let check = scan { (table) throws(StoreFailure) in try table.check() }
        guard let check else {
            throw StoreFailure(
                code: 14, attempt: "verify the cache", file: path, reason: "it can't be opened")
        }
        return check
    }

    private func change(
        _ filter: CacheFilter, _ sql: String, to attempt: String
    ) throws(StoreFailure) -> Int {
        flush()
        let now = options.now()
        return try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: attempt) { () throws(StoreFailure) in
                let statement = try writer.connection.prepare(
                    """
                    \(sql) WHERE (origin, z, x, y) IN (SELECT origin, z, x, y FROM entries
                    JOIN origins ON id = origin WHERE \(filter.condition))
                    """, to: attempt)
                try filter.bind(to: statement, at: now)
                try statement.step()
                return writer.connection.changedRows
            }
        } ?? 0
    }

    /// Returns all unused pages to the disk, in slices that let others write in between, and empties the log.
    private func compact() throws(StoreFailure) {
        var total: Int?, left = 1
        while left > 0 {
            left =
                try write { (writer) throws(StoreFailure) in
                    try writer.giveBackSpace(over: 0)
                    return try writer.connection.integer("PRAGMA freelist_count")
                } ?? 0
            total = total ?? left
            WorkProgress.report((total ?? left) - left, of: total)
        }
        _ = try write { (writer) throws(StoreFailure) in try writer.connection.emptyLog() }
    }
}

extension ResponseTable {
    fileprivate func check() throws(StoreFailure) -> CacheCheck {
        var check = CacheCheck()
        let pages = try connection.prepare("PRAGMA integrity_check(20)", to: "verify the cache")
        while try pages.step() {
            let line = pages.text(0) ?? ""
            if line != "ok" { check.faults.append(SafeText.sanitised(line)) }
        }
        check.entries = try connection.integer("SELECT count(*) FROM entries")
        let lost = try connection.integer(
            "SELECT count(*) FROM entries WHERE body IS NOT NULL AND body NOT IN (SELECT id FROM bodies)")
        if lost > 0 { check.faults.append("\(lost) entries have no body; clear the cache") }
        let bodies = try connection.prepare("SELECT hash, bytes FROM bodies", to: "read the bodies")
        let total = try connection.integer("SELECT count(*) FROM bodies")
        var damaged = 0
        while try bodies.step() {
            check.bodies += 1
            WorkProgress.report(check.bodies, of: total)
            if let bytes = bodies.bytes(1), !BodyHash.fits(bodies.int(0), bytes) { damaged += 1 }
        }
        if damaged > 0 { check.faults.append("\(damaged) bodies are damaged; clear the cache") }
        return check
    }
}

extension CacheFile {
    /// The size in bytes of the database and its log.
    var bytesOnDisk: Int { Folder.size(ofDatabase: path) }
}
