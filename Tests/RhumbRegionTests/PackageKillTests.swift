import Glibc
@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests killing the program while packages are updated by differences.
struct PackageKillTests {
    private let publisher: PackageFixture
    private let box: CommandFixture
    private let folder = TemporaryFolder()
    private static let tiles = Array(TileID.pyramid(0...4))

    init() throws {
        publisher = try PackageFixture()
        box = try CommandFixture()
        box.folder.write(Array("{}".utf8), to: "config.json")
    }

    /// Returns the image of a tile in an edition. Each edition changes another tenth of the tiles, and images
    /// of old editions recur.
    private static func body(_ at: Int, _ edition: Int) -> [UInt8] {
        let last = edition - (edition - at % 10 + 10) % 10
        return PackageFixture.body(tiles[at], max(last, 0) % 30)
    }

    private func publish(_ edition: Int) throws {
        for name in ["north", "south"] {
            let tiles = Self.tiles.indices.map { (Self.tiles[$0], Self.body($0, edition)) }
            folder.write(PMTilesFixture(tiles).bytes, to: "\(name).pmtiles")
        }
        try publisher.publish(folder, edition: "\(edition)")
    }

    private func words(_ words: [String]) -> [String] {
        words + ["--catalog", publisher.address] + box.places
    }

    private func run(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(CommandFixture.program, self.words(words), environment: box.environment)
    }

    /// Returns the edition that a package shows; nil if it is a mixture or incomplete.
    private func edition(of package: String, _ newest: Int) throws -> Int? {
        let store = try RegionStore(box.storePath),
            part = try #require(store.region("package-test.\(package)").parts.first)
        let bodies = Self.tiles.map { store.response(for: .tile(origin: part.origin, $0))?.body }
        return (max(newest - 1, 1)...newest).last { edition in
            bodies.indices.allSatisfy { bodies[$0] == Self.body($0, edition) }
        }
    }

    @Test
    func `one edition of each package is complete each time, and the next command finishes the other`()
        async throws
    {
        let kills = Soak.isOn ? 200 : 6, seed = SplitMix.anySeed
        var generator = SplitMix(seed: seed)
        try publish(1)
        let installed = await run("package", "install", "north", "south")
        #expect(installed.status == 0, "\(installed)")
        var killed = 0, loaded = 0, span = 0.5
        for step in 2..<(2 + kills) {
            try publish(step)
            let child = ChildProgram(
                CommandFixture.program, words(["update", "apply"]), environment: box.environment,
                errors: box.folder.path + "/errors.txt")
            usleep(UInt32(Double.random(in: 0..<span, using: &generator) * 1e6))
            child.send(SIGKILL)
            if child.wait() != 0 { killed += 1 }
            for package in ["north", "south"] {
                #expect(try edition(of: package, step) != nil, "RHUMB_TEST_SEED=\(seed)")
            }
            let clock = ContinuousClock(), start = clock.now, update = await run("update", "apply")
            // This is usually the rest of the killed update. A complete update takes at least as long.
            span = max((clock.now - start) / .seconds(1), 0.1)
            #expect(update.status == 0, "\(update) RHUMB_TEST_SEED=\(seed)")
            for package in ["north", "south"] {
                #expect(try edition(of: package, step) == step, "RHUMB_TEST_SEED=\(seed)")
            }
            loaded += try RegionStore(box.storePath).region("package-test.north").parts[0].loaded
        }
        // Differences were fetched, not whole packages: each edition changes a tenth of the tiles.
        #expect(loaded < kills * Self.tiles.count / 4 && killed > 0)
        #expect(try box.number("SELECT count(*) FROM entries WHERE z >= 0") == 2 * Self.tiles.count)
    }
}
