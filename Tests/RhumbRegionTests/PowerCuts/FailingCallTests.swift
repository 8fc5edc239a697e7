import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Commands whose calls to the system fail, one after another: each ends with a message and an exit
/// status, and the next run recovers.
struct FailingCallTests {
    private let box: CommandFixture
    private let seed = SplitMix.anySeed
    private static let add = ["add", "home", "--source", "web"] + CommandFixture.area
    /// Errors that occur once or last: a disk that fails, also when it is read; and a full disk, a full
    /// quota, and a call that a signal interrupts once.
    private static let errors: [[(error: Int32, lasts: Bool)]] = [
        [(EIO, false), (EIO, true)],
        [(ENOSPC, false), (ENOSPC, true), (EDQUOT, false), (EDQUOT, true), (EINTR, false)],
    ]

    init() throws {
        box = try CommandFixture()
        box.configure()
    }

    /// Makes calls of a command fail, each in a copy of the home.
    /// - Parameters:
    ///   - words: Returns the command for a home.
    ///   - recovery: The command that runs afterwards without a failure; nil for the same one.
    ///   - configure: Writes the configuration into a home.
    ///   - check: Checks the home after the recovery.
    private func failCalls(
        of words: (CommandFixture) -> [String], recovery: ((CommandFixture) -> [String])? = nil,
        configuring configure: (CommandFixture) -> Void = { $0.configure() },
        _ check: (CommandFixture) throws -> Void
    ) async throws {
        let home = CrashDisk(box.folder.path)
        var generator = SplitMix(seed: seed), tried = 0
        func run(_ failure: (call: Int, error: Int32), lasts: Bool) async -> (CommandFixture, RecordedRun) {
            let box = CommandFixture(self.box.host, in: TemporaryFolder())
            home.write(to: box.folder.path, .nothing)
            configure(box)
            let recorded = await RecordedRun.of(
                words(box), in: box.folder.path, environment: box.environment, failing: failure, lasts: lasts)
            return (box, recorded)
        }
        for errors in Self.errors {
            let count = await run((.max, errors[0].error), lasts: false).1.trace.calls
            #expect(count > 0)
            for (at, (error, lasts)) in errors.enumerated() {
                // All errors of a list together make every call fail.
                let calls =
                    Soak.isOn
                    ? Array(stride(from: at + 1, through: count, by: errors.count))
                    : (0..<2).map { _ in Int.random(in: 1...count, using: &generator) }
                for call in calls {
                    let (box, recorded) = await run((call, error), lasts: lasts)
                    // Another order of calls may have fewer of them.
                    guard let failed = recorded.trace.failures.first else { continue }
                    tried += 1
                    let comment: Comment =
                        "call \(call) of \(count), \(failed), error \(error), lasts \(lasts): \(recorded.run)"
                    let status = recorded.run.status
                    #expect([0, 1, 3].contains(status), comment)
                    if status == 1 { #expect(recorded.run.errors.contains("rhumb: "), comment) }
                    let again = await ProgramRun.of(
                        CommandFixture.program, recovery?(box) ?? words(box), environment: box.environment)
                    #expect(again.status == 0, "\(again) after \(comment)")
                    try check(box)
                }
            }
        }
        #expect(tried > 5, "RHUMB_TEST_SEED=\(seed)")
    }

    private func checkRegion(_ box: CommandFixture) throws {
        let store = try RegionStore(box.storePath), comment: Comment = "RHUMB_TEST_SEED=\(seed)"
        #expect(try store.integrityFaults() == [], comment)
        #expect(try store.regions().map(\.state) == [.complete], comment)
        let stored = try box.stored()
        #expect(stored.count == 86, comment)
        #expect(stored.allSatisfy { TileHost.body($0.key) == $0.value }, comment)
    }

    @Test
    func `if the disk is full or fails, a command ends with an error, and the next run recovers`()
        async throws
    {
        try await failCalls(of: { $0.words(Self.add) }, checkRegion)
    }

    @Test func `an export succeeds in the next run, and leaves no temporary file`() async throws {
        #expect(await box.run(Self.add).status == 0)
        func words(_ box: CommandFixture) -> [String] {
            box.words(["export", "home", "--force", "-o", box.folder.path + "/out.pmtiles"])
        }
        try await failCalls(of: words) { box in
            #expect(!box.folder.names.contains { $0.hasSuffix(".part") })
        }
    }

    @Test func `a bookmark is saved by the next run, and none is lost`() async throws {
        let first = await ProgramRun.of(
            CommandFixture.program, ["bookmark", "add", "a", "1,2"], environment: box.environment)
        #expect(first.status == 0)
        try await failCalls(of: { _ in ["bookmark", "add", "q", "60,22"] }) { box in
            let bytes = CrashDisk.read(box.folder.path + "/.local/share/rhumb/bookmarks.json")
            let letters = try JSON.parse(bytes).array?.compactMap { $0["letter"]?.string }
            #expect(letters == ["a", "q"])
        }
    }

    @Test func `a removal that failed leaves a store that works`() async throws {
        #expect(await box.run(Self.add).status == 0)
        try await failCalls(of: { $0.words(["remove", "home"]) }, recovery: { $0.words(["list"]) }) { box in
            let store = try RegionStore(box.storePath)
            #expect(try store.integrityFaults() == [])
        }
    }

    @Test func `a refresh, an import and a prefetch recover in the next run`() async throws {
        #expect(await box.run(Self.add).status == 0)
        let archive = box.folder.path + "/out.pmtiles"
        #expect(await box.run("export", "home", "-o", archive).status == 0)
        try await failCalls(of: { $0.words(["update", "home"]) }, checkRegion)
        let prefetch = ["cache", "prefetch", "--source", "web"] + CommandFixture.area.dropLast()
        try await failCalls(of: { prefetch + $0.places }, checkRegion)
        #expect(await box.run("remove", "home").status == 0)
        try await failCalls(
            of: { $0.words(["import", "home", "--from", archive, "--source", "web"]) }, checkRegion)
    }

    @Test func `a style pack is complete after the next run`() async throws {
        let server = try StyleFixture.server()
        let words = ["style", "add", server.url("/style.json")]
        try await failCalls(of: { words + $0.places }) { box in
            let store = try RegionStore(box.storePath)
            #expect(try store.integrityFaults() == [])
            #expect(try store.stylePacks().map(\.documents.count) == [2])
        }
    }

    @Test func `packages are in one edition after the next run of an installation or an update`() async throws
    {
        let publisher = try PackageFixture(), address = publisher.address
        func configure(_ box: CommandFixture) {
            box.folder.write(Array(#"{"catalog": ["\#(address)"]}"#.utf8), to: "config.json")
        }
        func check(_ edition: Int) -> (CommandFixture) throws -> Void {
            { box in
                let store = try RegionStore(box.storePath)
                #expect(try store.integrityFaults() == [])
                for source in try store.region("package-test.north").covers {
                    for tile in source.cover.tiles() {
                        let body = store.response(for: .tile(origin: source.origin, tile))?.body
                        #expect(body == PackageFixture.body(tile, edition))
                    }
                }
            }
        }
        publisher.publishCountries()
        let install = ["package", "install", "north"], update = ["update", "apply"]
        try await failCalls(of: { install + $0.places }, configuring: configure, check(1))
        configure(box)
        let run = await ProgramRun.of(
            CommandFixture.program, install + box.places, environment: box.environment)
        #expect(run.status == 0, "\(run)")
        publisher.publishCountries(edition: 2)
        try await failCalls(of: { update + $0.places }, configuring: configure, check(2))
    }

    @Test(arguments: ["out.pmtiles", "out.mbtiles"])
    func `an archive is complete after the next run of the command that writes it`(
        output: String
    ) async throws {
        let tiles = TileID.pyramid(0...3)
        let halves = [tiles.filter { $0.zoom < 3 }, tiles.filter { $0.zoom == 3 }]
        for (name, tiles) in zip(["all", "low", "high"], [tiles] + halves) {
            box.folder.write(
                PMTilesFixture(tiles.map { ($0, fakePicture($0)) }).bytes, to: name + ".pmtiles")
        }
        let commands: [(CommandFixture) -> [String]] = [
            { ["archive", "convert", $0.folder.path + "/all.pmtiles", $0.folder.path + "/" + output] },
            { box in
                ["merge"] + ["low", "high"].map { box.folder.path + "/\($0).pmtiles" }
                    + ["-o", box.folder.path + "/" + output]
            },
            { box in
                ["archive", "extract", box.folder.path + "/all.pmtiles", "--bbox", "-180,-85,180,85"]
                    + ["-o", box.folder.path + "/" + output]
            },
        ]
        for command in commands {
            try await failCalls(of: { command($0) + ["--force"] }) { box in
                #expect(!box.folder.names.contains { $0.hasSuffix(".part") })
                let archive = try Archive.open(box.folder.path + "/" + output)
                for tile in tiles { #expect(try archive.storedBody(tile) == fakePicture(tile)) }
            }
        }
    }
}
