import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// The program killed at random moments of everything that is done with a region of vector tiles.
struct CareKillTests {
    /// A publisher of whose vector tiles one layer is named after the edition.
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
                let template = box.host.server.url("/{z}/{x}/{y}.pbf?e=\(edition)")
                return LoopbackReply(200, Array("""
                    {"tilejson":"3.0.0","version":"\(edition).0.0","minzoom":0,"maxzoom":9,"tiles":["\(template)"],
                    "vector_layers":[{"id":"land","fields":{}},{"id":"building","fields":{}}]}
                    """.utf8))
            }
            guard TileHost.tile(request.target[...]) != nil else { return LoopbackReply(404) }
            return LoopbackReply(200, Self.body(edition), headers: ["Cache-Control": "max-age=3600"])
        }

        private static let square = VectorTileFixture.Feature(.polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])

        private static func body(_ edition: Int) -> [UInt8] {
            VectorTileFixture([("land\(edition)", [square]), ("building", [square])]).bytes
        }

        /// The editions that the tiles are of which a region shows, and how many there are.
        func shown(_ id: String) throws -> (editions: Set<String>, count: Int) {
            let store = try RegionStore(box.storePath), record = try store.region(id)
            var editions: Set<String> = [], count = 0
            for (origin, cover) in record.covers {
                for tile in cover.tiles() {
                    guard let body = store.response(for: .tile(origin: origin, tile))?.body else { continue }
                    count += 1
                    editions.formUnion(try VectorTile(body).layerNames.filter { $0.hasPrefix("land") })
                }
            }
            return (editions, count)
        }
    }

    private enum Work: CaseIterable {
        case addOther, update, publishAndUpdate, less, more, repair, removeOther, export, importArchive
    }

    private static let area = ["--bbox", "0.1,0.1,4,4", "--zooms", "5-9", "--exact"]

    private func words(_ work: Work, _ publisher: Publisher, _ step: Int) -> [String] {
        let archive = publisher.box.folder.path + "/home.pmtiles"
        return switch work {
        case .addOther: ["add", "other", "--source", publisher.address, "--bbox", "2,2,6,6", "--zooms", "5-9", "--exact"]
        case .update, .publishAndUpdate: ["update", "home"]
        case .less: ["update", "home", "--reconfigure", "--features", "rendering"]
        case .more: ["update", "home", "--reconfigure", "--features", "rendering,detailRendering"]
        case .repair: ["repair", "home"]
        case .removeOther: ["remove", "other", "--yes"]
        case .export: ["export", "home", "-o", archive, "--force"]
        case .importArchive: ["import", "imported\(step)", "--source", publisher.address, "--from", archive]
        }
    }

    @Test func `whatever is being done with it when the process dies, a region stays whole`() async throws {
        let kills = Soak.isOn ? 1000 : 18, seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        let publisher = try Publisher(), box = publisher.box
        #expect(await box.run(["add", "home", "--source", publisher.address] + Self.area).status == 0)
        #expect(await box.run(["export", "home", "-o", box.folder.path + "/home.pmtiles"]).status == 0)
        let whole = try publisher.shown("home").count
        for step in 0..<kills {
            let work = Work.allCases[step % Work.allCases.count]
            if work == .publishAndUpdate { publisher.publish() }
            let child = box.start(words(work, publisher, step))
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &generator)))
            child.send(SIGKILL)
            _ = child.wait()
            let (editions, count) = try publisher.shown("home")
            #expect(editions.count == 1 && count == whole, "\(work) RHUMB_TEST_SEED=\(seed)")
            let check = try box.json(await box.run("check", "home", "--json"))
            #expect(check["missing"]?.int == 0 && check["damaged"]?.int == 0, "\(work) \(check) RHUMB_TEST_SEED=\(seed)")
            let archive = await ProgramRun.of(CommandFixture.program, ["inspect", box.folder.path + "/home.pmtiles"], environment: box.environment)
            #expect(archive.status == 0, "\(work) \(archive) RHUMB_TEST_SEED=\(seed)")
        }
        #expect(await box.run("repair", "home").status == 0)
        let update = await box.run("update", "home")
        #expect(update.status == 0, "\(update) RHUMB_TEST_SEED=\(seed)")
        #expect(try publisher.shown("home") == (["land\(publisher.edition)"], whole), "RHUMB_TEST_SEED=\(seed)")
        #expect(await box.run("check", "home").status == 0)
    }
}
