import RhumbCommandLine
import RhumbCore
import RhumbTestSupport
import Testing

/// Compares the output of commands with `--json` with the tables in the manual page about JSON.
struct JSONSchemaTests: PackageShell {
    let publisher: PackageFixture
    let box: CommandFixture

    init() throws { (publisher, box) = try Self.configured() }

    /// Runs a command, and returns the differences between its output and the table with that heading.
    private func faults(
        _ heading: String, _ words: [String], in box: CommandFixture? = nil
    ) async throws -> [String] {
        let box = box ?? self.box
        let run = await ProgramRun.of(
            CommandFixture.program, words + ["--json"] + box.places, environment: box.environment)
        guard let output = try? JSON.parse(Array(run.output.utf8)) else {
            return ["\(words.joined(separator: " ")): exit status \(run.status), no JSON: \(run.errors)"]
        }
        var schema = try #require(try JSONSchema.tables()[heading], "no table \(heading)")
        schema.check(output)
        return schema.faults.map { "\(words.joined(separator: " ")): \($0)" }
    }

    private func expect(
        _ samples: [(heading: String, line: String)], in box: CommandFixture? = nil
    ) async throws {
        for (heading, line) in samples {
            let words = line.split(separator: " ").map(String.init)
            let faults = try await faults(heading, words, in: box)
            #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
        }
    }

    @Test func `every command with --json is on the page`() throws {
        let page = String(decoding: try #require(TestFiles.bytes("Assets/manual/json.md")), as: UTF8.self)
        for command in CommandTable.commands where command.options.contains(where: { $0.name == "json" }) {
            let words = command.text.split(separator: " ")
            let isNamed = page.contains("`\(command.text)`") || page.contains("## \(words.first ?? "")\n")
            #expect(isNamed, "\(command.text)")
        }
    }

    @Test func `the JSON of commands without network matches the page`() async throws {
        let folder = box.folder
        let town = try MBTilesFixture(zooms: 0...2).write(in: folder)
        let quay = VectorTileFixture.Feature(
            .line, through: [(0, 0), (9, 9)], [("name", .string("Quay")), ("lanes", .number(2.5))])
        var streets = PMTilesFixture(
            TileID.pyramid(0...2).map { ($0, VectorTileFixture([("roads", [quay])]).bytes) })
        streets.metadata = Array(#"{"vector_layers":[{"id":"roads","fields":{"oneway":""}}]}"#.utf8)
        let vector = folder.write(streets.bytes, to: "streets.pmtiles")
        let walk = folder.write(
            Array(
                """
                <gpx version="1.1"><trk><name>Walk</name><trkseg>
                <trkpt lat="60.1" lon="24.9"><ele>10</ele><time>2026-05-01T10:00:00Z</time></trkpt>
                <trkpt lat="60.2" lon="24.9"><ele>30</ele><time>2026-05-01T12:00:00Z</time></trkpt>
                </trkseg></trk></gpx>
                """.utf8), to: "walk.gpx")
        let style = folder.write(
            Array(
                """
                {"version": 8, "sources": {"a": {"type": "vector", "url": "x.json"}}, "layers": [
                {"id": "land", "type": "background", "paint": {"background-color": "#no"}}]}
                """.utf8), to: "own.json")
        let paths = [1, 2].map { count in
            let body = VectorTileFixture([("roads", Array(repeating: quay, count: count))]).bytes
            var fixture = PMTilesFixture(TileID.pyramid(0...count).map { ($0, body) })
            // The type of the tiles.
            fixture.patches = [(99, 1)]
            return folder.write(fixture.bytes, to: "roads\(count).pmtiles")
        }
        let weights = folder.write(Array("0/0/0 12".utf8), to: "weights.tsv")
        try await expect([
            ("doctor", "doctor"), ("source features", "source features"),
            ("archive info", "archive info \(town)"), ("archive info", "archive info \(town) --check"),
            ("archive info", "archive info \(vector) --repair -o \(folder.path)/fixed.pmtiles"),
            ("Tiles of archives", "archive info \(town) 2/1/1"),
            ("Tiles of archives", "archive info \(vector) 2/1/1"),
            ("Fields of archives", "archive info \(vector) --fields"),
            ("Fields of archives", "archive info \(vector) --fields --sample 2"),
            ("Statistics of archives", "archive info \(town) --sizes-only"),
            ("Statistics of archives", "archive info \(vector) --by field --weights \(weights)"),
            ("Statistics of archives", "archive info \(town) --by zoom"),
            ("Statistics of archives", "archive info \(vector) --by layer --top 3 --budget 1"),
            ("search", "search Turku"), ("search", "search 60.45,22.26"),
            ("bookmark", "bookmark add a 60.45,22.26"), ("bookmark", "bookmark list"),
            ("bookmark", "bookmark"), ("bookmark", "bookmark remove a"),
            ("source list", "source list"), ("source show", "source show openfreemap"),
            ("cache stats", "cache stats"), ("Stored copies", "cache list"),
            ("Cache changes", "cache clear"), ("Cache changes", "cache trim --to 1M"),
            ("Cache changes", "cache invalidate"), ("cache verify", "cache verify"),
            ("style check", "style check \(style)"), ("style sets", "style sets \(style)"),
            ("track", "track \(walk)"),
            ("Archive copies", "archive convert \(town) \(folder.path)/copy.pmtiles"),
            ("Archive copies", "archive extract \(town) -o \(folder.path)/part.pmtiles --bbox 1,1,9,9"),
            (
                "Archive copies",
                "archive merge \(town) \(folder.path)/copy.pmtiles -o \(folder.path)/all.mbtiles --on-duplicate last"
            ),
            (
                "Archive copies",
                "archive patch make \(folder.path)/part.pmtiles \(town) -o \(folder.path)/p.pmtiles"
            ),
            (
                "Archive copies",
                "archive patch apply \(folder.path)/part.pmtiles \(folder.path)/p.pmtiles -o \(folder.path)/new.mbtiles"
            ),
            ("archive diff", "archive diff \(town) \(folder.path)/part.pmtiles"),
            ("archive diff", "archive diff \(folder.path)/part.pmtiles \(town)"),
            ("archive diff", "archive diff \(paths[0]) \(paths[1]) --by feature"),
        ])
    }

    @Test func `the JSON of regions from the plan to the removal matches the page`() async throws {
        let box = try CommandFixture()
        box.configure()
        let area = CommandFixture.area.joined(separator: " ")
        try await expect(
            [
                ("source check", "source check web"),
                ("region plan", "region plan home --source web \(area)"),
                ("Regions", "region add home --source web \(area)"), ("Regions", "region list"),
                ("Regions", "region show home"), ("Regions", "region update home"),
                ("Region checks", "region check home"), ("area check", "area check home"),
                ("area", "area create hike home --grid utm"), ("area", "area show hike"),
                ("area", "area list"), ("area export", "area export hike -o \(box.folder.path)/hike"),
                ("area import", "area import \(box.folder.path)/hike"), ("area remove", "area remove hike"),
                ("Repairs without downloads", "region check home --repair"),
                ("Repairs without downloads", "region check --repair"),
                ("region why", "region why home 9/256/255"),
                ("Requests to downloads", "region pause home"),
                ("Requests to downloads", "region cancel home"),
                ("region export", "region export home -o \(box.folder.path)/home.mbtiles"),
                ("region rename", "region rename home away"), ("Regions", "region resume away"),
                ("region remove", "region remove away"),
                ("region import", "region import mine --source web --from \(box.folder.path)/home.mbtiles"),
                ("cache prefetch", "cache prefetch --source web --bbox 0.1,0.1,0.3,0.3 --zooms 7-9"),
                ("Stored copies", "cache list"), ("Stored copies", "cache why 7/64/63"),
                ("cache stats", "cache stats"),
            ], in: box)
    }

    @Test func `the JSON of packages from the catalogue to the removal matches the page`() async throws {
        try await expect([
            ("Packages", "package tree"), ("Packages", "package search north"),
            ("Packages", "package at 0.5,0.5"),
            ("package plan", "package plan north"), ("Package changes", "package install north"),
            ("package list", "package list"), ("Packages", "package tree"),
            ("update check", "update check"), ("Sizes of updates", "update check --sizes"),
            ("Package changes", "update apply"), ("Package changes", "package repair"),
            ("Cancelled operations", "package cancel"), ("package list", "package"),
            ("Package changes", "package uninstall north"), ("update check", "update check"),
        ])
    }

    /// Starts a routing engine with one route and one isochrone.
    private static func engine() throws -> LoopbackServer {
        let from = Coordinate(latitude: 43.7312, longitude: 7.4189),
            to = Coordinate(latitude: 43.735, longitude: 7.425)
        let line = Polyline.text([from, to], precision: 6), end = Polyline.text([to, to], precision: 6)
        return try LoopbackServer { request in
            let reply: JSON
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/status": reply = ["version": "3.5.1", "available_actions": ["route", "isochrone"]]
            case "/isochrone":
                let ring: JSON = [[7.41, 43.73], [7.42, 43.73], [7.42, 43.74], [7.41, 43.73]]
                reply = [
                    "type": "FeatureCollection",
                    "features": [
                        [
                            "type": "Feature", "properties": ["contour": 5, "metric": "time"],
                            "geometry": ["type": "Polygon", "coordinates": [ring]],
                        ]
                    ],
                ]
            default:
                let depart: JSON = [
                    "distance": 700, "duration": 120, "name": "Avenue Neuve", "geometry": .string(line),
                    "maneuver": [
                        "type": "depart", "location": [7.4189, 43.7312], "bearing_before": 0,
                        "bearing_after": 45, "instruction": "Drive north.",
                    ],
                ]
                let arrive: JSON = [
                    "distance": 0, "duration": 0, "name": "", "geometry": .string(end),
                    "maneuver": [
                        "type": "arrive", "location": [7.425, 43.735], "bearing_before": 45,
                        "bearing_after": 0, "instruction": "Arrive.",
                    ],
                ]
                let leg: JSON = ["distance": 700, "duration": 120, "steps": [depart, arrive]]
                reply = [
                    "code": "Ok",
                    "routes": [
                        ["distance": 700, "duration": 120, "geometry": .string(line), "legs": [leg]]
                    ],
                    "waypoints": [["location": [7.4189, 43.7312]], ["location": [7.425, 43.735]]],
                ]
            }
            return LoopbackReply(200, Array(reply.text.utf8))
        }
    }

    @Test func `the JSON of routes and reachable areas matches the page`() async throws {
        let server = try Self.engine(), engine = "--engine \(server.url(""))"
        try await expect([
            ("route", "route 43.7312,7.4189 43.735,7.425 \(engine)"),
            ("Reachable areas", "route 43.7312,7.4189 --within 5min \(engine)"),
        ])
    }
}
