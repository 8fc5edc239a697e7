import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests `rhumb convert`, `merge`, `extract`, `diff` and `patch` as programs.
struct ArchiveToolCommandTests {
    private let folder = TemporaryFolder()

    private func run(_ words: String...) async -> ProgramRun { await run(words) }

    private func run(_ words: [String]) async -> ProgramRun {
        let words = words.map { $0.replacing("@", with: folder.path + "/") }
        let environment = [
            "HOME": folder.path + "/home", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
        return await ProgramRun.of(CommandFixture.program, words, environment: environment)
    }

    private func prepare() throws {
        _ = try ArchiveFixture(zooms: 0...3).write(.mbtiles, in: folder)
        var other = ArchiveFixture(zooms: 2...4)
        other.name = "Red \u{1B}[31m"
        for tile in other.tiles.keys where tile.zoom == 3 { other.tiles[tile] = blankPicture(RGB(0xFF0000)) }
        _ = try other.write(.pmtiles, in: folder, as: "other")
    }

    @Test func `a converted archive equals the original`() async throws {
        try prepare()
        let converted = await run("archive", "convert", "@map.mbtiles", "@copy.pmtiles")
        #expect(converted.status == 0 && converted.output.contains("copy.pmtiles: 85 tiles, zooms 0-3, "))
        let diff = await run("archive", "diff", "@map.mbtiles", "@copy.pmtiles")
        #expect(diff.status == 0 && diff.output.contains("are equal: 85 tiles"))
        #expect(await run("archive", "convert", "@copy.pmtiles", "@tiles/").status == 0)
        #expect(await run("archive", "diff", "@tiles", "@copy.pmtiles").status == 0)
    }

    @Test func `a difference has status 1, and its report is harmless within 80 columns`() async throws {
        try prepare()
        let diff = await run("archive", "diff", "@map.mbtiles", "@other.pmtiles", "--top", "2")
        #expect(diff.status == 1)
        #expect(diff.output.contains("and 62 more") && diff.output.contains("zoom  first  second  added"))
        #expect(!diff.output.unicodeScalars.contains("\u{1B}"))
        for line in diff.output.split(separator: "\n").dropFirst(2) {
            #expect(TextWidth.columns(of: String(line)) <= 80)
        }
    }

    @Test func `a comparison that fails has status 2`() async throws {
        try prepare()
        folder.write(Array("SQLite format 3\0".utf8) + [1, 2, 3], to: "bad.mbtiles")
        for other in ["@none.mbtiles", "@bad.mbtiles"] {
            let diff = await run("archive", "diff", "@map.mbtiles", other)
            #expect(diff.status == 2 && diff.output.isEmpty && diff.errors.hasPrefix("rhumb: "), "\(diff)")
        }
        #expect(await run("archive", "diff", "@map.mbtiles").status == 2)
        #expect(await run("archive", "diff", "@map.mbtiles", "@a", "@b").status == 2)
    }

    @Test func `merge needs a rule for duplicates, and names the option`() async throws {
        try prepare()
        let refused = await run("archive", "merge", "@map.mbtiles", "@other.pmtiles", "-o", "@all.mbtiles")
        #expect(refused.status == 1 && refused.errors.contains("choose one with --on-duplicate"))
        let merged = await run(
            "archive", "merge", "@map.mbtiles", "@other.pmtiles", "-o", "@all.mbtiles", "--on-duplicate",
            "last")
        #expect(merged.status == 0 && merged.output.contains("341 tiles, zooms 0-4"), "\(merged)")
        #expect(merged.output.contains("80 duplicates"))
        #expect(await run("archive", "merge", "@map.mbtiles", "-o", "@x.mbtiles").status == 2)
    }

    @Test func `extract takes a box or a file`() async throws {
        try prepare()
        folder.write(
            Array(
                #"{"type":"Polygon","coordinates":[[[1,1],[40,1],[40,40],[1,40],[1,1]]]}"#.utf8),
            to: "area.geojson")
        let box = await run(
            "archive", "extract", "@map.mbtiles", "-o", "@a.pmtiles", "--bbox", "1,1,40,40", "--zooms", "1-2")
        #expect(box.status == 0 && box.output.contains("2 tiles, zooms 1-2"), "\(box)")
        for option in ["--region", "--geojson"] {
            let file = await run(
                "archive", "extract", "@map.mbtiles", "-o", "@b.pmtiles", option, "@area.geojson", "-z",
                "1-2", "--force"
            )
            #expect(file.status == 0, "\(file)")
            #expect(await run("archive", "diff", "@a.pmtiles", "@b.pmtiles").status == 0)
        }
        #expect(await run("archive", "extract", "@map.mbtiles", "-o", "@c.pmtiles").status == 2)
        #expect(await run("archive", "extract", "@map.mbtiles", "--bbox", "1,1,40,40").status == 2)
    }

    @Test func `extract takes the tiles within a distance of a track`() async throws {
        try prepare()
        let track = #"<gpx version="1.1"><trk><trkseg><trkpt lat="2" lon="2"/><trkpt lat="2" lon="3"/>"#
        folder.write(Array((track + "</trkseg></trk></gpx>").utf8), to: "walk.gpx")
        func tiles(_ words: String...) async -> String {
            let words =
                ["archive", "extract", "@map.mbtiles", "-o", "@w.pmtiles", "--force", "--along", "@walk.gpx"]
                + words
            return await self.run(words).output
        }
        #expect(await tiles("-z", "3").contains("1 tile, "))
        #expect(await tiles("-z", "3", "--distance", "500km").contains("4 tiles, "))
        #expect(await tiles("-z", "3", "--bbox", "1,1,2,2").isEmpty)
        #expect(
            await run("archive", "extract", "@map.mbtiles", "-o", "@x.pmtiles", "--distance", "5km").status
                == 2)
    }

    @Test func `an existing output is replaced with --force only`() async throws {
        try prepare()
        folder.write([1], to: "copy.pmtiles")
        let refused = await run("archive", "convert", "@map.mbtiles", "@copy.pmtiles")
        #expect(refused.status == 1 && refused.errors.contains("the file exists; replace it with --force"))
        #expect(await run("archive", "convert", "@map.mbtiles", "@copy.pmtiles", "--force").status == 0)
        #expect(folder.names.allSatisfy { !$0.hasSuffix(".part") })
    }

    @Test(arguments: ["copy.pmtiles", "copy.mbtiles", "copy/"])
    func `an interrupted conversion leaves nothing`(output: String) async throws {
        _ = try ArchiveFixture(vectorZooms: 0...7).write(.mbtiles, in: folder)
        let words = ["archive", "convert", folder.path + "/map.mbtiles", folder.path + "/" + output]
        let child = ChildProgram(CommandFixture.program, words, errors: folder.path + "/errors")
        _ = await eventually { folder.names.contains { $0.hasSuffix(".part") } }
        kill(child.process, SIGINT)
        let status = child.wait()
        #expect(status == 130 || status == 0)
        #expect(folder.names.allSatisfy { !$0.hasSuffix(".part") })
        #expect(status == 0 || !folder.names.contains { $0.hasPrefix("copy") })
    }

    @Test func `rows of a folder from the south are read with --tms`() async throws {
        try prepare()
        #expect(await run("archive", "convert", "@map.mbtiles", "@tiles/").status == 0)
        rename(folder.path + "/tiles/metadata.json", folder.path + "/tiles/old.json")
        let plain = await run("archive", "diff", "@map.mbtiles", "@tiles", "--json")
        let flipped = await run("archive", "diff", "@map.mbtiles", "@tiles", "--tms", "--json")
        func changed(_ run: ProgramRun) throws -> Int {
            let zooms = try JSON.parse(Array(run.output.utf8))["zooms"]?.array ?? []
            return zooms.reduce(0) { $0 + ($1["changed"]?.int ?? 0) }
        }
        #expect(try changed(plain) == 0 && changed(flipped) > 0)
    }

    @Test func `a patch leads from one archive to the other, and not from a third`() async throws {
        try prepare()
        let made = await run("archive", "patch", "make", "@map.mbtiles", "@other.pmtiles", "-o", "@p.pmtiles")
        #expect(made.status == 0 && made.output.contains("; 320 changed, 16 in common"), "\(made)")
        let applied = await run(
            "archive", "patch", "apply", "@map.mbtiles", "@p.pmtiles", "-o", "@new.mbtiles")
        #expect(applied.status == 0 && applied.output.contains("336 tiles, zooms 2-4"), "\(applied)")
        #expect(await run("archive", "diff", "@new.mbtiles", "@other.pmtiles").status == 0)
        let wrong = await run("archive", "patch", "apply", "@p.pmtiles", "@p.pmtiles", "-o", "@bad.mbtiles")
        #expect(wrong.status == 1 && wrong.errors.contains("was made for another archive"), "\(wrong)")
        #expect(!folder.names.contains { $0.hasPrefix("bad") })
        #expect(
            await run("archive", "patch", "apply", "@map.mbtiles", "@other.pmtiles", "-o", "@c.mbtiles")
                .status == 1)
    }
}
