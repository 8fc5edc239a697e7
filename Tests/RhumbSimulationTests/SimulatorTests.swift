import RhumbTestSupport
import Testing

/// Runs the simulator of the whole engine. `make simulate SEED=n` repeats a run.
struct SimulatorTests {
    private func run(_ seed: Int, days: Int) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("RhumbSimulator"), ["\(seed)", "\(days)"],
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
    }

    @Test(arguments: Array(1...(Soak.isOn ? 1000 : 20)))
    func `every promise holds for ten days in a faulty world`(seed: Int) async {
        let run = await run(seed, days: 10)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test(arguments: Array(1...(Soak.isOn ? 50 : 2)))
    func `one seed has one history`(seed: Int) async {
        let first = await run(seed, days: 3), again = await run(seed, days: 3)
        #expect(first.output.split(separator: " ").last == again.output.split(separator: " ").last)
    }
}
