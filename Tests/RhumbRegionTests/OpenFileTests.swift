import Glibc
import Rhumb
import RhumbTestSupport
import Testing

/// Tests files that can't be opened, wherever the command line takes one.
struct OpenFileTests {
    private let box: CommandFixture

    init() throws {
        box = try CommandFixture()
        box.configure()
    }

    private static let uses: [(words: [String], name: String)] = [
        (["render", "FILE"], "map.mbtiles"),
        (["render", "FILE"], "map.pmtiles"),
        (["render", "FILE"], "map.json"),
        (["archive", "info", "FILE"], "map.mbtiles"),
        (["archive", "convert", "FILE", "copy.mbtiles"], "map.pmtiles"),
        (["archive", "patch", "make", "FILE", "FILE", "-o", "p.pmtiles"], "map.pmtiles"),
        (["archive", "merge", "FILE", "FILE", "-o", "all.mbtiles"], "map.pmtiles"),
        (["archive", "extract", "FILE", "-o", "part.mbtiles", "--bbox", "1,1,2,2"], "map.pmtiles"),
        (["archive", "tile", "--decode", "FILE", "0/0/0"], "map.mbtiles"),
        (["archive", "info", "--fields", "FILE"], "map.pmtiles"),
        (["archive", "info", "--by", "zoom", "FILE"], "map.mbtiles"),
        (["archive", "tile", "FILE", "0/0/0"], "map.pmtiles"),
        (["archive", "info", "--check", "FILE"], "map.pmtiles"),
        (["render", "--over", "FILE"], "walk.gpx"),
        (["render", "--image", "FILE"], "photo.png"),
        (["render", "--style", "FILE"], "own.json"),
        (["render", "--route", "FILE"], "way.gpx"),
        (["render", "--config", "FILE"], "own.json"),
        (["style", "check", "FILE"], "own.json"),
        (["track", "FILE"], "walk.gpx"),
        (["package", "publish", "FILE"], "maps"),
        (["package", "tree", "--catalog", "FILE"], "catalog.json"),
        (["region", "plan", "x", "--source", "web", "--zooms", "1-2", "--geojson", "FILE"], "area.json"),
        (
            [
                "region", "plan", "x", "--source", "web", "--zooms", "1-2", "--along", "FILE", "--width",
                "2km",
            ], "walk.gpx"
        ),
        (["region", "import", "x", "--source", "web", "--from", "FILE"], "map.pmtiles"),
    ]

    private func errors(_ words: [String], _ path: String) async -> ProgramRun {
        var words = words.map { $0 == "FILE" ? path : $0 }
        if words[0] == "region" { words += box.places }
        return await ProgramRun.of(CommandFixture.program, words, environment: box.environment)
    }

    @Test(arguments: uses)
    func `a missing file is reported in the same words everywhere, with the likely intended one`(
        words: [String], name: String
    ) async {
        let path = "\(box.folder.path)/\(name)"
        let missing = await errors(words, path)
        #expect(
            missing.status == 1
                && missing.errors.contains("can't open \(path): no such file; check its name"), "\(missing)")
        let near = box.folder.path + "/" + name.dropFirst()
        box.folder.write([], to: String(name.dropFirst()))
        let guessed = await errors(words, path)
        #expect(
            guessed.status == 1
                && guessed.errors.contains("can't open \(path): no such file; did you mean \(near)?"),
            "\(guessed)")
    }

    @Test(arguments: ["ftp://maps.example/a.pmtiles", "htps://maps.example/{z}/{x}/{y}.png"])
    func `an address with an unknown scheme is not called a file`(address: String) {
        #expect(
            "\(FileProblem(address))"
                == "can't open \(address): its scheme is unknown; use an address with https://, http://, "
                + "s3:// or gs://")
    }

    @Test func `a folder, a large file and an unreadable one have their own reasons`() {
        let file = box.folder.write([1, 2, 3], to: "file")
        #expect(
            "\(FileProblem(box.folder.path))"
                == "can't open \(box.folder.path): it is a folder; use a file in it")
        #expect(
            "\(FileProblem(file, limit: 2))"
                == "can't open \(file): it is larger than 2 B; use a smaller file")
        #expect(
            "\(FileProblem(file, errno: EACCES))"
                == "can't open \(file): permission denied; check its permissions")
    }
}
