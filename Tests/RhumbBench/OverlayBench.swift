internal import Glibc
internal import RhumbBrowser
internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbTestSupport

/// Measures the user's own data over the map: a track of a million points, a large sequence of features, and
/// points that are replaced.
enum OverlayBench {
    /// The divisor of all amounts: 10 if RHUMB_BENCH_SMALL is set, to check that the benchmark runs.
    private static let part = getenv("RHUMB_BENCH_SMALL") == nil ? 1 : 10

    static func rows() -> [BenchRow] {
        trackRows() + sequenceRows() + renewalRows()
            + OverlayLiveBench.rows(points: 10_000 / part, seconds: max(10 / part, 2))
    }

    // MARK: A million points

    private static func trackRows() -> [BenchRow] {
        let folder = TemporaryFolder(), path = folder.path + "/track.gpx",
            bytes = track(points: 1_000_000 / part)
        write(bytes, path)
        let program = TestProducts.path("rhumb")
        guard access(program, X_OK) == 0 else { return [] }
        let place = SyntheticCity.place,
            view = [
                SyntheticCity.write(into: folder), "-c", "\(place.latitude),\(place.longitude)", "-z", "13",
            ]
        let bare = pan(program, view), under = pan(program, view + ["--over", path])
        return [
            BenchRow(
                name: "track of \(1_000_000 / part) points, \(bytes.count >> 20) MB: opened",
                value: opening(program, path), unit: "s", anchor: "goal 2 s"),
            BenchRow(
                name: "pan over it in a city, 120x40: p95", value: under.p95, unit: "ms",
                anchor: "without it \((bare.p95 * 100).rounded() / 100) ms, goal ± 20 %"),
            BenchRow(
                name: "peak memory with it", value: under.memory, unit: "MiB",
                anchor: "without it \(Int(bare.memory)) MiB, goal 150 MiB"),
        ]
    }

    private static func track(points: Int) -> [UInt8] {
        var bytes: [UInt8] = Array("<gpx version=\"1.1\"><trk><name>long</name><trkseg>\n".utf8),
            random = SplitMix(seed: 1)
        let place = SyntheticCity.place
        var latitude = place.latitude, longitude = place.longitude, turn = 0.0
        func fixed(_ value: Double) -> String {
            let scaled = Int(value * 1_000_000), rest = scaled % 1_000_000
            return "\(scaled / 1_000_000)." + String(repeating: "0", count: 6 - String(rest).utf8.count)
                + "\(rest)"
        }
        for at in 0..<points {
            turn += Double.random(in: -0.2...0.2, using: &random)
            latitude = min(max(latitude + 0.00002 * sin(turn), 43.7), 43.85)
            longitude = min(max(longitude + 0.00004 * cos(turn), 11.1), 11.4)
            bytes +=
                "<trkpt lat=\"\(fixed(latitude))\" lon=\"\(fixed(longitude))\"><ele>\(at % 500)</ele><time>2024-05-01T12:00:00Z</time></trkpt>\n"
                .utf8
        }
        return bytes + Array("</trkseg></trk></gpx>\n".utf8)
    }

    private static func write(_ bytes: [UInt8], _ path: String) {
        guard let file = fopen(path, "wb") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    /// Returns the time in seconds until the statistics of all points are printed.
    private static func opening(_ program: String, _ path: String) -> Double {
        let clock = ContinuousClock()
        return clock.measure { _ = ChildProgram(program, ["track", path]).lines() } / .seconds(1)
    }

    private static func pan(_ program: String, _ words: [String]) -> (p95: Double, memory: Double) {
        guard let run = try? ProgramRun(program, words, columns: 120, rows: 40) else { return (.nan, .nan) }
        defer { run.quit() }
        _ = run.frame()
        usleep(4_000_000)
        var times: [Double] = []
        for key in Array(repeating: ["l", "l", "j", "h", "h", "k"], count: 20).joined() {
            run.type(key)
            times.append(run.frame().milliseconds)
        }
        times.sort()
        return (times[times.count * 95 / 100], run.peakMemory)
    }

    // MARK: Arriving features

    private static func sequenceRows() -> [BenchRow] {
        var text: [UInt8] = []
        for at in 0..<400_000 / part {
            text +=
                "{\"type\":\"Feature\",\"properties\":{\"name\":\"Place \(at)\",\"kind\":\"shop\",\"value\":\(at % 997),\"note\":\"some words about it\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(20 + Double(at % 4000) / 1000),\(59 + Double(at % 2000) / 1000)]}}\n"
                .utf8
        }
        let clock = ContinuousClock(),
            seconds =
                clock.measure {
                    var reader = FeatureReader(), set = OverlaySet()
                    for start in stride(from: 0, to: text.count, by: 1 << 20) {
                        reader.read(text[start..<min(start + 1 << 20, text.count)])
                        set.add(reader.takeFeatures(), at: 0)
                    }
                    reader.finish()
                    set.add(reader.takeFeatures(), at: 0)
                    _ = OverlayIndex(set.all)
                } / .seconds(1)
        let read = BenchRow(
            name: "sequence of \(400_000 / part) features, \(text.count >> 20) MB: read and sorted",
            value: Double(text.count) / 1e6 / seconds,
            unit: "MB/s", anchor: "goal 40 MB/s")
        return [read] + inputRows(text)
    }

    /// Measures the program reading them from standard input.
    private static func inputRows(_ text: [UInt8]) -> [BenchRow] {
        let program = TestProducts.path("rhumb"), folder = TemporaryFolder()
        guard access(program, X_OK) == 0 else { return [] }
        let line = "{\"type\":\"LineString\",\"coordinates\":[[22,60],[23,60]]}\n",
            path = folder.write(text + Array(line.utf8), to: "all.geojsons")
        let seconds =
            ContinuousClock().measure {
                _ = ChildProgram("/bin/sh", ["-c", "'\(program)' track - 2>/dev/null <'\(path)'"]).lines()
            } / .seconds(1)
        return [
            BenchRow(
                name: "the same from standard input, with the program's start",
                value: Double(text.count) / 1e6 / seconds, unit: "MB/s", anchor: "goal 40 MB/s")
        ]
    }

    /// Measures the cost of replacing ten thousand points each second and drawing them four times.
    private static func renewalRows() -> [BenchRow] {
        let lines = Array(
            (0..<10_000).map {
                "{\"id\":\"\($0)\",\"lat\":\(59.5 + Double($0 % 100) / 100),\"lon\":\(21.5 + Double($0 / 100) / 100),\"name\":\"P\($0)\"}\n"
            }.joined().utf8)
        let live = LiveLayer(id: "over.0", name: "live", palette: OverlayPalette(0))
        let browser = Browser(
            columns: 120, rows: 40, layers: [OverlayDrawing.layer(live)],
            camera: Camera(center: Coordinate(latitude: 60, longitude: 22), zoom: 9))
        let scene = TileBoard().scene(of: browser.map.viewport, layers: browser.map.layers),
            map = CellGrid(columns: 120, rows: 38)
        var reader = FeatureReader(isLive: true), set = OverlaySet()
        let timing = Timing(runs: 20) {
            for part in 0..<4 {
                reader.read(lines[lines.count * part / 4..<lines.count * (part + 1) / 4])
                set.add(reader.takeFeatures(), at: 0)
                live.index = OverlayIndex(set.all)
                _ = browser.view(scene, map: map)
            }
        }
        return [
            BenchRow(
                name: "ten thousand points renewed in a second, drawn four times", value: timing.best / 10,
                unit: "% of a core", anchor: "goal 15 %")
        ]
    }
}
