import CSimulation
import Glibc
import RhumbTestSupport

/// Runs the simulator.
///
/// usage: RhumbSimulator SEED DAYS
@main
struct Main {
    static func main() {
        // The order of dictionaries, too, may depend on the seed only.
        if getenv("SWIFT_DETERMINISTIC_HASHING") == nil {
            setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
            execv("/proc/self/exe", CommandLine.unsafeArgv)
        }
        TemporaryFolder.removeAbandoned()
        let words = CommandLine.arguments.dropFirst().map { UInt64($0) }
        let seed = (words.first ?? nil) ?? 1, days = (words.dropFirst().first ?? nil) ?? 10
        let simulation = Simulation(seed: seed)
        var processor = timespec()
        do {
            try simulation.run(days: Int(clamping: days))
        } catch {
            let violation = simulation.violation ?? Violation(promise: "It runs.", text: "\(error)")
            print(simulation.lines.suffix(50).joined(separator: "\n"))
            print("seed \(seed), day \(simulation.day), event \(simulation.event): \(violation.promise)")
            print(violation.text)
            print("Repeat it with: make simulate SEED=\(seed) DAYS=\(days)")
            end(1)
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor)
        print(
            "seed \(seed): \(days) days, \(simulation.world.requestCount) requests, \(simulation.restarts) starts, "
                + "\(processor.tv_sec).\(processor.tv_nsec / 100_000_000) s, \(simulation.digest)")
        end(0)
    }

    /// Ends the process without waiting for the threads of the simulated programs.
    private static func end(_ status: Int32) -> Never {
        TemporaryFolder.removeAbandoned()
        fflush(nil)
        _exit(status)
    }
}
