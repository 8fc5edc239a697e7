/// One line of the benchmark's table.
struct BenchRow {
    let name: String
    let value: Double
    let unit: String
    /// The value for comparison: another program's figure, or a goal.
    let anchor: String
}

extension BenchRow {
    /// The row as text, such as "  name ........ 1.23 ms   anchor".
    var line: String {
        let dots = String(repeating: ".", count: max(58 - name.count, 1))
        let digits = value >= 1000 ? 0 : 2
        let scale = digits == 0 ? 1.0 : 100
        let number = digits == 0 ? "\(Int(value.rounded()))" : "\((value * scale).rounded() / scale)"
        return "  \(name) \(dots) \(number) \(unit)" + (anchor.isEmpty ? "" : "   (\(anchor))")
    }
}

/// The best time and the 95th percentile of many runs, in milliseconds.
struct Timing {
    let best: Double
    let p95: Double

    init(runs: Int, _ body: () -> Void) {
        body()
        let clock = ContinuousClock()
        let times = (0..<runs).map { _ in clock.measure(body) / .milliseconds(1) }.sorted()
        best = times[0]
        p95 = times[min(times.count * 95 / 100, times.count - 1)]
    }
}
