import RhumbCore
import RhumbTestSupport
import Testing

/// Tests that all commands understand a name in the same way.
struct PlaceAgreementTests {
    private let home = TemporaryFolder()

    private func run(_ words: [String]) async -> ProgramRun {
        await ProgramRun.of(
            TestProducts.path("rhumb"), words + ["--offline"],
            environment: [
                "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
                "SWIFT_BACKTRACE": "enable=no", "TZ": "UTC",
            ])
    }

    private func coordinate(_ json: JSON?) throws -> Coordinate {
        Coordinate(
            latitude: try #require(json?["latitude"]?.double),
            longitude: try #require(json?["longitude"]?.double))
    }

    @Test(arguments: ["Casino", "Museo Civico", "Dijon"])
    func `search, describe, route and reach find a name in the given archive`(name: String) async throws {
        let path = home.write(RouteTown().archive, to: "town.pmtiles")
        let point = try #require(RouteTown.features[name]), wanted = RouteTown.place(point.0, point.1)
        let searched = await run(["search", name, "--in", path, "--json"])
        #expect(try coordinate(try JSON.parse(searched.output).array?.first).metres(to: wanted) < 20)
        let described = await run(["describe", name, "--in", path, "--json"])
        #expect(try coordinate(try JSON.parse(described.output)).metres(to: wanted) < 20)
        // The street passes the features at a few metres.
        let middle = RouteTown.place(1300, 2000), start = "\(middle.latitude),\(middle.longitude)"
        for words in [[name, start, "--reverse"], [start, name]] {
            let route = await run(["route"] + words + ["-m", "foot", "--in", path, "--json"])
            #expect(route.status == 0, "\(route.errors)")
            let answer = try #require(RouteAnswer(json: try JSON.parse(route.output)))
            #expect(try #require(answer.routes.first?.line.last).metres(to: wanted) < 30)
        }
        let reach = await run(["route", name, "--within", "1", "-m", "foot", "--in", path, "--json"])
        #expect(try coordinate(try JSON.parse(reach.output)).metres(to: wanted) < 20)
        let pointed = await run(["describe", "-c", name, "--in", path, "--json"])
        #expect(try coordinate(try JSON.parse(pointed.output)).metres(to: wanted) < 20)
    }

    @Test
    func `a name of another town is found without the archive, and coordinates out of range are refused`()
        async throws
    {
        let path = home.write(RouteTown().archive, to: "town.pmtiles")
        let town = await run(["describe", "Turku", "--in", path, "--json"])
        #expect(abs(try coordinate(try JSON.parse(town.output)).latitude - 60.45) < 0.1)
        let wrong = await run(["route", "91,0", "Turku"])
        #expect(wrong.status != 0 && wrong.errors.contains("out of range"))
        let gpx = await run(["route", "Turku", "--within", "5", "-o", home.path + "/reach.gpx"])
        #expect(gpx.status == 2 && gpx.errors.contains("GeoJSON"))
        let none = await run(["route", "Qwxyzt Nowhere", "Turku"])
        #expect(none.status == 1 && none.errors.contains("no place found for \"Qwxyzt Nowhere\""))
    }
}
