import Glibc
import RhumbTestSupport
import Testing

/// Runs the simulator of the whole engine. `make simulate SEED=n` repeats a run.
struct SimulatorTests {
    private static func run(_ seed: Int, days: Int) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("RhumbSimulator"), ["\(seed)", "\(days)"],
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
    }

    /// Two seeds at a time; a run needs one core.
    @Test(arguments: Array(stride(from: 1, to: Soak.isOn ? 1000 : 20, by: 2)))
    func `every promise holds for ten days in a faulty world`(seed: Int) async {
        async let first = Self.run(seed, days: 10)
        let second = await Self.run(seed + 1, days: 10)
        for run in [await first, second] { #expect(run.status == 0, "\(run.output)") }
    }

    @Test(arguments: Array(1...(Soak.isOn ? 50 : 2)))
    func `one seed has one history`(seed: Int) async {
        async let first = Self.run(seed, days: 3)
        let again = await Self.run(seed, days: 3)
        let sums = [await first, again].map { Self.sum(of: $0.output) }
        #expect(sums[0] == sums[1])
    }

    @Test func `a run removes the folders in memory of processes that were killed`() async {
        // No process has this number.
        let folder = "/dev/shm/rhumb-test-4194305-killed"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return }
        let run = await Self.run(1, days: 0)
        #expect(run.status == 0 && access(folder, F_OK) != 0)
    }

    /// The SHA-256 of the events, at the end of the output.
    private static func sum(of output: String) -> Substring? {
        output.split(separator: " ").last
    }
}
