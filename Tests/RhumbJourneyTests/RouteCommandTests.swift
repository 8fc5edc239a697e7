import RhumbCore
import RhumbTestSupport
import Testing

/// Tests routes in the shell and on the terminal, with an engine on this machine.
struct RouteCommandTests {
    private let home = TemporaryFolder()
    private static let start = Coordinate(latitude: 43.7312, longitude: 7.4189),
        end = Coordinate(latitude: 43.7350, longitude: 7.4250)
    private static let ends = ["43.7312,7.4189", "43.735,7.425"]

    private static let body: [UInt8] = {
        let line = JSON.string(Polyline.text([start, end], precision: 6)).text,
            point = JSON.string(Polyline.text([end, end], precision: 6)).text
        return Array(
            (#"{"code":"Ok","routes":[{"distance":700,"duration":120,"legs":[{"distance":700,"duration":120,"steps":["#
                + #"{"maneuver":{"type":"depart","bearing_after":45},"geometry":\#(line),"name":"Rue \u001b[2JNeuve","distance":700,"duration":120},"#
                + #"{"maneuver":{"type":"arrive"},"geometry":\#(point),"name":"","distance":0,"duration":0}]}]}]}"#)
                .utf8)
    }()

    private static func engine(_ reply: LoopbackReply = LoopbackReply(200, body)) throws -> LoopbackServer {
        try LoopbackServer { asked in
            asked.target == "/status"
                ? LoopbackReply(400, Array(#"{"code":"InvalidUrl","message":"x"}"#.utf8)) : reply
        }
    }

    private var environment: [String: String] {
        [
            "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
            "TZ": "UTC",
        ]
    }

    private func run(_ words: [String], _ more: [String: String] = [:]) async -> ProgramRun {
        await ProgramRun.of(TestProducts.path("rhumb"), words, environment: environment.merging(more) { $1 })
    }

    @Test func `a route is a list of directions, without control characters`() async throws {
        let server = try Self.engine(), run = await run(["route"] + Self.ends + ["--engine", server.url("")])
        #expect(run.status == 0 && run.errors.isEmpty)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 4 && lines[0].hasPrefix("700 m, 2 min by car, arrive "))
        #expect(
            lines[1] == "◉  700 m  Head north-east on Rue [2JNeuve" && lines[2].hasPrefix("⚑")
                && lines[2].hasSuffix("  Arrive"))
    }

    @Test func `a route is written as GPX, GeoJSON and JSON, and in no other format`() async throws {
        let server = try Self.engine()
        func write(_ name: String) async -> ProgramRun {
            await run(["route"] + Self.ends + ["--engine", server.url(""), "-o", home.path + "/" + name])
        }
        for name in ["way.gpx", "way.geojson", "way.json"] {
            let run = await write(name)
            #expect(run.status == 0 && run.output.isEmpty)
        }
        var reader = FeatureReader()
        reader.read(home.bytes("way.gpx"))
        #expect(reader.takeFeatures().count { $0.kind == .line } == 1)
        #expect(try JSON.parse(home.bytes("way.geojson"))["type"] == "FeatureCollection")
        let json = try JSON.parse(home.bytes("way.json"))
        #expect(RouteAnswer(json: json) != nil)
        let other = await write("way.kml")
        #expect(other.status == 2)
        let piped = await run(["route"] + Self.ends + ["--engine", server.url(""), "-o", "-"])
        #expect(try JSON.parse(piped.output)["features"]?.array?.count == 3)
    }

    @Test(
        arguments: [
            (LoopbackReply(400, Array(#"{"code":"NoRoute","message":"x"}"#.utf8)), Int32(4)),
            (LoopbackReply(400, Array(#"{"code":"NoSegment","message":"x"}"#.utf8)), 5),
            (LoopbackReply(429, headers: ["Retry-After": "60"]), 6),
            (LoopbackReply(200, Array("<html>".utf8)), 1),
        ] as [(LoopbackReply, Int32)])
    func `the exit status states why there is no route`(reply: LoopbackReply, status: Int32) async throws {
        let server = try Self.engine(reply),
            run = await run(["route"] + Self.ends + ["--engine", server.url("")])
        #expect(run.status == status && run.output.isEmpty && run.errors.hasPrefix("rhumb: "))
    }

    @Test func `while offline, a remote engine is not queried, and the last response is shown with its age`()
        async throws
    {
        let server = try Self.engine()
        let words = ["route"] + Self.ends
        let online = await run(words + ["--engine", server.url("")])
        #expect(online.status == 0)
        let kept = await run(words + ["--offline", "--engine", "http://192.0.2.1:5000"])
        #expect(kept.status == 0 && kept.output.contains("Head north-east") && kept.errors.contains(" old"))
        let other = await run([
            "route", "43.7312,7.4189", "43.70,7.40", "--offline", "--engine", "http://192.0.2.1:5000",
        ])
        #expect(other.status == 7 && other.output.isEmpty)
    }

    @Test func `TomTom's routes are shown and never stored, and its key is never shown`() async throws {
        let summary = #"{"lengthInMeters":700,"travelTimeInSeconds":120}"#
        let points = #"[{"latitude":43.7312,"longitude":7.4189},{"latitude":43.735,"longitude":7.425}]"#
        let server = try LoopbackServer { _ in
            LoopbackReply(
                200,
                Array(
                    #"{"routes":[{"summary":\#(summary),"legs":[{"summary":\#(summary),"points":\#(points)}]}]}"#
                        .utf8))
        }
        let keyed = ["TOMTOM_API_KEY": "Tomtom-Key-12345", "RHUMB_TOMTOM_URL": server.url("")]
        let run = await run(["route"] + Self.ends + ["--engine", "tomtom-routing"], keyed)
        #expect(run.status == 0 && run.output.contains("© TomTom"))
        #expect(
            !(run.output + run.errors).contains("Tomtom-Key") && home.everyFileContaining("43.7312").isEmpty)
        #expect(home.everyFileContaining("Tomtom-Key").isEmpty)
        let offline = await self.run(
            ["route"] + Self.ends + ["--engine", "tomtom-routing", "--offline"], keyed)
        #expect(offline.status == 7)
    }

    @Test func `volunteers' servers are shown with their rules, and accepted by name`() async {
        let refused = await run(["route"] + Self.ends + ["--engine", "osm-routing"])
        #expect(
            refused.status == 6 && refused.errors.contains("volunteers")
                && refused.errors.contains("--agree osm-routing"))
        let agreed = await run(["route", "--agree", "osm-routing"])
        #expect(agreed.status == 0 && home.everyFileContaining("osm-routing").count == 1)
        let other = await run(["route", "--agree", "osm"])
        #expect(other.status == 2)
    }

    @Test(arguments: [
        ["43.7312,7.4189"], ["43.7312,7.4189", "43.735,7.425", "--mode", "balloon"],
        ["43.7312,7.4189", "43.735,7.425", "--height", "4"],
        ["43.7312,7.4189", "43.735,7.425", "--avoid", "hills"],
        ["43.7312,7.4189", "43.735,7.425", "--depart", "soon"],
    ])
    func `an invalid query is rejected before any request`(words: [String]) async throws {
        let server = try Self.engine(), run = await run(["route"] + words + ["--engine", server.url("")])
        #expect(run.status == 2 && server.requestCount == 0)
    }

    @Test func `names are found in the gazetteer, and unknown ones are reported`() async throws {
        let server = try Self.engine()
        let run = await run(["route", "Monaco", "Xyzzyplugh", "--engine", server.url("")])
        #expect(run.status == 1 && run.errors.contains("Xyzzyplugh") && server.requestCount == 0)
    }

    @Test(arguments: ["way.gpx", "way.json"])
    func `a picture shows a route with its ends, from a file or a request`(name: String) async throws {
        let server = try Self.engine(), file = home.path + "/" + name
        let written = await run(["route"] + Self.ends + ["--engine", server.url(""), "-o", file])
        #expect(written.status == 0)
        let picture = await run(["render", "--route", file, "-o", home.path + "/way.svg", "--size", "80x24"])
        #expect(picture.status == 0 && !picture.errors.contains("rhumb:"))
        let text = String(decoding: home.bytes("way.svg"), as: UTF8.self)
        #expect(text.contains(">A<") && text.contains(">B<"))
        let asked = await run([
            "render", "--route", Self.ends.joined(separator: "; "), "--engine", server.url(""), "-f", "text",
            "--size", "60x20",
        ])
        #expect(asked.status == 0 && asked.output.contains("A") && asked.output.contains("B"))
        let none = await run(["render", "--route", "nowhere", "-f", "text"])
        #expect(none.status != 0 && none.errors.contains("--route: nowhere is neither"))
    }

    @Test func `with a position from gpsd the guidance is shown, and leaving the route is reported`() throws {
        let server = try Self.engine()
        let positions = try LineServer(
            ["{\"class\":\"VERSION\",\"proto_major\":3}"]
                + [(43.7312, 7.4189), (43.7331, 7.42195), (43.7331, 7.43)].map {
                    "{\"class\":\"TPV\",\"mode\":3,\"lat\":\($0.0),\"lon\":\($0.1)}"
                })
        let journey = try Journey(
            ["--offline", "-c", "43.7312,7.4189", "-z", "14", "--engine", server.url("")], columns: 120,
            rows: 40,
            environment: ["HOME": home.path, "TZ": "UTC"])
        try journey.see("World")
        try journey.type("R")
        try journey.see("to: ")
        try journey.type("43.735,7.425\r")
        try journey.see("Head north-east on Rue")
        try journey.type(":over gpsd:127.0.0.1:\(positions.port)\r")
        try journey.see("off route")
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `on the terminal R, a place and Enter show the route, and Ctrl-C quits`() throws {
        let server = try Self.engine()
        let journey = try Journey(
            ["--offline", "-c", "43.7312,7.4189", "-z", "14", "--engine", server.url("")], columns: 120,
            rows: 40,
            environment: ["HOME": home.path, "TZ": "UTC"])
        try journey.see("World")
        try journey.type("R")
        try journey.see("to: ")
        try journey.type("43.735,7.425\r")
        try journey.see("Head north-east on Rue")
        try journey.type("\u{1B}[B")
        #expect(try journey.quit() == .exited(0))
    }
}
