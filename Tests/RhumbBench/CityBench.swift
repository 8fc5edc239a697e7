internal import Glibc
internal import RhumbTestSupport

/// Measures the program on a map of vector tiles, with 200 columns and 60 rows.
enum CityBench {
    static func rows(_ city: String, _ path: String) -> [BenchRow] {
        let program = TestProducts.path("rhumb")
        guard access(program, X_OK) == 0 else { return [] }
        let words = [path, "-c", "43.7731,11.2558", "-z", "14"]
        func run(_ body: (ProgramRun) -> Void) {
            guard let run = try? ProgramRun(program, words, columns: 200, rows: 60) else { return }
            body(run)
            run.quit()
        }
        var starts: [Double] = [], zooms: [Double] = [], pans: [Double] = [], memory = 0.0
        for _ in 0..<5 { run { starts.append($0.frame(quiet: ProgramRun.rest).milliseconds) } }
        run { zooms = times(of: ["-", "-", "+", "+"], turns: 5, quiet: ProgramRun.rest, in: $0) }
        run {
            pans = times(of: ["l", "l", "l", "j", "h", "h", "h", "k"], turns: 15, in: $0)
            _ = times(of: ["+", "+", "l", "j", "-", "l", "-", "k"], turns: 35, in: $0)
            memory = $0.peakMemory
        }
        func row(_ what: String, _ times: [Double], _ share: Double, goal: String) -> BenchRow {
            let sorted = times.sorted(), at = Int(Double(sorted.count - 1) * share)
            return BenchRow(
                name: "\(city): \(what)", value: sorted.isEmpty ? .nan : sorted[at], unit: "ms",
                anchor: "goal \(goal) ms")
        }
        return [
            row("start to full picture: median", starts, 0.5, goal: "80"),
            row("zoom step to last byte: median", zooms, 0.5, goal: "100"),
            row("pan to last byte: p95", pans, 0.95, goal: "8"),
            BenchRow(
                name: "\(city): peak memory after 400 moves", value: memory, unit: "MiB",
                anchor: "goal 55 MiB"),
        ]
    }

    /// Returns the times in milliseconds from each key to the last byte of its frame.
    private static func times(
        of keys: [String], turns: Int, quiet: Double = 0.04, in run: ProgramRun
    ) -> [Double] {
        _ = run.frame(quiet: ProgramRun.rest)
        return (0..<turns).flatMap { _ in
            keys.map { key in
                run.type(key)
                return run.frame(quiet: quiet).milliseconds
            }
        }
    }
}
