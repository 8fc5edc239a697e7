@testable import RhumbServices
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the texts about routes.
struct RouteInstructionTests {
    private func step(_ manoeuvre: Manoeuvre, _ change: (inout RouteStep) -> Void = { _ in }) -> RouteStep {
        var step = RouteStep(manoeuvre, distance: 100, duration: 10, corner: 0)
        change(&step)
        return step
    }

    @Test func `a sentence is composed of kind, direction, name, exit and signs`() {
        #expect(
            step(Manoeuvre(.turn, .sharpLeft)) { $0.name = "Kingsway" }.instruction()
                == "Turn sharp left onto Kingsway")
        #expect(
            step(Manoeuvre(.endOfRoad, .right)) { $0.name = "Kingsway" }.instruction()
                == "At the end of the road turn right onto Kingsway")
        #expect(
            step(Manoeuvre(.roundabout, exit: 2)) { $0.reference = "A4" }.instruction()
                == "At the roundabout take the second exit onto A4")
        #expect(step(Manoeuvre(.roundabout)).instruction() == "Enter the roundabout")
        #expect(
            step(Manoeuvre(.offRamp, .right)) { ($0.exits, $0.destinations) = ("57", "Nice, Monaco") }
                .instruction()
                == "Take exit 57 on the right towards Nice, Monaco")
        #expect(
            step(Manoeuvre(.fork, .slightLeft)) { ($0.name, $0.reference) = ("La Provençale", "A8") }
                .instruction()
                == "Keep left at the fork onto La Provençale (A8)")
        #expect(
            step(Manoeuvre(.ferry)) { $0.name = "Turku–Stockholm" }.instruction()
                == "Take the ferry Turku–Stockholm")
        #expect(step(Manoeuvre(.turn, .uTurn)).instruction() == "Turn around")
        #expect(
            step(Manoeuvre(.proceed, .right)) { $0.name = "Kingsway" }.instruction()
                == "Turn right to stay on Kingsway")
        #expect(step(Manoeuvre(.proceed, .uTurn)).instruction() == "Turn around")
        #expect(step(Manoeuvre(.proceed, .left)).instruction() == "Follow the road left")
        #expect(step(Manoeuvre(.arrive, .left)).instruction(stop: 1) == "Arrive at stop 1, on the left")
        #expect(step(Manoeuvre(.depart, bearing: 350)).instruction() == "Head north")
    }

    @Test func `every manoeuvre has words and a sign one column wide, with Unicode and without`() {
        for kind in Manoeuvre.Kind.allCases {
            for direction in Manoeuvre.Direction.allCases.map(Optional.some) + [nil] {
                let manoeuvre = Manoeuvre(kind, direction)
                #expect(!step(manoeuvre).instruction().isEmpty)
                #expect(TextWidth.columns(of: manoeuvre.sign(isUnicode: true)) == 1)
                let plain = manoeuvre.sign(isUnicode: false)
                #expect(plain.utf8.count == 1 && plain.utf8.allSatisfy { $0 < 0x80 })
            }
        }
    }

    @Test(arguments: [
        ("now", true), ("2026-11-22T17:00", true), ("2026-02-30T17:00", false), ("17:00", false),
        ("2026-11-22 17:00", false), ("", false),
    ])
    func `a departure is now, or a valid day and time`(text: String, isRight: Bool) {
        #expect((RouteDeparture(text) != nil) == isRight)
    }

    // MARK: Files

    private func answer() throws -> RouteAnswer {
        var request = RouteFixture.request()
        request.mode = .truck
        request.vehicle.height = 4
        request.avoids = [.tolls]
        request.departure = .now
        let routes = try RouteFixture.engine(.osrm).routes(
            Array(RouteFixture.osrm(name: "A & <B>").utf8), to: request)
        return RouteAnswer(
            request, routes, provider: "Example", attribution: "© Example", time: UnixSeconds(1_800_000_000),
            mayBeStored: true)
    }

    @Test func `a response survives JSON unchanged`() throws {
        let answer = try answer()
        let read = try #require(RouteAnswer(json: JSON.parse(answer.json.text)))
        #expect(read == answer)
    }

    @Test(arguments: [
        "{}", "[]", #"{"rhumb":"route","version":2}"#,
        #"{"rhumb":"route","version":1,"request":{"waypoints":[{"latitude":1,"longitude":2}]},"receivedAt":"1970-01-01T00:00:01Z","routes":[]}"#,
    ])
    func `a document that is not a stored response is rejected`(text: String) throws {
        #expect(RouteAnswer(json: try JSON.parse(text)) == nil)
    }

    @Test(arguments: [
        (#""duration":60"#, #""duration":9.3e18"#), (#""duration":60"#, #""duration":-1"#),
        (#""distance":700"#, #""distance":1e308"#),
        (#""duration":30"#, #""duration":9223372036854775807"#),
    ])
    func `a stored response with an impossible length or duration is rejected`(
        plain: String, extreme: String
    ) throws {
        let text = try answer().json.text
        try #require(text.contains(plain))
        #expect(RouteAnswer(json: try JSON.parse(text.replacing(plain, with: extreme))) == nil)
    }

    @Test func `an impossible exit or bearing is omitted from the words`() {
        for exit in [Int.min, 0, 100, .max] {
            let step = RouteStep(Manoeuvre(.roundabout, exit: exit), distance: 0, duration: 0, corner: 0)
            #expect(step.instruction() == "Enter the roundabout")
        }
        for bearing in [1e308, -9.3e18, .nan, .infinity] {
            #expect(
                RouteStep(Manoeuvre(.depart, bearing: bearing), distance: 0, duration: 0, corner: 0)
                    .instruction()
                    == "Set out")
        }
    }

    @Test func `a route as GPX is read again, and its names are escaped`() throws {
        let text = try answer().gpx(creator: "Rhumb")
        let geometry = try RegionGeometry(ReadFeatures(text).features)
        let line = [RouteFixture.start, RouteFixture.middle, RouteFixture.end].map { Position($0) }
        #expect(geometry.shapes.contains(.line(line)) && geometry.shapes.count == 3)
        #expect(text.contains("A &amp; &lt;B&gt;"))
        #expect((try? geometry.widened(to: 2000)) != nil)
    }

    @Test func `a route as GeoJSON has a line and its steps`() throws {
        let json = try answer().geoJSON
        let kinds = json["features"]?.array?.compactMap { $0["geometry"]?["type"]?.string }
        #expect(kinds == ["LineString", "Point", "Point", "Point"])
        #expect((try? RegionGeometry(geoJSON: json)) != nil)
    }

    @Test func `a route across 180° has its true width`() {
        let line = [Coordinate(latitude: -17, longitude: 179), Coordinate(latitude: -16, longitude: -179)]
        let bounds = Route(line: line, legs: [], distance: 1, duration: 1).bounds
        #expect(bounds?.west == 179 && bounds?.east == -179)
    }

    // MARK: Tiles

    @Test func `the tiles of a route contain its line, and nothing elsewhere`() throws {
        let tiles = RouteTiles([RouteFixture.start, RouteFixture.middle, RouteFixture.end])
        let inside = TileID(zoom: 12, containing: Mercator.world(RouteFixture.middle))
        let tile = try VectorTile(tiles.tile(inside))
        #expect(tile.layerNames == [RouteTiles.layerName])
        #expect(
            tiles.tile(TileID(zoom: 12, containing: Mercator.world(Coordinate(latitude: 10, longitude: 10))))
                .isEmpty)
        // A route that is a dot at low zooms is not drawn there.
        #expect(tiles.tile(.world).isEmpty)
    }

    @Test func `a route across 180° is on the tiles of both sides`() {
        let tiles = RouteTiles([
            Coordinate(latitude: -17, longitude: 179.9), Coordinate(latitude: -17, longitude: -179.9),
        ])
        for longitude in [179.95, -179.95] {
            #expect(
                !tiles.tile(
                    TileID(
                        zoom: 8, containing: Mercator.world(Coordinate(latitude: -17, longitude: longitude)))
                ).isEmpty)
        }
        #expect(
            tiles.tile(TileID(zoom: 8, containing: Mercator.world(Coordinate(latitude: -17, longitude: 0))))
                .isEmpty)
    }

    @Test func `a tile has those of a hundred thousand vertices that can be distinguished`() {
        let tiles = RouteTiles(LargeRoute.way(100_000))
        let near = tiles.tile(
            TileID(zoom: 14, containing: Mercator.world(Coordinate(latitude: 43.7, longitude: 7.4))))
        #expect(!near.isEmpty && near.count < 20_000 && tiles.tile(.world).count < 20_000)
    }

    @Test func `an engine's tiles of its roads are found by their template`() {
        let valhalla =
            "http://127.0.0.1:8002/tile?json=%7B%22tile%22%3A%7B%22z%22%3A{z}%2C%22x%22%3A{x}%2C%22y%22%3A{y}%7D%7D"
        #expect(
            RouteEngineKind.graphZooms(of: "http://127.0.0.1:5000/tile/v1/car/tile({x},{y},{z}).mvt")
                == 12...14)
        #expect(RouteEngineKind.graphZooms(of: valhalla) == 7...14)
        for other in [
            "https://a.example/{z}/{x}/{y}.mvt", "https://a.example/tile/{z}/{x}/{y}",
            "https://a.example/tile?z={z}&x={x}&y={y}",
        ] {
            #expect(RouteEngineKind.graphZooms(of: other) == nil)
        }
    }
}
