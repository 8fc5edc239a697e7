import RhumbTestSupport
import Testing

/// Compares how often the hot paths ask for memory with the committed numbers. A change that makes one rise
/// by a twentieth fails; one that makes it fall by a fifth fails, too, until the smaller number is committed.
struct AllocationTests {
    /// A path with its allocations in debug and release builds.
    struct Path: Sendable, CustomTestStringConvertible {
        let name: String
        let debug: Int
        let release: Int

        var testDescription: String { name }

        var count: Int {
            #if DEBUG
                debug
            #else
                release
            #endif
        }
    }

    private static let paths = [
        // A key that moves the map by an eighth of the view of 120×40 cells, drawn to bytes.
        Path(name: "pan", debug: 58_391, release: 504),
        // All cells of the same view, drawn again.
        Path(name: "frame", debug: 36_151, release: 270),
        // A tile of the built-in world, unpacked, decoded and drawn.
        Path(name: "tile", debug: 1_108, release: 1_066),
        // A letter of a word typed in the search.
        Path(name: "key", debug: 400_555, release: 3_094),
        // A tile of a region, from its arrival to the disk.
        Path(name: "download", debug: 449, release: 57),
    ]

    @Test func `no hot path asks for memory more often than before`() async throws {
        let run = await ProgramRun.of(
            TestProducts.path("AllocationFixture"), [], environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
        try #require(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.map { String($0[0]) } == Self.paths.map(\.name))
        for (line, path) in zip(lines, Self.paths) {
            let count = try #require(Int(line[1]))
            #expect(count * 20 <= path.count * 21, "\(path.name): \(count) instead of \(path.count)")
            #expect(count * 5 >= path.count * 4, "\(path.name): commit \(count) instead of \(path.count)")
        }
    }
}
