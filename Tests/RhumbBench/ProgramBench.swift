internal import Glibc
internal import RhumbCore
internal import RhumbTestSupport

/// Measures the program on a pseudo-terminal as a user experiences it: from the key to the last byte of the
/// frame.
enum ProgramBench {
    static func rows() -> [BenchRow] {
        let program = TestProducts.path("rhumb")
        guard access(program, X_OK) == 0 else {
            print("  skipped: \(program) is not built; run make bench")
            return []
        }
        return [(80, 24, "goal 5 ms"), (120, 40, ""), (200, 60, "goal 16 ms; mapscii 23-39 ms")]
            .flatMap { measure(program, columns: $0.0, rows: $0.1, anchor: $0.2) }
            + slowLines(program)
    }

    /// A map, a size and a rate in kB/s, with the goal for a pan.
    private typealias SlowLine = (
        map: String, words: [String], columns: Int, rows: Int, rate: Int, anchor: String
    )

    private static func slowLines(_ program: String) -> [BenchRow] {
        var lines: [SlowLine] = [
            ("world", [], 200, 60, 50, "mapscii 2100 ms"), ("world", [], 200, 60, 200, ""),
        ]
        if let florence = TestData.folder.map({ $0 + "/firenze-vector.pmtiles" }) {
            let words = [florence, "-c", "43.7715,11.2545 14"]
            lines += [
                ("Florence", words, 200, 60, 50, "goal 700 ms; mapscii 2100 ms"),
                ("Florence", words, 120, 40, 50, "goal 300 ms; mapscii 900 ms"),
                ("Florence", words, 200, 60, 200, "goal 200 ms; mapscii 900 ms"),
            ]
        }
        return lines.compactMap { measurePans($0, program) }
            + (lines.last { $0.rate == 50 && $0.columns == 200 }.flatMap { measureHeldKey($0, program) }.map {
                [$0]
            } ?? [])
    }

    /// The time in seconds without output after which a frame over a slow connection is the last one.
    private static let slowRest = 0.4

    private static func start(_ line: SlowLine, _ program: String) -> ProgramRun? {
        let run = try? ProgramRun(
            program, line.words, columns: line.columns, rows: line.rows, bytesPerSecond: line.rate * 1000)
        _ = run?.frame(quiet: slowRest)
        return run
    }

    /// Measures single pans over a slow connection, from the key to the last byte of the full frame.
    private static func measurePans(_ line: SlowLine, _ program: String) -> BenchRow? {
        guard let run = start(line, program) else { return nil }
        var times = Array(repeating: ["l", "j", "h", "k"], count: 3).joined().map { key in
            run.type(String(key))
            return run.frame(quiet: slowRest).milliseconds
        }
        run.quit()
        times.sort()
        return BenchRow(
            name: "\(line.map) \(line.columns)x\(line.rows) pan over \(line.rate) kB/s: median",
            value: times[6],
            unit: "ms", anchor: line.anchor)
    }

    /// Measures ten pans with 100 ms between the keys, from the last key to the last byte of the full frame.
    private static func measureHeldKey(_ line: SlowLine, _ program: String) -> BenchRow? {
        guard let run = start(line, program) else { return nil }
        var times = ["l", "h", "l", "h"].map { key in
            for _ in 1..<10 {
                run.type(key)
                run.read(for: 0.1)
            }
            run.type(key)
            return run.frame(quiet: slowRest).milliseconds
        }
        run.quit()
        times.sort()
        return BenchRow(
            name:
                "\(line.map) \(line.columns)x\(line.rows) ten pans over \(line.rate) kB/s: median after the last key",
            value: times[2], unit: "ms",
            anchor: "goal 600 ms; mapscii 1200 ms")
    }

    private static func measure(
        _ program: String, columns: Int, rows: Int, anchor: String
    ) -> [BenchRow] {
        guard let run = try? ProgramRun(program, columns: columns, rows: rows) else { return [] }
        let name = "\(columns)x\(rows)"
        let first = run.frame(quiet: ProgramRun.rest)
        var times: [Double] = [], bytes: [Double] = []
        for key in Array(repeating: ["l", "j", "h", "k"], count: 25).joined() {
            run.type(key)
            let frame = run.frame()
            times.append(frame.milliseconds)
            bytes.append(Double(frame.bytes))
        }
        for key in Array(repeating: ["+", "+", "l", "j", "-", "l", "-", "k"], count: 38).joined() {
            run.type(key)
            _ = run.frame()
        }
        let memory = run.peakMemory
        run.quit()
        times.sort()
        bytes.sort()
        return [
            BenchRow(
                name: "\(name) start to full picture", value: first.milliseconds, unit: "ms",
                anchor: "goal 50 ms; mapscii 240-300 ms"),
            BenchRow(name: "\(name) pan key to last byte: median", value: times[50], unit: "ms", anchor: ""),
            BenchRow(name: "\(name) pan key to last byte: p95", value: times[95], unit: "ms", anchor: anchor),
            BenchRow(name: "\(name) bytes per pan: median", value: bytes[50], unit: "bytes", anchor: ""),
            BenchRow(
                name: "\(name) peak memory after 400 moves", value: memory, unit: "MiB",
                anchor: "goal 55 MiB; mapscii 159 MiB"),
        ]
    }
}

/// A run of the program.
struct ProgramRun {
    private let pty: PtyProgram
    private let start = ContinuousClock.now

    init(
        _ program: String, _ words: [String] = [], columns: Int, rows: Int, bytesPerSecond: Int? = nil
    ) throws {
        pty = try PtyProgram(
            program, words,
            environment: [
                "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8",
                "HOME": "/dev/null/none", "PATH": "/usr/bin:/bin",
            ], columns: columns, rows: rows)
        pty.isWatched = false
        pty.bytesPerSecond = bytesPerSecond
    }

    func type(_ key: String) { try? pty.send(key) }

    /// Types keys, and waits until a text appears on the screen and its frame ends.
    func type(_ keys: String, untilText text: String) {
        pty.isWatched = true
        type(keys)
        try? pty.read(untilText: text)
        pty.isWatched = false
        _ = frame()
    }

    /// Returns the time in milliseconds from a key that moves the map to the frame in which the status line
    /// shows the new location, regardless of other frames.
    func milliseconds(ofMove key: String) -> Double {
        pty.isWatched = true
        while (try? pty.readOnce(within: 0.04)) == true {}
        let status = pty.screen.grid.rows - 2, before = pty.screen.grid.lines[status],
            begin = ContinuousClock.now
        type(key)
        while pty.screen.grid.lines[status] == before, (try? pty.readOnce(within: 2)) == true {}
        return (pty.lastRead - begin) / .milliseconds(1)
    }

    /// The time in seconds after which the program is at rest. It is longer than any pause within a start or
    /// a zoom step.
    static let rest = 0.1

    /// Reads until the program has been quiet for a number of seconds, which are not included in the result.
    func frame(quiet: Double = 0.04) -> (milliseconds: Double, bytes: Int) {
        let begin = pty.output.isEmpty ? start : ContinuousClock.now
        let count = pty.output.count
        var last = begin
        while (try? pty.readOnce(within: pty.output.count == count ? 1 : quiet)) == true { last = .now }
        return ((last - begin) / .milliseconds(1), pty.output.count - count)
    }

    /// Reads for a number of seconds.
    func read(for seconds: Double) {
        let end = ContinuousClock.now + .seconds(seconds)
        while case let rest = end - ContinuousClock.now, rest > .zero {
            _ = try? pty.readOnce(within: rest / .seconds(1))
        }
    }

    /// The peak memory use in MiB, as reported by the kernel.
    var peakMemory: Double { MemoryGrowth.status("VmHWM:", of: "\(pty.processID)") }

    /// Returns the number of bursts of output within a number of seconds.
    func bursts(within seconds: Double) -> Int {
        let end = ContinuousClock.now + .seconds(seconds)
        var bursts = 0, isQuiet = true
        while ContinuousClock.now < end {
            let isThere = (try? pty.readOnce(within: 0.03)) == true
            if isThere, isQuiet { bursts += 1 }
            isQuiet = !isThere
        }
        return bursts
    }

    /// The processor time used so far in seconds, as reported by the kernel.
    var processorSeconds: Double {
        guard let file = fopen("/proc/\(pty.processID)/stat", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1024)
        guard fgets(&line, 1024, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The 12th and 13th fields after the process name in parentheses.
        let fields = (text.split(separator: ")").last ?? "").split(separator: " ").map { Double($0) ?? 0 }
        return fields.count > 12 ? (fields[11] + fields[12]) / Double(sysconf(Int32(_SC_CLK_TCK))) : 0
    }

    func quit() {
        type("q")
        _ = try? pty.readToEnd()
    }
}
