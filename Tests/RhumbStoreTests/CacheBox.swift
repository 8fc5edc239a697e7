import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// A cache in a temporary folder, with a date that tests set, and the problems it reports.
final class CacheBox: Sendable {
    let folder = TemporaryFolder()
    private let date = Mutex<Int64>(1_800_000_000)
    private let told = Mutex<[CacheFailure]>([])

    var path: String { folder.path + "/tiles.db" }
    var now: UnixSeconds { UnixSeconds(date.withLock { $0 }) }
    var troubles: [CacheFailure] { told.withLock { $0 } }

    func pass(_ seconds: Int64) { date.withLock { $0 += seconds } }

    /// Opens a new object each time, like another process.
    func open(quota: Int = 50 << 20) throws(CacheFailure) -> SharedCache {
        var options = SharedCache.Options(now: { [weak self] in self?.now ?? UnixSeconds(0) })
        options.quota = quota
        options.onTrouble = { [weak self] trouble in self?.told.withLock { $0.append(trouble) } }
        return try SharedCache(opening: path, options)
    }

    /// Returns the result of an SQL query on the file.
    func rows(_ sql: String) throws -> [[Int?]] {
        let statement = try Connection(path, .readOnly).prepare(sql, to: "look")
        var rows: [[Int?]] = []
        while try statement.step() { rows.append((0..<6).map { statement.int($0) }) }
        return rows
    }

    func number(_ sql: String) throws -> Int? { try rows(sql).first?.first ?? nil }

    func run(_ sql: String) throws { try Connection(path, .readWrite).execute(sql, to: "meddle") }

    var files: [String] { folder.names }

    func bytes(of name: String = "tiles.db") -> [UInt8] {
        guard let file = fopen(folder.path + "/" + name, "rb") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes
    }

    func size(of name: String = "tiles.db") -> Int {
        var status = stat()
        return stat(folder.path + "/" + name, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Overwrites a part of the file without the cache's knowledge.
    func damage(from offset: Int, _ bytes: [UInt8]) {
        let file = Glibc.open(path, O_WRONLY)
        defer { close(file) }
        #expect(pwrite(file, bytes, bytes.count, offset) == bytes.count)
    }
}

extension SharedCache {
    func store(_ tiles: some Sequence<Int>, version: Int = 1) {
        for number in tiles {
            store(
                NumberedTile(number).response(version: version, at: options.now()),
                for: NumberedTile(number).key)
        }
        flush()
    }

    /// Returns the tiles that are completely stored.
    func whole(_ tiles: some Sequence<Int>) -> [Int] {
        tiles.filter { number in
            guard let body = response(for: NumberedTile(number).key)?.body else { return false }
            return NumberedTile(number).version(of: body) != nil
        }
    }
}

extension StoredResponse {
    /// Returns a response that is fresh for an hour.
    static func hour(
        _ body: [UInt8]?, _ headers: HTTPHeaders = [:], at now: UnixSeconds = UnixSeconds(1_800_000_000)
    ) -> StoredResponse {
        StoredResponse(
            body: body, freshness: Freshness(receivedAt: now, initialAge: 0, lifetime: 3600), headers: headers
        )
    }
}
