import RhumbCore
import RhumbTestSupport
import Testing

/// Tests heights of the ground from an archive, for tracks and routes that have none.
struct TerrainJourneyTests {
    private let folder = TemporaryFolder()

    /// Creates an archive in which the ground around Monaco is 100 m high.
    private func terrain(encoding: String = "mapbox") throws -> String {
        let tile = TileID(
            zoom: 8, containing: Mercator.world(Coordinate(latitude: 43.7312, longitude: 7.4189)))
        let metadata = [(name: "name", value: "Hills"), ("format", "png"), ("encoding", encoding)]
        return try MBTilesFixture([(tile, blankPicture(RGB(0x018A88), side: 256))], metadata: metadata).write(
            in: folder, name: "\(encoding).mbtiles")
    }

    private func run(_ words: String...) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"), words,
            environment: [
                "HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                "SWIFT_BACKTRACE": "enable=no",
            ])
    }

    @Test func `a track without heights has those of the ground, with their source`() async throws {
        let track = folder.write(
            Array(
                "<gpx><trk><name>plan</name><trkseg><trkpt lat=\"43.73\" lon=\"7.42\"/><trkpt lat=\"43.74\" lon=\"7.43\"/></trkseg></trk></gpx>"
                    .utf8), to: "plan.gpx")
        let bare = await run("track", track)
        #expect(bare.status == 0 && !bare.output.contains("heights") && bare.errors.contains("--terrain"))
        let hills = try terrain(), lifted = await run("track", track, "--terrain", hills)
        #expect(lifted.status == 0 && lifted.errors.isEmpty)
        #expect(
            lifted.output.contains("heights: 100 m to 100 m") && lifted.output.contains("elevation: Hills"))
        let json = await run("track", track, "--json", "--terrain", hills)
        #expect(try JSON.parse(Array(json.output.utf8)).array?.first?["heightsFrom"] == "Hills")
        let plain = await run("track", track, "--terrain", try terrain(encoding: "none"))
        #expect(plain.status == 1 && plain.errors.contains("has no elevation"))
    }

    @Test func `heights that a server fails to send are reported, with the length of their gap`() async throws
    {
        let sound = blankPicture(RGB(0x018A88), side: 256)
        let server = try LoopbackServer { asked in
            let isBroken = asked.target.hasPrefix("/dead") || asked.target.contains("/2131/")
            return isBroken ? LoopbackReply(500, []) : LoopbackReply(200, sound)
        }
        // The first two points are in a tile with the column 2132, the others in 2131.
        let track = folder.write(
            Array(
                "<gpx><trk><trkseg><trkpt lat=\"43.73\" lon=\"7.40\"/><trkpt lat=\"43.73\" lon=\"7.39\"/><trkpt lat=\"43.73\" lon=\"7.38\"/><trkpt lat=\"43.73\" lon=\"7.30\"/></trkseg></trk></gpx>"
                    .utf8), to: "gap.gpx")
        for name in ["some", "dead"] {
            let source =
                #"{"sources":[{"id":"hills","url":"\#(server.url(""))/\#(name)/{z}/{x}/{y}.png","minzoom":12,"maxzoom":12,"encoding":"mapbox"}]}"#
            let configuration = folder.write(Array(source.utf8), to: "\(name).json")
            let words = ["track", track, "--terrain", "hills", "--config", configuration, "--json"]
            let run = await ProgramRun.of(
                TestProducts.path("rhumb"), words,
                environment: ["HOME": folder.path + "/" + name, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
            #expect(run.status == 3 && run.errors.contains("without heights: "), "\(run)")
            let found = try JSON.parse(Array(run.output.utf8)).array?.first
            let gap = try #require(found?["distanceWithoutHeights"]?.double)
            let length = try #require(found?["distance"]?.double)
            #expect(name == "dead" ? gap == length : gap > 0 && gap < length, "\(run)")
            #expect(found?["heightsMissing"]?.string != nil)
        }
    }

    /// Starts an engine with a single route.
    private func engine() throws -> LoopbackServer {
        let line = [
            Coordinate(latitude: 43.7312, longitude: 7.4189), Coordinate(latitude: 43.735, longitude: 7.425),
        ]
        let shape = JSON.string(Polyline.text(line, precision: 6)).text
        let body =
            #"{"code":"Ok","routes":[{"distance":700,"duration":120,"legs":[{"distance":700,"duration":120,"steps":[{"maneuver":{"type":"depart"},"geometry":\#(shape),"name":"","distance":700,"duration":120}]}]}]}"#
        return try LoopbackServer { asked in
            asked.target == "/status"
                ? LoopbackReply(
                    200, Array(#"{"version":"3.5.1","available_actions":["route","height"]}"#.utf8))
                : LoopbackReply(200, Array(body.utf8))
        }
    }

    @Test func `a route has the stored heights of the ground, and no engine is queried for them`()
        async throws
    {
        let server = try engine(), ends = ["43.7312,7.4189", "43.735,7.425"]
        let run = await run(
            "route", ends[0], ends[1], "--engine", server.url(""), "--heights", "--offline", "--terrain",
            try terrain())
        #expect(
            run.status == 0 && run.errors.isEmpty && run.output.contains("0 m up")
                && run.output.contains("elevation: Hills"))
        #expect(!server.record.requests.contains { $0.target.contains("height") })
    }

    @Test func `a stored route has them, too, without an engine`() async throws {
        let server = try engine(), ends = ["43.7312,7.4189", "43.735,7.425"]
        let asked = await run("route", ends[0], ends[1], "--engine", server.url(""))
        #expect(asked.status == 0 && !asked.output.contains("elevation:"))
        let kept = await run(
            "route", ends[0], ends[1], "--engine", "http://192.0.2.1:5000", "--heights", "--offline",
            "--terrain", try terrain())
        #expect(
            kept.status == 0 && kept.errors.contains(" old") && kept.output.contains("elevation: Hills"),
            "\(kept)")
    }
}
