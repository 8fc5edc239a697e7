import RhumbTestSupport
import Testing

/// Feeds damaged input to every parser, each in its own process. No parser may crash, take more than five
/// seconds or use more than 300 MiB.
struct ParserFuzzTests {
    static let fixture = TestProducts.path("FuzzFixture")
    static let parsers = ChildProgram(fixture, ["list"]).lines()

    @Test func `every parser is tested`() {
        let parsers = Set(Self.parsers)
        #expect(
            parsers.isSuperset(of: [
                "images", "mvt", "mlt", "pmtiles", "versatiles", "mbtiles", "style", "tilejson", "geojson",
                "gpx", "routes",
                "receivers", "features", "wkb",
            ]))
        #expect(parsers.isSuperset(of: ["configuration", "keys", "json", "headers"]))
    }

    static let bombs = Int(ChildProgram(fixture, ["bombs"]).lines().first ?? "") ?? 0

    @Test(arguments: 0..<(Soak.isOn ? bombs : min(bombs, 7)))
    func `hostile input is read or rejected in little memory`(bomb: Int) {
        let lines = ChildProgram(Self.fixture, ["bomb", "\(bomb)"]).lines()
        #expect(lines == ["done \(bomb)"])
    }

    @Test(arguments: parsers)
    func `extreme numbers are read or rejected`(parser: String) {
        let child = ChildProgram(Self.fixture, ["numbers", parser])
        var last = ""
        while let line = child.readLine() {
            if line.hasPrefix("trouble") { Issue.record("\(parser), \(line)") }
            last = line
        }
        #expect(last == "done", "\(parser) ended in \(last)")
    }

    @Test(arguments: parsers)
    func `damaged input is read or rejected quickly, and without using much memory`(parser: String) {
        let count = Soak.isOn ? 100_000 / Self.parsers.count + 1 : 60
        let seed = SplitMix.anySeed
        print("\(parser): RHUMB_TEST_SEED=\(seed)")
        let child = ChildProgram(Self.fixture, [parser, "\(count)", "\(seed)"])
        var last = ""
        while let line = child.readLine() {
            if line.hasPrefix("trouble") { Issue.record("\(parser), \(line)") }
            last = line
        }
        #expect(last == "done \(count)", "\(parser) ended in \(last)")
    }
}
