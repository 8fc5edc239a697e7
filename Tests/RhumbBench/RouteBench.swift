internal import Glibc
internal import RhumbCore
internal import RhumbTestSupport

/// Measures routes: parsing, cutting into tiles, requesting and drawing.
enum RouteBench {
    static func rows() -> [BenchRow] { reading() + tiles() + program() }

    private static func reading() -> [BenchRow] {
        let address = HTTPAddress("http://127.0.0.1:5000")
        func engine(_ kind: RouteEngineKind) -> RouteEngine {
            RouteEngine(kind, name: "Bench", bases: [.car: address])
        }
        func row(_ name: String, _ kind: RouteEngineKind, _ body: [UInt8]) -> BenchRow {
            let timing = Timing(runs: 20) { _ = try? engine(kind).routes(body, to: LargeRoute.request) }
            return BenchRow(name: name, value: timing.best, unit: "ms", anchor: "goal 30 ms")
        }
        return [
            row(
                "OSRM's answer of 40,000 corners and 500 steps, read", .osrm,
                LargeRoute.osrm(corners: 40_000, steps: 500)),
            row("TomTom's of as many, read", .tomtom, tomtom(40_000)),
        ]
    }

    private static func tomtom(_ corners: Int) -> [UInt8] {
        // Coordinates have five decimals, as in TomTom's responses.
        func degrees(_ value: Double) -> String { "\((value * 100_000).rounded() / 100_000)" }
        let points = LargeRoute.way(corners).map {
            #"{"latitude":\#(degrees($0.latitude)),"longitude":\#(degrees($0.longitude))}"#
        }
        .joined(separator: ",")
        let steps = (0..<500).map { at in
            #"{"routeOffsetInMeters":\#(at * 100),"travelTimeInSeconds":\#(at * 10),"pointIndex":\#(at * 80),"maneuver":"TURN_LEFT","street":"Street \#(at)"}"#
        }.joined(separator: ",")
        let summary = #"{"lengthInMeters":600000,"travelTimeInSeconds":20000}"#
        return Array(
            #"{"routes":[{"summary":\#(summary),"legs":[{"summary":\#(summary),"points":[\#(points)]}],"guidance":{"instructions":[\#(steps)]}}]}"#
                .utf8)
    }

    private static func tiles() -> [BenchRow] {
        let line = LargeRoute.way(100_000), tiles = RouteTiles(line)
        let tile = TileID(zoom: 14, containing: Mercator.world(line[50_000]))
        let making = Timing(runs: 10) { _ = RouteTiles(line) },
            cutting = Timing(runs: 20) { _ = tiles.tile(tile) }
        return [
            BenchRow(
                name: "a line of 100,000 corners, made ready", value: making.best, unit: "ms", anchor: ""),
            BenchRow(name: "a tile of it at zoom 14", value: cutting.best, unit: "ms", anchor: ""),
        ]
    }

    // MARK: The program

    private static func program() -> [BenchRow] {
        let program = TestProducts.path("rhumb")
        guard access(program, X_OK) == 0, let small = try? serving(100), let large = try? serving(100_000)
        else { return [] }
        let waits = (0..<5).compactMap { _ in wait(program, small) }.sorted()
        guard !waits.isEmpty, let (without, with) = pans(program, large) else { return [] }
        func rows(_ name: String, _ pans: Pans, _ anchor: String) -> [BenchRow] {
            [
                BenchRow(
                    name: "pan in \(cityName), \(name): median", value: pans.milliseconds, unit: "ms",
                    anchor: anchor),
                BenchRow(
                    name: "processor time of a pan in \(cityName), \(name)",
                    value: pans.processorMilliseconds, unit: "ms", anchor: anchor),
                BenchRow(
                    name: "bytes of a pan in \(cityName), \(name): median", value: pans.bytes, unit: "bytes",
                    anchor: anchor),
            ]
        }
        return [
            BenchRow(
                name: "Enter to the last byte with the route, engine here", value: waits[waits.count / 2],
                unit: "ms", anchor: "goal 100 ms")
        ]
            + rows("without a route", without, "")
            + rows("over a route of 100,000 corners", with, "goal 10 % more")
    }

    /// Starts an engine with a single route.
    private static func serving(_ corners: Int) throws -> LoopbackServer {
        let body = LargeRoute.osrm(corners: corners, steps: min(corners / 10, 500), from: start)
        return try LoopbackServer { asked in
            asked.target == "/status"
                ? LoopbackReply(400, Array(#"{"code":"InvalidUrl"}"#.utf8)) : LoopbackReply(200, body)
        }
    }

    private static let start = SyntheticCity.place
    private static let folder = TemporaryFolder()
    /// The map of a real city. A single repeated tile would change too few cells in a pan.
    private static let real: String? = TestData.folder.map { $0 + "/firenze-vector.pmtiles" }.flatMap {
        access($0, R_OK) == 0 ? $0 : nil
    }
    private static let city = real ?? SyntheticCity.write(into: folder),
        cityName = real == nil ? "a synthetic city" : "Florence"

    private static func begun(_ program: String, _ server: LoopbackServer?) -> ProgramRun? {
        let engine = server.map { ["--engine", $0.url("")] } ?? []
        return try? ProgramRun(
            program,
            [city, "--no-animation", "-c", "\(start.latitude),\(start.longitude)", "-z", "13"] + engine,
            columns: 120, rows: 40)
    }

    /// Returns the time in milliseconds from Enter to the route.
    private static func wait(_ program: String, _ server: LoopbackServer) -> Double? {
        guard let run = begun(program, server) else { return nil }
        defer { run.quit() }
        let end = LargeRoute.way(100, from: start)[99]
        _ = run.frame()
        run.type("R\(end.latitude),\(end.longitude)")
        _ = run.frame()
        run.type("\r")
        return run.frame().milliseconds
    }

    /// The cost of pans in the middle of a route.
    private struct Pans {
        let milliseconds: Double
        let processorMilliseconds: Double
        let bytes: Double
    }

    /// Measures pans without a route and over part of a route with its panel closed, alternately.
    private static func pans(_ program: String, _ server: LoopbackServer) -> (without: Pans, with: Pans)? {
        let runs = [begun(program, nil), begun(program, server)].compactMap(\.self)
        defer { for run in runs { run.quit() } }
        guard runs.count == 2 else { return nil }
        for run in runs { _ = run.frame(quiet: ProgramRun.rest) }
        let end = LargeRoute.way(100_000, from: start)[99_999]
        runs[1].type("R\(end.latitude),\(end.longitude)\r", untilText: "w whole")
        runs[1].type("\u{1B}")
        for run in runs {
            run.type("g\(start.latitude + 0.02),\(start.longitude + 0.02) 13\r")
            // Tiles that come into view with the first pans are drawn before the measurement.
            for key in ["l", "j", "h", "k"] {
                _ = run.frame(quiet: ProgramRun.rest)
                run.type(key)
            }
            _ = run.frame(quiet: ProgramRun.rest)
        }
        var frames: [[(milliseconds: Double, bytes: Int)]] = [[], []]
        let before = runs.map(\.processorSeconds)
        for key in Array(repeating: ["l", "j", "h", "k"], count: 50).joined() {
            for (at, run) in runs.enumerated() {
                run.type(key)
                frames[at].append(run.frame())
            }
        }
        func pans(_ at: Int) -> Pans {
            let frames = frames[at], middle = frames.count / 2
            return Pans(
                milliseconds: frames.map(\.milliseconds).sorted()[middle],
                processorMilliseconds: (runs[at].processorSeconds - before[at]) * 1000 / Double(frames.count),
                bytes: Double(frames.map(\.bytes).sorted()[middle]))
        }
        return (pans(0), pans(1))
    }
}
