import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// The program killed while a region changes over to another edition of its source.
struct EditionKillTests {
    /// A publisher whose tiles tell their edition.
    private final class Publisher: Sendable {
        let box: CommandFixture
        private let number = Mutex(1)

        var edition: Int { number.withLock { $0 } }
        var address: String { box.host.server.url("/map.json") }

        init() throws {
            box = try CommandFixture()
            box.folder.write(Array("{}".utf8), to: "config.json")
            box.host.answer { [weak self] in self?.reply($0) }
        }

        func publish() { number.withLock { $0 += 1 } }

        private func reply(_ request: LoopbackRequest) -> LoopbackReply {
            if request.target == "/map.json" {
                let template = box.host.server.url("/{z}/{x}/{y}.png?e=\(edition)")
                return LoopbackReply(200, Array(
                    #"{"tilejson":"3.0.0","version":"\#(edition).0.0","minzoom":0,"maxzoom":9,"tiles":["\#(template)"]}"#.utf8))
            }
            guard let tile = TileHost.tile(request.target[...]), let number = Int(request.target.split(separator: "=").last ?? "")
            else { return LoopbackReply(404) }
            return LoopbackReply(200, TileHost.body(tile, number), headers: ["Cache-Control": "max-age=600"])
        }

        /// The editions that the tiles are of which the region shows, and how many there are.
        func shown() throws -> (editions: Set<Int>, count: Int) {
            let store = try RegionStore(box.storePath), record = try store.region("home")
            var editions: Set<Int> = [], count = 0
            for (origin, cover) in record.covers {
                for tile in cover.tiles() {
                    guard let body = store.response(for: .tile(origin: origin, tile))?.body else { continue }
                    count += 1
                    editions.formUnion((1...edition).filter { TileHost.body(tile, $0) == body })
                }
            }
            return (editions, count)
        }
    }

    @Test func `one edition is whole and shown each time, and the next command finishes the other`() async throws {
        let kills = Soak.isOn ? 200 : 8, seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        let publisher = try Publisher(), box = publisher.box
        let area = ["--bbox", "0.1,0.1,6,6", "--zooms", "5-9", "--exact"]
        #expect(await box.run(["add", "home", "--source", publisher.address] + area).status == 0)
        let whole = try publisher.shown().count
        for _ in 0..<kills {
            publisher.publish()
            let before = box.host.server.requestCount, child = box.start(["update", "home"])
            let wanted = before + Int.random(in: 0...(whole + 10), using: &generator)
            while !child.hasEnded, box.host.server.requestCount < wanted { try? await Task.sleep(for: .milliseconds(1)) }
            usleep(UInt32.random(in: 0..<30_000, using: &generator))
            child.send(SIGKILL)
            _ = child.wait()
            let (editions, count) = try publisher.shown()
            #expect(editions.count == 1 && count == whole, "RHUMB_TEST_SEED=\(seed)")
            #expect(await box.run("check", "home").status == 0)
        }
        #expect(await box.run("update", "home").status == 0)
        #expect(try publisher.shown() == ([publisher.edition], whole))
        #expect(try box.number("SELECT count(*) FROM entries WHERE z >= 0") == whole)
    }
}
