import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the user's own data over the map, opened as a user would.
struct OverlayJourneyTests {
    private static let environment = [
        "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/dev/null/none",
        "SWIFT_BACKTRACE": "enable=no",
    ]

    private func run(_ words: String) async -> ProgramRun {
        await ProgramRun.of(
            "/bin/sh", ["-c", words.replacing("rhumb", with: TestProducts.path("rhumb"))],
            environment: Self.environment)
    }

    @Test func `places on standard input are shown while keys come from the terminal`() throws {
        let program = try PtyProgram(
            "/bin/sh",
            [
                "-c",
                "(echo 60.45,22.26,Alpha; echo nonsense; echo 60.46,22.30,Beta; while echo '#'; do sleep 0.2; done 2>/dev/null) | \(TestProducts.path("rhumb")) -",
            ],
            environment: Self.environment.merging(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) {
                $1
            }, columns: 100, rows: 30)
        try program.read(untilText: "Alpha")
        try program.read(untilText: "Beta")
        try program.send("m")
        try program.read(untilText: "standard input")
        try program.read(untilText: "skipped: 1")
        // The first key closes the panel.
        try program.send("qq")
        #expect(try program.readToEnd() == .exited(0))
    }

    @Test func `after n an overlay looks like one in a program started in that theme`() throws {
        let folder = TemporaryFolder()
        let line = "{\"type\":\"LineString\",\"coordinates\":[[10,40],[30,55],[20,35]]}"
        let feature = "{\"type\":\"Feature\",\"properties\":{},\"geometry\":\(line)}"
        let overlay = folder.write(Array(feature.utf8), to: "line.geojson")
        func start(_ more: String...) throws -> Journey {
            try Journey([overlay, "-c", "45,20", "-z", "4"] + more, environment: ["HOME": folder.path])
        }
        let day = try start("--style", "day"), night = try start("--style", "night")
        try night.see("Novi Sad")
        try night.settle()
        try night.type("n")
        try day.see("Novi Sad")
        try day.settle()
        try night.program.read { screen in
            while (try? day.program.readOnce(within: 0)) == true {}
            let other = day.program.screen.grid
            return screen.grid.difference(from: other, tolerance: Journey.tolerance) == nil
        }
        #expect(try day.quit() == .exited(0) && night.quit() == .exited(0))
    }

    @Test func `a command that is typed on the map is rejected, and not run`() throws {
        let folder = TemporaryFolder()
        let program = try PtyProgram(
            TestProducts.path("rhumb"), ["-c", "60,22", "-z", "5"],
            environment: Self.environment.merging(["TERM": "xterm-256color", "COLORTERM": "truecolor"]) {
                $1
            }, columns: 100, rows: 30)
        try program.read(untilText: "60.0")
        try program.send(":over exec:touch \(folder.path)/ran\r")
        try program.read(untilText: "The map runs no commands")
        try program.send("\u{1B}")
        #expect(access(folder.path + "/ran", F_OK) != 0)
    }

    @Test(.enabled(if: access("/usr/bin/gdal_translate", X_OK) == 0, "gdal-bin is not installed"))
    func `tiles in a GeoPackage from GDAL are a map, but other reference systems are rejected`()
        async throws
    {
        let folder = TemporaryFolder(), path = folder.path + "/city.gpkg", other = folder.path + "/other.gpkg"
        let tiles = (8...9).flatMap { x in (4...5).compactMap { y in TileID(zoom: 4, x: x, y: y) } }
        let source = try MBTilesFixture(
            tiles.map { ($0, fakePicture($0, side: 256)) }, metadata: [("name", "city"), ("format", "png")]
        ).write(in: folder)
        func run(_ program: String, _ words: String...) async -> ProgramRun {
            await ProgramRun.of(program, words, environment: Self.environment)
        }
        let made = await run(
            "/usr/bin/gdal_translate", "-q", "-of", "GPKG", "-co", "TILING_SCHEME=GoogleMapsCompatible",
            source, path)
        #expect(made.status == 0, "\(made.errors)")
        let rhumb = TestProducts.path("rhumb"), seen = await run(rhumb, "inspect", path, "--json")
        #expect(seen.status != 1 && seen.output.contains("\"GeoPackage\""), "\(seen.errors)")
        let shown = await run(
            rhumb, "render", path, "-c", "50,10", "-z", "3", "--size", "30x10", "--format", "text")
        #expect(shown.status == 0 && !shown.output.isEmpty, "\(shown.errors)")
        _ = await run("/usr/bin/gdalwarp", "-q", "-t_srs", "EPSG:3035", source, folder.path + "/t.tif")
        let turned = await run("/usr/bin/gdal_translate", "-q", "-of", "GPKG", folder.path + "/t.tif", other)
        #expect(turned.status == 0, "\(turned.errors)")
        let refused = await run(rhumb, "inspect", other)
        #expect(refused.status == 1 && refused.errors.contains("reference system 3035"), "\(refused.errors)")
    }

    @Test func `a picture is framed on its points, and reports omitted ones`() async {
        let picture = await run(
            "printf '60.45,22.26,Alpha\\nbad\\n60.46,22.30,Beta\\n' | rhumb render - --size 60x20")
        #expect(picture.status == 3, "\(picture.errors)")
        #expect(await run("rhumb render /dev/null/none.gpx --size 20x5").status == 1)
        #expect(picture.output.contains("Alpha") && picture.output.contains("Beta"))
        #expect(picture.errors.contains("standard input: 1 skipped, line 2"))
    }

    @Test func `features without a position are named, and the others are described`() async {
        let text = #"{"type":"Feature","properties":{},"geometry":null}\n{"lat":60,"lon":22}\n"#
        let found = await run("printf '\(text)' | rhumb describe -")
        #expect(found.status == 0 && found.output.contains("standard input: 1 point."), "\(found.errors)")
        #expect(found.errors.contains("not shown: 1 feature without a position"))
    }

    @Test func `a missing file and an address are named as such by every command`() async {
        for command in ["describe", "track"] {
            let missing = await run("rhumb \(command) /none-such/none.gpx")
            #expect(missing.status == 1 && missing.errors.contains("no such file"), "\(missing.errors)")
        }
        let web = await run("rhumb track http://127.0.0.1:9/500")
        #expect(web.status == 1 && web.errors.contains("download it first"), "\(web.errors)")
    }

    @Test func `statistics of a track are printed as text and as JSON`() async throws {
        let track =
            "$GPRMC,120000,A,6000.000,N,02200.000,E,10,0,010524,,\\n$GPRMC,120100,A,6001.000,N,02200.000,E,10,0,010524,,\\n"
        let text = await run("printf '\(track)' | rhumb track stats -")
        #expect(text.status == 0 && text.output.contains("length: 1.86 km"), "\(text.errors)")
        let figures = try JSON.parse(await run("printf '\(track)' | rhumb track stats - --json").output)
            .array?.first
        #expect(figures?["duration"]?.double == 60)
        #expect(abs((figures?["distance"]?.double ?? 0) - 1856.9) < 0.1)
        #expect(await run("rhumb track stats /dev/null/none.gpx").status == 1)
    }

    @Test func `recorded tracks are listed, and the newest is saved`() async throws {
        let home = TemporaryFolder(), folder = home.path + "/.local/share/rhumb/tracks"
        var environment = Self.environment
        environment["HOME"] = home.path
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(TestProducts.path("rhumb"), words, environment: environment)
        }
        let none = await run("track")
        #expect(none.status == 0, "\(none.errors)")
        #expect(none.errors.contains("no recorded tracks in \(folder)"), "\(none.errors)")
        let gpx = { (name: String) in
            """
            <gpx version="1.1"><trk><name>\(name)</name><trkseg><trkpt lat="60" lon="22"/>
            <trkpt lat="60.01" lon="22"/></trkseg></trk></gpx>
            """
        }
        for name in ["2026-05-01", "2026-05-02"] {
            home.write(Array(gpx(name).utf8), to: ".local/share/rhumb/tracks/\(name).gpx")
        }
        let list = await run("track")
        #expect(list.output.contains("2026-05-01\n"))
        #expect(list.output.contains("file: \(folder)/2026-05-02.gpx"))
        let copy = home.path + "/walk.gpx"
        #expect(await run("track", "-o", copy).status == 0)
        #expect(String(decoding: home.bytes("walk.gpx"), as: UTF8.self).contains("2026-05-02"))
        let again = await run("track", "-o", copy)
        #expect(again.status == 1 && again.errors.contains("--force"), "\(again.errors)")
    }

    @Test(arguments: [
        ("a.gpx", "<gpx></gpx>"), ("a.gpx", "<gpx><wpt lat='x'/></gpx>"),
        ("a.kml", "<kml><Placemark/></kml>"),
        ("a.tcx", "<TrainingCenterDatabase/>"), ("a.geojson", "{\"type\":\"Point\"}"),
        ("a.csv", "lat,lon\n"), ("a.nmea", "$GPGSV,1\n"), ("a.ndjson", ""), ("a.fit", "no FIT"),
        ("a.kmz", "no ZIP"),
    ])
    func `a file that shows nothing has one reason in all commands, and the status of gaps`(
        name: String, text: String
    ) async {
        let folder = TemporaryFolder(), file = folder.write(Array(text.utf8), to: name)
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(TestProducts.path("rhumb"), words, environment: Self.environment)
        }
        let stats = await run("track", file)
        let picture = await run("render", "--over", file, "--size", "20x5")
        let reason =
            stats.errors.split(separator: "\n").first { $0.contains("nothing to show in \(name)") } ?? "none"
        #expect(stats.status == 3 && picture.status == 3)
        #expect(picture.errors.contains(reason), "\(reason), \(picture.errors)")
    }
}
