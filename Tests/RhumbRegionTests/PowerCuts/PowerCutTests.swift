import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Power cuts at any moment of a command that writes: nothing that was reported as done is lost, and nothing
/// blocks the next run.
struct PowerCutTests {
    private let box: CommandFixture
    private let seed = SplitMix.anySeed
    /// The number of states of each command.
    private static let states = Soak.isOn ? 17_000 : 240
    private static let add = ["add", "home", "--source", "web"] + CommandFixture.area

    init() throws {
        box = try CommandFixture()
        box.configure()
    }

    private func record(_ words: [String]) async -> RecordedRun {
        await RecordedRun.of(words, in: box.folder.path, environment: box.environment)
    }

    /// Checks the regions in a folder: the file is sound, and its ledger matches the stored tiles.
    /// - Parameter isComplete: True if all tiles must be there.
    private func checkRegions(
        in folder: TemporaryFolder, isComplete: Bool, versions: ClosedRange<Int> = 1...1,
        _ comment: Comment
    ) throws {
        let path = folder.path + "/data/regions.db"
        guard access(path, F_OK) == 0 else {
            #expect(!isComplete, comment)
            return
        }
        let store = try RegionStore(path)
        #expect(try store.integrityFaults() == [], comment)
        let records = try store.regions()
        if isComplete { #expect(records.map(\.state) == [.complete], comment) }
        for record in records {
            var stored = 0, planned = 0
            for source in record.covers {
                for tile in source.cover.tiles() {
                    planned += 1
                    guard let body = store.response(for: .tile(origin: source.origin, tile))?.body else {
                        continue
                    }
                    stored += 1
                    #expect(versions.contains { TileHost.body(tile, $0) == body }, comment)
                }
            }
            // A removal deletes tiles in several transactions, and says so if it was interrupted.
            let isRemoved = record.state == .cancelled && record.reason.contains("removal")
            // A refresh counts its tiles from 0.
            if record.refresh == nil, !isRemoved { #expect(stored == record.tiles, comment) }
            if isComplete { #expect(stored == planned && stored == 86, comment) }
        }
    }

    private var comment: Comment { "RHUMB_TEST_SEED=\(seed)" }

    private func run(_ words: [String], _ box: CommandFixture) async throws {
        let run = await box.run(words)
        #expect(run.status == 0, "\(run)")
    }

    // MARK: Regions

    @Test
    func
        `after a power cut, a region that was reported as complete is there, and an unfinished one is consistent`()
        async throws
    {
        let recorded = await record(box.words(Self.add))
        #expect(recorded.run.status == 0)
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, printed in
            try checkRegions(in: folder, isComplete: printed.contains("complete"), comment)
        }
    }

    @Test func `after a power cut, a download continues and fetches only the missing tiles`() async throws {
        let recorded = await record(box.words(Self.add))
        try await recorded.cutPower(seed: seed, limit: Soak.isOn ? 200 : 12) { folder, _ in
            let box = CommandFixture(box.host, in: folder), isThere = access(box.storePath, F_OK) == 0
            box.configure()
            // A file that was being created may have no tables yet.
            let isMade = isThere && (try? box.number("SELECT count(*) FROM workers")) != nil
            let before = isMade ? Set(try box.stored().keys) : []
            let asked = box.host.asked.count
            let isKnown = isMade ? try box.number("SELECT count(*) FROM regions") == 1 : false
            try await run(isKnown ? ["resume", "home"] : Self.add, box)
            #expect(before.isDisjoint(with: box.host.asked.dropFirst(asked)), comment)
            try checkRegions(in: folder, isComplete: true, comment)
        }
    }

    @Test func `after a power cut, a refresh leaves every tile in its old or its new version`() async throws {
        try await run(Self.add, box)
        box.host.change { $0.version = 2 }
        let recorded = await record(box.words(["update", "home"]))
        #expect(recorded.run.status == 0)
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, _ in
            try checkRegions(in: folder, isComplete: false, versions: 1...2, comment)
            let stored = try CommandFixture(box.host, in: folder).stored()
            #expect(stored.count == 86, comment)
        }
    }

    @Test func `a region is removed as a whole or not at all`() async throws {
        try await run(Self.add, box)
        let recorded = await record(box.words(["remove", "home"]))
        #expect(recorded.run.status == 0)
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, printed in
            try checkRegions(in: folder, isComplete: false, comment)
            let store = try RegionStore(folder.path + "/data/regions.db")
            if printed.lowercased().contains("removed") { #expect(try store.regions().isEmpty, comment) }
        }
    }

    @Test func `a region whose removal was interrupted can be removed, or downloaded again`() async throws {
        try await run(Self.add, box)
        let recorded = await record(box.words(["remove", "home"]))
        var removes = false
        try await recorded.cutPower(seed: seed, limit: Soak.isOn ? 200 : 16) { folder, _ in
            let box = CommandFixture(box.host, in: folder)
            box.configure()
            removes.toggle()
            guard try box.number("SELECT count(*) FROM regions") == 1 else { return }
            try await run(removes ? ["remove", "home"] : Self.add, box)
            if !removes { try checkRegions(in: folder, isComplete: true, comment) }
            if removes { #expect(try box.number("SELECT count(*) FROM entries") == 0, comment) }
        }
    }

    @Test func `after a power cut, an export is there as a whole or not at all`() async throws {
        try await run(Self.add, box)
        let recorded = await record(
            box.words(["export", "home", "-o", box.folder.path + "/out.pmtiles"]))
        let tiles = try box.stored().keys
        #expect(recorded.run.status == 0)
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, printed in
            try checkRegions(in: folder, isComplete: true, comment)
            let path = folder.path + "/out.pmtiles"
            guard access(path, F_OK) == 0 else {
                #expect(!printed.contains("86"), comment)
                return
            }
            let archive = try PMTilesArchive(path)
            for tile in tiles {
                guard case .bitmap(.encoded(let body)) = try archive.tile(tile) else {
                    Issue.record("\(tile) is missing, RHUMB_TEST_SEED=\(seed)")
                    return
                }
                #expect(body == TileHost.body(tile), comment)
            }
        }
    }

    @Test func `an imported region is consistent`() async throws {
        try await run(Self.add, box)
        let archive = box.folder.path + "/out.pmtiles"
        try await run(["export", "home", "-o", archive], box)
        try await run(["remove", "home"], box)
        let recorded = await record(box.words(["import", "home", "--from", archive, "--source", "web"]))
        #expect(recorded.run.status == 0, "\(recorded.run)")
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, printed in
            try checkRegions(in: folder, isComplete: printed.contains("complete"), comment)
        }
    }

    // MARK: Packages

    @Test func `after a power cut, a package is shown in one edition`() async throws {
        let publisher = try PackageFixture(), box = try CommandFixture()
        publisher.publishCountries()
        box.folder.write(Array(#"{"catalog": ["\#(publisher.address)"]}"#.utf8), to: "config.json")
        let program = CommandFixture.program
        let installed = await ProgramRun.of(
            program, ["package", "install", "north", "south"] + box.places, environment: box.environment)
        #expect(installed.status == 0, "\(installed)")
        publisher.publishCountries(edition: 2)
        let recorded = await RecordedRun.of(
            ["update", "apply"] + box.places, in: box.folder.path, environment: box.environment)
        #expect(recorded.run.status == 0, "\(recorded.run)")
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, printed in
            let store = try RegionStore(folder.path + "/data/regions.db")
            #expect(try store.integrityFaults() == [], comment)
            for name in ["north", "south"] {
                let region = try store.region("package-test.\(name)")
                let shown = (1...2).filter { edition in
                    region.covers.allSatisfy { source in
                        source.cover.tiles().allSatisfy {
                            store.response(for: .tile(origin: source.origin, $0))?.body
                                == PackageFixture.body($0, edition)
                        }
                    }
                }
                #expect(shown.count == 1, comment)
                if printed.contains("updated"), printed.contains(name) { #expect(shown == [2], comment) }
            }
        }
    }

    // MARK: Other files

    @Test func `after a power cut, a bookmark that was reported as saved is there, with those before it`()
        async throws
    {
        let program = CommandFixture.program, words = ["bookmark", "add"]
        let first = await ProgramRun.of(program, words + ["a", "1,2"], environment: box.environment)
        #expect(first.status == 0)
        let recorded = await record(words + ["q", "60,22"])
        #expect(recorded.run.status == 0)
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, printed in
            let bytes = CrashDisk.read(folder.path + "/.local/share/rhumb/bookmarks.json")
            let letters = try JSON.parse(bytes).array?.compactMap { $0["letter"]?.string } ?? []
            #expect(letters == ["a"] || letters == ["a", "q"], comment)
            if printed.contains("q  ") { #expect(letters.contains("q"), comment) }
        }
    }

    @Test func `after a power cut, the cache may lack its last writes, and blocks nothing`() async throws {
        let words = [
            "cache", "prefetch", "--source", "web", "--bbox", "0.1,0.1,1.3,1.3", "--zooms", "7-9",
        ]
        let recorded = await record(words + box.places)
        #expect(recorded.run.status == 0, "\(recorded.run)")
        await recorded.cutPower(seed: seed, limit: Soak.isOn ? 200 : 16) { folder, _ in
            let box = CommandFixture(box.host, in: folder)
            box.configure()
            let again = await ProgramRun.of(
                CommandFixture.program, words + box.places, environment: box.environment)
            #expect(again.status == 0, "\(again) \(comment)")
        }
    }

    @Test func `after a power cut, a style pack is there as a whole or not at all`() async throws {
        let server = try StyleFixture.server()
        let recorded = await record(["style", "add", server.url("/style.json")] + box.places)
        #expect(recorded.run.status == 0, "\(recorded.run)")
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, printed in
            let path = folder.path + "/data/regions.db"
            guard access(path, F_OK) == 0 else {
                #expect(!printed.contains("Red"), comment)
                return
            }
            let store = try RegionStore(path)
            #expect(try store.integrityFaults() == [], comment)
            let packs = try store.stylePacks()
            #expect(packs.allSatisfy { $0.documents.count == 2 }, comment)
            if printed.contains("Red") { #expect(packs.count == 1, comment) }
        }
    }

    @Test(arguments: ["out.pmtiles", "out.mbtiles"])
    func `after a power cut, a converted archive is there as a whole or not at all`(
        output: String
    ) async throws {
        let tiles = TileID.pyramid(0...3)
        box.folder.write(PMTilesFixture(tiles.map { ($0, fakePicture($0)) }).bytes, to: "all.pmtiles")
        let recorded = await record(
            ["archive", "convert", box.folder.path + "/all.pmtiles", box.folder.path + "/" + output])
        #expect(recorded.run.status == 0, "\(recorded.run)")
        try await recorded.cutPower(seed: seed, limit: Self.states) { folder, printed in
            let path = folder.path + "/" + output
            guard access(path, F_OK) == 0 else {
                #expect(!printed.contains("85"), comment)
                return
            }
            let archive = try Archive.open(path)
            for tile in tiles { try #require(try archive.storedBody(tile) == fakePicture(tile), comment) }
        }
    }
}
