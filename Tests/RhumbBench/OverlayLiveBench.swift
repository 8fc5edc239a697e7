internal import Glibc
internal import RhumbTestSupport

/// Measures points and positions that are replaced while the program shows them.
enum OverlayLiveBench {
    private static let view = ["-c", "60,22", "-z", "9"]

    static func rows(points: Int, seconds: Int) -> [BenchRow] {
        let program = TestProducts.path("rhumb"), folder = TemporaryFolder()
        guard access(program, X_OK) == 0 else { return [] }
        let lines = (0..<points).map {
            "{\"id\":\"\($0)\",\"lat\":\(59.5 + Double($0 % 100) / 100),\"lon\":\(21.5 + Double($0 / 100) / 100),\"name\":\"P\($0)\"}\n"
        }
        let path = folder.write(Array(lines.joined().utf8), to: "points.ndjson")
        return renewalRows(program, path, points, seconds) + positionRows(program, seconds)
    }

    private static func renewalRows(
        _ program: String, _ path: String, _ points: Int, _ seconds: Int
    ) -> [BenchRow] {
        let bare = keys(program, view)
        guard
            let run = try? ProgramRun(
                program, view + ["--over", "exec:1s:cat \(path)"], columns: 120, rows: 40)
        else { return [] }
        _ = run.frame()
        _ = run.bursts(within: 2)
        let before = run.processorSeconds, begun = ContinuousClock.now
        _ = run.bursts(within: Double(seconds))
        let share = (run.processorSeconds - before) / ((.now - begun) / .seconds(1)) * 100
        let times = keys(run)
        run.quit()
        return [
            BenchRow(
                name: "\(points) points renewed each second: share of a core", value: share, unit: "%",
                anchor: "goal 15 %"),
            BenchRow(
                name: "a key meanwhile to its own frame, 120x40: p95", value: times[times.count * 95 / 100],
                unit: "ms",
                anchor: "without them \((bare[bare.count * 95 / 100] * 100).rounded() / 100) ms"),
        ]
    }

    /// Returns the times in milliseconds from keys to their frames, sorted.
    private static func keys(_ program: String, _ words: [String]) -> [Double] {
        guard let run = try? ProgramRun(program, words, columns: 120, rows: 40) else { return [.nan] }
        defer { run.quit() }
        _ = run.frame()
        return keys(run)
    }

    private static func keys(_ run: ProgramRun) -> [Double] {
        Array(repeating: ["l", "j", "h", "k"], count: 15).joined().map { run.milliseconds(ofMove: $0) }
            .sorted()
    }

    /// Measures a receiver that stays in one place and reports its position each second.
    private static func positionRows(_ program: String, _ seconds: Int) -> [BenchRow] {
        let fix = "exec:1s:printf '$GPRMC,120000,A,6000.000,N,02200.000,E,0.0,,010524,,\\n'"
        guard let run = try? ProgramRun(program, view + ["--over", fix], columns: 120, rows: 40) else {
            return []
        }
        _ = run.frame()
        run.type("f")
        // The notice about the key has disappeared by this time.
        _ = run.bursts(within: 12)
        let frames = run.bursts(within: Double(seconds))
        run.quit()
        return [
            BenchRow(
                name: "frames for each fix of a steady position", value: Double(frames) / Double(seconds),
                unit: "", anchor: "goal 1")
        ]
    }
}
