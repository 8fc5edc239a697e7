import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests killing the program at random moments of all operations on a region of vector tiles.
struct CareKillTests {
    private static let square = VectorTileFixture.Feature(
        .polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)])

    /// Starts a publisher of vector tiles with a layer named after the edition.
    private func publisher() throws -> EditionHost {
        try EditionHost("pbf", vectorLayers: ["land", "building"]) { _, edition in
            VectorTileFixture([("land\(edition)", [Self.square]), ("building", [Self.square])]).bytes
        }
    }

    /// Returns the editions of the tiles that the region shows, and the number of tiles.
    private func shown(_ publisher: EditionHost) throws -> (editions: Set<String>, count: Int) {
        let tiles = try publisher.shown()
        return (
            Set(
                try tiles.flatMap {
                    try VectorTile(Gzip.unwrapped($0.body)).layerNames.filter { $0.hasPrefix("land") }
                }),
            tiles.count
        )
    }

    private enum Work: CaseIterable {
        case addOther, update, publishAndUpdate, less, more, repair, removeOther, export, importArchive
    }

    private static let area = ["--bbox", "0.1,0.1,4,4", "--zooms", "5-9", "--exact"]

    private func words(_ work: Work, _ publisher: EditionHost, _ step: Int) -> [String] {
        let archive = publisher.box.folder.path + "/home.pmtiles"
        return switch work {
        case .addOther:
            ["add", "other", "--source", publisher.address, "--bbox", "2,2,6,6", "--zooms", "5-9", "--exact"]
        case .update, .publishAndUpdate: ["update", "home"]
        case .less: ["update", "home", "--reconfigure", "--features", "rendering"]
        case .more: ["update", "home", "--reconfigure", "--features", "rendering,detailRendering"]
        case .repair: ["check", "home", "--repair"]
        case .removeOther: ["remove", "other"]
        case .export: ["export", "home", "-o", archive, "--force"]
        case .importArchive: ["import", "imported\(step)", "--source", publisher.address, "--from", archive]
        }
    }

    @Test func `a region stays complete whenever the process is killed`() async throws {
        let kills = Soak.isOn ? 1000 : 18, seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        let publisher = try publisher(), box = publisher.box
        #expect(await box.run(["add", "home", "--source", publisher.address] + Self.area).status == 0)
        #expect(await box.run(["export", "home", "-o", box.folder.path + "/home.pmtiles"]).status == 0)
        let whole = try shown(publisher).count
        for step in 0..<kills {
            let work = Work.allCases[step % Work.allCases.count]
            if work == .publishAndUpdate { publisher.publish() }
            let child = box.start(words(work, publisher, step))
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &generator)))
            child.send(SIGKILL)
            _ = child.wait()
            let (editions, count) = try shown(publisher)
            #expect(editions.count == 1 && count == whole, "\(work) RHUMB_TEST_SEED=\(seed)")
            let check = try box.json(await box.run("check", "home", "--json"))
            #expect(
                check["missing"]?.int == 0 && check["damaged"]?.int == 0,
                "\(work) \(check) RHUMB_TEST_SEED=\(seed)")
            let archive = await ProgramRun.of(
                CommandFixture.program, ["archive", "info", box.folder.path + "/home.pmtiles"],
                environment: box.environment)
            #expect(archive.status == 0, "\(work) \(archive) RHUMB_TEST_SEED=\(seed)")
        }
        let repair = await box.run("check", "home", "--repair")
        // An update that was killed remains to be finished.
        let isUnfinished = repair.output.contains("its last update is unfinished")
        #expect(repair.status == (isUnfinished ? 3 : 0), "\(repair) RHUMB_TEST_SEED=\(seed)")
        let update = await box.run("update", "home")
        #expect(update.status == 0, "\(update) RHUMB_TEST_SEED=\(seed)")
        let end = try shown(publisher)
        #expect(end == (["land\(publisher.edition)"], whole), "\(end) \(update) RHUMB_TEST_SEED=\(seed)")
        #expect(await box.run("check", "home").status == 0)
    }
}
