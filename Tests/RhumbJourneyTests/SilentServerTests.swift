import Glibc
import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests servers that accept a request and don't respond.
struct SilentServerTests {
    private static let town = #"{"tilejson":"3.0.0","name":"Town","tiles":["{z}/{x}/{y}.png"],"maxzoom":3}"#

    @Test func `keys respond on one core while a style, a TileJSON and a region wait for servers`()
        throws
    {
        let gate = LoopbackGate(), home = TemporaryFolder()
        let server = try LoopbackServer { request in
            let body =
                request.target == "/region.json"
                ? Array(Self.town.utf8) : blankPicture(.init(0x336699), side: 256)
            let reply = LoopbackReply(200, body, headers: ["Cache-Control": "max-age=3600"])
            return request.target == "/region.json" ? reply : reply.with { $0.gate = gate }
        }
        defer { gate.open() }
        let environment = [
            "HOME": home.path, "XDG_CACHE_HOME": home.path + "/cache", "XDG_DATA_HOME": home.path + "/data",
        ]
        try breakOffRegion(server, environment)
        let asked = server.requestCount
        let journey = try Journey(
            [
                "--style", server.url("/style.json"), server.url("/town.json"), "--over",
                server.url("/{z}/{x}/{y}.pbf"),
            ],
            environment: environment, core: 0)
        try journey.see("World")
        try journey.program.read { _ in
            let targets = server.record.requests.dropFirst(asked).map(\.target)
            return targets.contains("/style.json") && targets.contains("/town.json")
        }
        try journey.see("Download unfinished")
        try journey.type("r")
        try journey.see("P resume")
        try journey.type("P")
        try journey.program.read { _ in
            server.record.requests.dropFirst(asked).contains { $0.target.hasSuffix(".png") }
        }
        try journey.type("\u{1B}")
        try journey.type("?")
        try journey.see("zoom in")
        try journey.type("\u{1B}")
        try journey.type("/turku")
        try journey.see("Turku")
        try journey.type("\u{1B}\u{1B}")
        #expect(try journey.quit() == .exited(0))
    }

    /// Creates a region whose process was killed while it waited for tiles.
    private func breakOffRegion(_ server: LoopbackServer, _ environment: [String: String]) throws {
        let words = [
            "region", "add", "town", "--source", server.url("/region.json"), "--bbox", "20,59,30,65",
            "--zooms", "0-2",
        ]
        let journey = try Journey(words, environment: environment)
        try journey.program.read { _ in server.record.requests.contains { $0.target.hasSuffix(".png") } }
        kill(journey.program.processID, SIGKILL)
        _ = try journey.program.readToEnd()
    }
}
