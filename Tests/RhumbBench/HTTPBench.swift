internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbTestSupport

/// Measures tiles per second from nginx on the loopback interface, compared with curl in the same run.
enum HTTPBench {
    private static let tileBytes = 18_000
    private static let fileCount = 400
    private static let requestCount = 12_000
    private static let connections = 16

    static func rows() async -> [BenchRow] {
        guard let server = NginxServer(files: tiles()) else { return skip("nginx") }
        defer { withExtendedLifetime(server) {} }
        let urls = (0..<requestCount).map { server.url("\($0 % fileCount).png?n=\($0)") }
        var curl: Double?, best: (rate: Double, cpu: Double) = (0, 0)
        // Alternates, so that other load on the machine affects both.
        for _ in 0..<5 {
            curl = [curl, curlRate(urls)].compactMap(\.self).max()
            if let run = await download(urls), run.rate > best.rate { best = run }
        }
        let anchor = curl.map {
            "curl --parallel \(Int($0)), ratio \((best.rate / $0 * 100).rounded() / 100)"
        }
        return [
            BenchRow(
                name: "download of 18 kB tiles, nginx on loopback", value: best.rate, unit: "tiles/s",
                anchor: anchor ?? "curl is not installed"),
            BenchRow(
                name: "the same: processor time of Rhumb", value: best.cpu, unit: "µs/tile", anchor: ""),
        ]
    }

    private static func skip(_ program: String) -> [BenchRow] {
        print("  download rate: left out, \(program) is not installed")
        return []
    }

    private static func tiles() -> [String: [UInt8]] {
        var generator = SplitMix(seed: 18)
        let tile: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47]
            + (4..<tileBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return Dictionary(uniqueKeysWithValues: (0..<fileCount).map { ("\($0).png", tile) })
    }

    /// Returns nil unless every tile arrives completely.
    /// - Parameter bytes: The minimum size of a tile.
    static func download(_ urls: [String], bytes: Int = tileBytes) async -> (rate: Double, cpu: Double)? {
        var options = ClientOptions(userAgent: .rhumb(version: "bench"))
        options.connections = connections
        let client = HTTPClient(options)
        let rules = SourceRules(id: "bench", connections: connections)
        let clock = ContinuousClock(), start = clock.now, cpuStart = processorSeconds()
        let whole = await withTaskGroup(of: Int.self) { group in
            for part in 0..<connections * 2 {
                group.addTask {
                    var whole = 0
                    for place in stride(from: part, to: urls.count, by: connections * 2) {
                        let request = HTTPRequest(HTTPAddress(urls[place]), rules: rules)
                        let body = try? await client.send(request).body
                        whole += body.map { $0.count >= bytes } == true ? 1 : 0
                    }
                    return whole
                }
            }
            return await group.reduce(0, +)
        }
        guard whole == urls.count else { return nil }
        let seconds = (clock.now - start) / .seconds(1)
        let cpu = (processorSeconds() - cpuStart) * 1e6 / Double(whole)
        return (Double(whole) / seconds, cpu)
    }

    static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Runs curl once with the same addresses; returns nil if it is not installed.
    static func curlRate(_ urls: [String], connections: Int = connections) -> Double? {
        guard access("/usr/bin/curl", X_OK) == 0 else { return nil }
        let path = "/tmp/rhumb-curl-\(getpid()).txt"
        guard let file = fopen(path, "w") else { return nil }
        for url in urls { fputs("url = \"\(url)\"\noutput = \"/dev/null\"\n", file) }
        fclose(file)
        defer { unlink(path) }
        let command = "curl -s --parallel --parallel-max \(connections) -K \(path) >/dev/null 2>&1"
        let clock = ContinuousClock(), start = clock.now
        guard system(command) == 0 else { return nil }
        return Double(urls.count) / ((clock.now - start) / .seconds(1))
    }
}
