internal import RhumbCore

/// The value of an entry's column `flags`.
struct EntryFlags: OptionSet {
    let rawValue: Int
    static let alwaysRevalidate = EntryFlags(rawValue: 1)
    static let revalidateWhenStale = EntryFlags(rawValue: 2)
    static let immutable = EntryFlags(rawValue: 4)
    static let invalidated = EntryFlags(rawValue: 8)

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ life: Freshness, isInvalidated: Bool) {
        var flags: EntryFlags = []
        if life.alwaysRevalidate { flags.insert(.alwaysRevalidate) }
        if life.revalidateWhenStale { flags.insert(.revalidateWhenStale) }
        if life.immutable { flags.insert(.immutable) }
        if isInvalidated { flags.insert(.invalidated) }
        self = flags
    }
}

extension StoredResponse {
    static let columns = "received, age, lifetime, flags, headers, variant, version"

    /// Reads a response from a row that has `columns`.
    init(row: Statement, body: [UInt8]?) {
        let flags = EntryFlags(rawValue: row.int("flags") ?? 0)
        self.init(
            body: body,
            freshness: Freshness(
                receivedAt: row.moment("received") ?? UnixSeconds(0), initialAge: Int64(row.int("age") ?? 0),
                lifetime: Int64(row.int("lifetime") ?? 0),
                alwaysRevalidate: flags.contains(.alwaysRevalidate),
                revalidateWhenStale: flags.contains(.revalidateWhenStale),
                immutable: flags.contains(.immutable)))
        headers = HTTPHeaders(storedText: row.text("headers") ?? "")
        variant = row.text("variant") ?? ""
        dataVersion = row.text("version")
        isInvalidated = flags.contains(.invalidated)
    }
}

extension HTTPHeaders {
    /// The fields as "Name: value" lines, each terminated by a line feed, which no field contains.
    var storedText: String {
        lines.reduce(into: "") { text, line in
            for part in [line.name, ": ", line.value, "\n"] { text += part }
        }
    }

    init(storedText: String) {
        self.init()
        for line in storedText.utf8.split(separator: 0x0A) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            append(String(Substring(line[..<colon])), String(Substring(line[colon...].dropFirst(2))))
        }
    }
}

extension ContentHash {
    /// The first half of the hash as a SQLite integer.
    var half: Int { Int(truncatingIfNeeded: high) }
}

extension Statement {
    /// Returns a column of Unix seconds; nil if NULL.
    func moment(_ column: String) -> UnixSeconds? { int(column).map { UnixSeconds(Int64($0)) } }

    /// The tile of the columns `z`, `x` and `y`.
    var tile: TileID? { TileID(zoom: int("z") ?? -1, x: int("x") ?? -1, y: int("y") ?? -1) }
}
