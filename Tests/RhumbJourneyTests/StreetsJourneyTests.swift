import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the way from the built-in world to the streets of a town, with a local server.
struct StreetsJourneyTests {
    /// Starts a service like OpenFreeMap: a TileJSON without an extension, and tiles under a dated path.
    private func server() throws -> LoopbackServer {
        let street = VectorTileFixture([
            (
                "landcover",
                [
                    .init(
                        .polygon, through: [(0, 0), (4096, 0), (4096, 4096), (0, 4096)],
                        [("class", .string("grass"))])
                ]
            ),
            (
                "transportation",
                [.init(.line, through: [(0, 2048), (4096, 2048)], [("class", .string("primary"))])]
            ),
            (
                "place",
                [
                    .init(
                        .point, through: [(2048, 2048)],
                        [("class", .string("village")), ("name", .string("Fixtureton"))])
                ]
            ),
        ])
        return try LoopbackServer { request in
            guard request.target == "/planet" else {
                return request.target.hasPrefix("/planet/20260921/")
                    ? LoopbackReply(200, street.bytes, headers: ["Cache-Control": "max-age=3600"])
                    : LoopbackReply(404)
            }
            let host = request.header("host") ?? ""
            let document = #"""
                {"tilejson":"3.0.0","name":"planet","tiles":["http://\#(host)/planet/20260921/{z}/{x}/{y}.pbf"],"minzoom":0,
                 "maxzoom":14,"attribution":"OpenFreeMap fixture","vector_layers":[{"id":"transportation"},{"id":"landcover"},
                 {"id":"place"}]}
                """#
            return LoopbackReply(200, Array(document.utf8), headers: ["Cache-Control": "max-age=3600"])
        }
    }

    private func environment(_ home: TemporaryFolder, _ server: LoopbackServer) -> [String: String] {
        ["HOME": home.path, "RHUMB_OPENFREEMAP_URL": server.url("")]
    }

    /// The centre of a tile in Florence, where the fixture's name is.
    private static let florence = ["-c", "14/8704/5972"]

    @Test func `one key shows streets, later runs show them at once, also offline, and :streets off ends it`()
        throws
    {
        let server = try server(), home = TemporaryFolder()
        let first = try Journey(Self.florence, environment: environment(home, server))
        try first.see("Enter streets")
        #expect(server.requestCount == 0)
        try first.type("\r")
        try first.see("127.0.0.1")
        #expect(server.requestCount == 0)
        try first.type("y")
        try first.see("Fixtureton")
        try first.see("OpenFreeMap fixture")
        #expect(try first.quit() == .exited(0))
        let second = try Journey(Self.florence, environment: environment(home, server))
        try second.see("Fixtureton")
        #expect(try second.quit() == .exited(0))
        server.stop()
        let offline = try Journey(Self.florence + ["--offline"], environment: environment(home, server))
        try offline.see("Fixtureton")
        try offline.see("offline")
        try offline.type(":streets off\r")
        try offline.see("Natural Earth")
        #expect(try offline.quit() == .exited(0))
        let last = try Journey(Self.florence, environment: environment(home, server))
        try last.see("Natural Earth")
        #expect(try last.quit() == .exited(0))
    }

    @Test(arguments: [200, 302, 404, 500])
    func `a service that sends no TileJSON leaves the world on the screen, with one notice`(
        status: Int
    ) throws {
        let server = try LoopbackServer { _ in
            status == 302 ? .redirect("/login") : LoopbackReply(status, Array("<html>sign in</html>".utf8))
        }
        let home = TemporaryFolder()
        let journey = try Journey(
            Self.florence + ["--streets", "openfreemap"], environment: environment(home, server))
        try journey.see("No streets:")
        try journey.see("World")
        try journey.settle()
        #expect(server.requestCount <= 8)
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `rhumb streets and render --streets draw them`() async throws {
        let server = try server(), home = TemporaryFolder()
        let journey = try Journey(["streets"] + Self.florence, environment: environment(home, server))
        try journey.see("Fixtureton")
        #expect(try journey.quit() == .exited(0))
        let arguments =
            ["render", "--streets", "openfreemap", "--size", "60x20", "-f", "text"] + Self.florence
        let variables = environment(home, server).merging(["LC_ALL": "C.UTF-8"]) { $1 }
        let run = await ProgramRun.of(TestProducts.path("rhumb"), arguments, environment: variables)
        #expect(run.status == 0)
        #expect(run.output.contains("Fixtureton"))
        #expect(run.errors.contains("OpenFreeMap fixture") && !run.errors.contains("Natural Earth"))
    }
}
