import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that recovery loses nothing that SQLite can read.
struct RegionRecoveryTests {
    /// Two regions with a style pack in a store whose log is empty, and its bytes.
    private func stores() async throws -> (box: RegionFixture, bytes: [UInt8]) {
        let box = try RegionFixture()
        box.host.answer { request in
            TileHost.tile(request.target[...]).map {
                LoopbackReply(200, picture(9000, seed: 1) + Array("\($0)".utf8))
            }
        }
        try await box.download(box.region())
        try await box.download(box.region("away", Bounds(west: 20, south: 20, east: 21, north: 21)))
        try Connection(box.store.path, .existing).emptyLog()
        return (box, bytes(box.store.path))
    }

    /// The number of tiles of both regions.
    private func tiles(_ box: RegionFixture) throws -> Int {
        try box.store.regions().reduce(0) { $0 + $1.tiles }
    }

    private func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return bytes
    }

    /// The rows that SQLite can read, one by one: the ids of regions, and the body of each tile by its key.
    private func readable(_ path: String) -> (regions: Set<String>, tiles: [String: [UInt8]]) {
        var regions: Set<String> = [], tiles: [String: [UInt8]] = [:]
        guard let connection = try? Connection(path, .existing) else { return (regions, tiles) }
        for number in 1...3 {
            let row = try? connection.prepare("SELECT id FROM regions WHERE number = \(number)", to: "read")
            if let row, (try? row.step()) == true { regions.insert(row.text(0) ?? "") }
        }
        for order in ["ASC", "DESC"] {
            let rows = try? connection.prepare(
                """
                SELECT address, z, x, y, bytes FROM entries CROSS JOIN bodies ON bodies.id = body
                    CROSS JOIN origins ON origins.id = origin ORDER BY z \(order), x \(order), y \(order)
                """, to: "read")
            while let rows, (try? rows.step()) == true {
                let key = (0...3).map { rows.text($0) ?? "" }.joined(separator: " ")
                tiles[key] = rows.bytes(4) ?? []
            }
        }
        return (regions, tiles)
    }

    @Test func `of 70 stores with a flipped bit, all is recovered that SQLite can read`() async throws {
        let (box, whole) = try await stores()
        let folder = TemporaryFolder()
        let original = readable(folder.write(whole, to: "original.db"))
        #expect(try original.regions == ["home", "away"] && original.tiles.count == tiles(box))
        var random = SplitMix(seed: 70)
        for number in 0..<70 {
            var flipped = whole
            let at = Int(random.next() % UInt64(whole.count)), bit = random.next() % 8
            flipped[at] ^= 1 << bit
            let comment = Comment(rawValue: "byte \(at), bit \(bit)")
            let before = readable(folder.write(flipped, to: "before-\(number).db"))
            let path = folder.write(flipped, to: "\(number).db")
            let recovery = try StoreRecovery.run(path)
            let after = readable(path), store = try RegionStore(path)
            #expect(try store.integrityFaults() == [], comment)
            #expect(after.regions.isSuperset(of: before.regions), comment)
            for (key, body) in before.tiles {
                // A body whose damage its hash shows is stored for a new request.
                #expect(after.tiles[key] == body, comment)
            }
            #expect(recovery.regions.count + recovery.unreadable.count == 2, comment)
        }
    }

    @Test func `a damaged page loses only its rows`() async throws {
        let (_, whole) = try await stores()
        let folder = TemporaryFolder(), size = 16384
        for page in 2..<whole.count / size {
            var damaged = whole
            damaged.replaceSubrange(
                page * size..<(page + 1) * size, with: repeatElement(0xA5, count: size))
            let path = folder.write(damaged, to: "\(page).db")
            let before = readable(folder.write(damaged, to: "before-\(page).db"))
            let recovery = try StoreRecovery.run(path), after = readable(path)
            #expect(after.regions.isSuperset(of: before.regions), "page \(page)")
            #expect(before.tiles.allSatisfy { after.tiles[$0.key] == $0.value }, "page \(page)")
            #expect(recovery.regions.count + recovery.unreadable.count == 2, "page \(page) \(recovery)")
        }
    }

    @Test(arguments: [
        "UPDATE sqlite_master SET sql = replace(sql, 'definition TEXT', 'defination TEXT')",
        "UPDATE sqlite_master SET sql = replace(sql, 'CREATE TABLE parts', 'CREATE TABLE partz')",
        "UPDATE sqlite_master SET name = 'partz', tbl_name = 'partz' WHERE name = 'parts'",
        "UPDATE sqlite_master SET sql = replace(sql, 'UNIQUE', 'UNIQVE')",
        "UPDATE sqlite_master SET rootpage = 2 WHERE name = 'regions'",
    ])
    func `with a letter of the schema changed, the message names the repair, which works`(
        change: String
    ) async throws {
        let (box, _) = try await stores(), total = try tiles(box)
        try Connection(box.store.path, .existing).execute(
            "PRAGMA writable_schema = ON; \(change); PRAGMA wal_checkpoint(TRUNCATE)", to: "damage")
        #expect {
            try RegionStore(box.store.path).regions()
        } throws: { error in
            guard case .damaged? = error as? RegionStoreFailure else { return false }
            return (error as? RegionStoreFailure)?.remedy == .repairRegions
        }
        let recovery = try StoreRecovery.run(box.store.path)
        #expect(recovery.regions == ["away", "home"] && recovery.tiles == total && recovery.lost == 0)
        #expect(recovery.faults == [] && recovery.unreadable == [])
        #expect(try RegionStore(box.store.path).regions().map(\.state) == [.complete, .complete])
    }

    @Test func `tiles that are only in the log are recovered`() async throws {
        let (box, _) = try await stores()
        let held = try Connection(box.store.path, .existing)
        try held.execute("BEGIN; SELECT count(*) FROM regions", to: "keep the log")
        try await box.download(box.region("third", Bounds(west: 40, south: 20, east: 41, north: 21)))
        let folder = TemporaryFolder()
        let path = folder.write(bytes(box.store.path), to: "regions.db")
        folder.write(bytes(box.store.path + "-wal"), to: "regions.db-wal")
        let total = try tiles(box), recovery = try StoreRecovery.run(path)
        #expect(recovery.regions == ["away", "home", "third"] && recovery.tiles == total)
    }

    @Test func `a region without its row keeps its id and tiles`() async throws {
        let (box, _) = try await stores()
        try Connection(box.store.path, .existing).execute(
            "UPDATE regions SET definition = '{' WHERE id = 'home'; UPDATE parts SET definition = ''",
            to: "damage")
        let recovery = try StoreRecovery.run(box.store.path)
        #expect(recovery.unreadable == ["home"] && recovery.regions == ["away"])
        let store = try RegionStore(box.store.path)
        #expect(try store.region("home").definition == nil)
        _ = try store.sweepOrphans()
        #expect(try box.body(.at(9, 256, 255)) != nil)
    }

    @Test(arguments: ["pipe", "folder", "device"])
    func `what is no regular file is refused at once`(kind: String) throws {
        let folder = TemporaryFolder(), path = folder.path + "/regions.db"
        switch kind {
        case "pipe": mkfifo(path, 0o600)
        case "folder": mkdir(path, 0o700)
        default: symlink("/dev/zero", path)
        }
        for open in [{ _ = try RegionStore(path) }, { _ = try SharedCache.open(path) }] {
            #expect {
                try open()
            } throws: { error in
                "\(error)".contains("is not a regular file") && "\(error)".contains("move it")
            }
        }
    }
}
