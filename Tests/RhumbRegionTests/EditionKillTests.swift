import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests killing the program while a region is updated to another edition of its source.
struct EditionKillTests {
    /// Returns the editions of the tiles that the region shows, and the number of tiles.
    private func shown(_ publisher: EditionHost) throws -> (editions: Set<Int>, count: Int) {
        let tiles = try publisher.shown()
        let editions = tiles.flatMap { tile, body in
            (1...publisher.edition).filter { TileHost.body(tile, $0) == body }
        }
        return (Set(editions), tiles.count)
    }

    @Test func `one edition is complete and shown each time, and the next command finishes the other`()
        async throws
    {
        let kills = Soak.isOn ? 200 : 8, seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        let publisher = try EditionHost("png", body: TileHost.body), box = publisher.box
        let area = ["--bbox", "0.1,0.1,6,6", "--zooms", "5-9", "--exact"]
        #expect(await box.run(["add", "home", "--source", publisher.address] + area).status == 0)
        let whole = try shown(publisher).count
        for _ in 0..<kills {
            publisher.publish()
            let before = box.host.server.requestCount, child = box.start(["update", "home"])
            let wanted = before + Int.random(in: 0...(whole + 10), using: &generator)
            #expect(await eventually { child.hasEnded || box.host.server.requestCount >= wanted })
            usleep(UInt32.random(in: 0..<30_000, using: &generator))
            child.send(SIGKILL)
            _ = child.wait()
            let (editions, count) = try shown(publisher)
            #expect(editions.count == 1 && count == whole, "RHUMB_TEST_SEED=\(seed)")
            #expect(await box.run("check", "home").status == 0)
        }
        #expect(await box.run("update", "home").status == 0)
        #expect(try shown(publisher) == ([publisher.edition], whole))
        #expect(try box.number("SELECT count(*) FROM entries WHERE z >= 0") == whole)
    }
}
