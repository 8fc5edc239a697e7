import Glibc
import RhumbCore
import RhumbEngine
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the cache in real processes: many at once, killed, without permissions, and without disk space.
struct CacheProcessTests {
    private let box = CacheBox()
    private static let fixture = TestProducts.path("CacheFixture")

    private func child(_ verb: String, _ arguments: String...) -> ChildProgram {
        ChildProgram(Self.fixture, [verb, box.path] + arguments)
    }

    private func number(_ lines: [String], _ name: String) -> Int? {
        lines.first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    private func troubles(_ lines: [String]) -> [String] {
        lines.filter { $0.hasPrefix("trouble: ") || $0.hasPrefix("refused: ") }
    }

    // MARK: Killed

    /// Returns the last line that a cache-filling program printed before it was killed.
    private func fillUntilKilled(_ generator: inout SplitMix) -> (version: Int, below: Int)? {
        let filler = child("fill", "\(generator.next() >> 8)")
        var last: String?
        for _ in 0..<Int.random(in: 1...25, using: &generator) { last = filler.readLine() ?? last }
        usleep(UInt32.random(in: 0..<4000, using: &generator))
        filler.kill()
        for line in filler.lines() where line.split(separator: " ").count == 2 { last = line }
        let words = (last ?? "").split(separator: " ").compactMap { Int($0) }
        return words.count == 2 ? (words[0], words[1]) : nil
    }

    private func check(_ committed: (version: Int, below: Int)) throws {
        let cache = try box.open()
        for number in 0..<300 {
            let body = cache.response(for: NumberedTile(number).key)?.body
            let version = body.flatMap { NumberedTile(number).version(of: $0) }
            #expect(body == nil || version != nil, "tile \(number) is torn")
            let due = number < committed.below ? committed.version : committed.version - 1
            #expect(version ?? 0 >= due, "tile \(number) is lost")
        }
        #expect(try cache.verify().faults == [])
    }

    @Test func `killed at any moment, it opens cleanly without torn or lost tiles`() throws {
        let seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        for round in 0..<(Soak.isOn ? 200 : 20) {
            let committed = try #require(
                fillUntilKilled(&generator), "round \(round), RHUMB_TEST_SEED=\(seed)")
            try check(committed)
            unlink(box.path)
            unlink(box.path + "-wal")
            unlink(box.path + "-shm")
        }
        #expect(box.troubles == [])
    }

    @Test func `killed repeatedly, it keeps its stored responses`() throws {
        var generator = SplitMix(seed: SplitMix.anySeed)
        for _ in 0..<(Soak.isOn ? 50 : 5) {
            _ = fillUntilKilled(&generator)
            #expect(try box.open().verify().faults == [])
        }
        #expect(try box.open().whole(0..<1) == [0])
        #expect(box.troubles == [])
    }

    // MARK: Concurrent

    @Test func `four processes fill and read one cache`() throws {
        let length = Soak.isOn ? 60_000 : 2000
        let children = (1...4).map { child("mix", "\($0)", "\(length)") }
        for child in children {
            let lines = child.lines()
            #expect(child.wait() == 0)
            #expect(troubles(lines) == [])
            #expect(number(lines, "wrong") == 0)
            #expect(number(lines, "hits") ?? 0 > 0)
        }
        #expect(try box.open().verify().faults == [])
    }

    @Test func `many processes may create the cache at once`() throws {
        for _ in 0..<5 {
            let children = (1...6).map { child("mix", "\($0)", "20") }
            for child in children {
                #expect(troubles(child.lines()) == [])
                #expect(child.wait() == 0)
            }
            unlink(box.path)
        }
        #expect(box.files.filter { $0.contains("set-aside") } == [])
    }

    @Test func `processes that meet damage at the same time agree on one new file`() throws {
        try box.open().store(0..<1500)
        _ = try box.open().trim(to: .max)
        let children = (1...3).map { child("mix", "\($0)", "1200") }
        for page in 1..<40 { box.damage(from: page * 16_384, [UInt8](repeating: 0xFF, count: 16_384)) }
        let told = children.flatMap { troubles($0.lines()) }
        for child in children { #expect(child.wait() == 0) }
        #expect(told.count == 1 && told[0].contains("damaged"), "\(told)")
        #expect(try box.open().verify().faults == [])
    }

    @Test func `processes that open a damaged file at the same time agree on one new file`() throws {
        for _ in 0..<5 {
            box.folder.write([UInt8](repeating: 0xAA, count: 300_000), to: "tiles.db")
            let children = (1...4).map { child("mix", "\($0)", "50") }
            let told = children.flatMap { troubles($0.lines()) }
            #expect(told.count == 1, "\(told)")
            unlink(box.path)
        }
        #expect(box.files.count == 5)
    }

    // MARK: Without permissions

    @Test(arguments: [(0o444, 0o755), (0o644, 0o555), (0o444, 0o555), (0o444, 0o777)] as [(mode_t, mode_t)])
    func `a read-only cache is read and reported once`(file: mode_t, folder: mode_t) throws {
        try fillAndClose()
        chmod(box.path, file)
        chmod(box.folder.path, folder)
        let child = child("unprivileged")
        let lines = child.lines()
        #expect(child.wait() == 0, "\(lines)")
        #expect(number(lines, "whole") == 100 && number(lines, "wrong") == 0, "\(lines)")
        #expect(troubles(lines).count == 1, "\(lines)")
        #expect(troubles(lines).first?.hasSuffix("continuing without it") == true)
        chmod(box.folder.path, 0o755)
    }

    @Test func `if no cache can be created, this is reported once without other effects`() throws {
        chmod(box.folder.path, 0o555)
        let child = child("unprivileged")
        let lines = child.lines()
        #expect(child.wait() == 1)
        #expect(
            lines.count == 1 && lines[0].hasPrefix("refused: ") && lines[0].contains(box.path), "\(lines)")
        chmod(box.folder.path, 0o755)
    }

    private func fillAndClose() throws {
        let cache = try box.open()
        cache.store(0..<100)
        _ = try cache.trim(to: .max)
    }

    // MARK: Without disk space

    @Test(arguments: [300_000, 900_000])
    func `if files can't grow, existing responses are read, and the problem is reported once`(
        bytes: Int
    ) throws {
        let child = child("limited", "\(bytes)")
        try expectOneComplaint(child.lines(), child)
    }

    @Test func `a full disk is reported once, and the cache works again with more room`() throws {
        let disk = box.folder.path + "/disk"
        mkdir(disk, 0o777)
        guard mount("tmpfs", disk, "tmpfs", 0, "size=700k") == 0 else {
            return print("left out: a small disk can't be mounted here (\(String(cString: strerror(errno))))")
        }
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let path = disk + "/tiles.db"
        let child = ChildProgram(Self.fixture, ["brim", path])
        try expectOneComplaint(child.lines(), child)
        #expect(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT), "size=24000k") == 0)
        let again = ChildProgram(Self.fixture, ["brim", path])
        let lines = again.lines()
        #expect(again.wait() == 0)
        #expect(number(lines, "whole") == 400 && troubles(lines) == [])
    }

    private func expectOneComplaint(_ lines: [String], _ child: ChildProgram) throws {
        #expect(child.wait() == 0, "\(lines)")
        #expect(number(lines, "wrong") == 0)
        #expect(troubles(lines).count == 1, "\(lines)")
        #expect(troubles(lines).first?.contains("can't write to the cache") == true)
        #expect(number(lines, "whole") ?? 400 < 400)
    }
}
