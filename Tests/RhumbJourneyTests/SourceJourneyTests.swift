import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the program with web sources on a local server.
struct SourceJourneyTests {
    private static let town = #"""
        {"tilejson":"3.0.0","name":"Townmap","tiles":["{z}/{x}/{y}.png"],"maxzoom":9,"attribution":"(c) Town"}
        """#

    private func server(_ gate: LoopbackGate? = nil) throws -> LoopbackServer {
        try LoopbackServer { request in
            if request.target.hasSuffix(".json") {
                return LoopbackReply(200, Array(Self.town.utf8), headers: ["Cache-Control": "max-age=3600"])
                    .with { $0.gate = gate }
            }
            return request.target.hasSuffix(".png")
                ? LoopbackReply(200, blankPicture(.init(0x336699), side: 256))
                : LoopbackReply(404)
        }
    }

    private func environment(_ home: TemporaryFolder) -> [String: String] {
        ["HOME": home.path, "XDG_CACHE_HOME": home.path + "/cache", "XDG_STATE_HOME": home.path + "/state"]
    }

    @Test
    func `the world is shown until a source's document has arrived, and the source opens again offline`()
        throws
    {
        let gate = LoopbackGate(), server = try server(gate), home = TemporaryFolder()
        let journey = try Journey([server.url("/town.json")], environment: environment(home))
        try journey.see("World")
        try journey.see("Opening")
        gate.open()
        try journey.see("(c) Town")
        #expect(try journey.quit() == .exited(0))
        server.stop()
        let again = try Journey([server.url("/town.json"), "--offline"], environment: environment(home))
        try again.see("(c) Town")
        #expect(try again.quit() == .exited(0))
    }

    @Test func `a source that can't be opened states the reason over the world`() throws {
        let server = try server(), home = TemporaryFolder()
        let journey = try Journey([server.url("/nothing.pmtiles")], environment: environment(home))
        try journey.see("no such file")
        try journey.see("World")
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `a style from the web is fetched once for all its maps, and the world is shown meanwhile`()
        throws
    {
        let gate = LoopbackGate(), home = TemporaryFolder()
        let style =
            #"{"version":8,"sources":{"v":{"type":"vector"}},"layers":[{"id":"w","type":"fill","source":"v","source-layer":"water"}]}"#
        let server = try LoopbackServer { request in
            guard request.target == "/style.json" else { return LoopbackReply(404) }
            return LoopbackReply(200, Array(style.utf8), headers: ["Cache-Control": "no-store"]).with {
                $0.gate = gate
            }
        }
        let tiles = ["/a", "/b", "/c"].map { server.url("\($0)/{z}/{x}/{y}.pbf") }
        let journey = try Journey(
            ["--style", server.url("/style.json"), tiles[0], "--over", tiles[1], "--over", tiles[2]],
            environment: environment(home))
        try journey.see("World")
        gate.open()
        try journey.program.read { _ in
            let asked = server.record.requests.map(\.target)
            return ["/a/", "/b/", "/c/"].allSatisfy { map in asked.contains { $0.hasPrefix(map) } }
        }
        #expect(server.count("/style.json") == 1)
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `the world is shown until the style of a file's tiles has arrived`() throws {
        let gate = LoopbackGate(), home = TemporaryFolder()
        let style =
            #"{"version":8,"sources":{"v":{"type":"vector"}},"layers":[{"id":"w","type":"fill","source":"v","source-layer":"water"}]}"#
        let server = try LoopbackServer { _ in LoopbackReply(200, Array(style.utf8)).with { $0.gate = gate } }
        var archive = PMTilesFixture([
            (try #require(TileID(zoom: 0, x: 0, y: 0)), VectorTileFixture([("water", [])]).bytes)
        ])
        archive.metadata = Array(#"{"name":"Townfile","vector_layers":[{"id":"water"}]}"#.utf8)
        archive.patches = [(99, 1)]
        let path = home.write(archive.bytes, to: "town.pmtiles")
        let journey = try Journey(
            ["--style", server.url("/style.json"), path], environment: environment(home))
        try journey.see("World")
        gate.open()
        try journey.see("Townfile")
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `sources are chosen from the list, and remembered`() throws {
        let server = try server(), home = TemporaryFolder()
        let config = home.write(
            Array(
                #"{"sources": [{"id": "mytown", "name": "Mytown", "url": "\#(server.url("/{z}/{x}/{y}.png"))"}]}"#
                    .utf8),
            to: "config.json")
        let journey = try Journey(["--config", config], environment: environment(home))
        try journey.see("World")
        try journey.type("m\t")
        try journey.see("OpenStreetMap")
        try journey.see("TomTom by night")
        // The user's own source comes last.
        try journey.type("\u{1B}[F\r")
        try journey.see("● Mytown")
        #expect(try journey.quit() == .exited(0))
        #expect(access(home.path + "/state/rhumb/recent", F_OK) == 0)
    }
}
