import RhumbCore
import RhumbTestSupport
import Testing

/// Properties that hold over a faulty network. A failure names the seed of its scenario: with it as
/// RHUMB_TEST_SEED, the scenario is the first one.
struct FaultyNetworkTests {
    private let seed = SplitMix.anySeed

    /// Runs scenarios until one fails.
    /// - Parameter count: The number of scenarios in a normal run.
    private func run(_ count: Int, _ scenario: (UInt64) async throws -> Void) async {
        for number in 0..<UInt64(Soak.isOn ? count * 100 : count) {
            do {
                try await scenario(seed &+ number)
            } catch {
                Issue.record("RHUMB_TEST_SEED=\(seed &+ number): \(error)")
                return
            }
        }
    }

    @Test func `a tile is stored under its own address, and used only while RFC 9111 allows it`() async {
        await run(300) { seed in
            var scenario = try FaultyTileScenario(seed: seed)
            try await scenario.run()
        }
    }

    @Test func `a region that is downloaded until it is complete loses nothing, and fetches nothing twice`()
        async
    {
        await run(30) { seed in
            var scenario = try FaultyRegionScenario(seed: seed)
            try await scenario.run()
        }
    }

    @Test func `the tiles of a remote archive are those of one version, and not of an outdated one`() async {
        await run(150) { seed in
            var scenario = FaultyArchiveScenario(seed: seed)
            try await scenario.run()
        }
    }

    @Test func `ranges of a file are read once, completely, and from one version`() async {
        await run(400) { seed in
            var scenario = FaultyRangeScenario(seed: seed)
            try await scenario.run()
        }
    }
}

/// A broken property.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

/// Throws `Violation` if a property does not hold.
func hold(_ condition: Bool, _ property: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(description: property()) }
}
