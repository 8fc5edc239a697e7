@testable import RhumbServices
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the requests to each routing engine, and the parsing of its responses.
struct RouteEngineTests {
    private typealias Fixture = RouteFixture

    // MARK: Requests

    @Test func `OSRM is queried with longitudes first, for steps with lines of six decimals`() throws {
        let address = try Fixture.engine(.osrm, "http://127.0.0.1:5000/").address(
            of: Fixture.request { $0.alternatives = 2 })
        #expect(
            address.url == "http://127.0.0.1:5000/route/v1/driving/7.4189,43.7312;7.425,43.735"
                + "?steps=true&geometries=polyline6&overview=false&generate_hints=false&alternatives=2")
    }

    @Test func `OSRM avoids what its data supports, and ignores vehicle sizes`() throws {
        let engine = Fixture.engine(.osrm)
        #expect(
            try engine.address(of: Fixture.request { $0.avoids = [.ferries, .tolls] }).url.hasSuffix(
                "&exclude=toll,ferry"))
        #expect(throws: RouteFailure.self) {
            try engine.address(of: Fixture.request { ($0.mode, $0.vehicle.height) = (.truck, 4) })
        }
    }

    @Test func `Valhalla is queried for OSRM's format, with the truck's sizes`() throws {
        let address = try Fixture.engine(.valhalla).address(
            of: Fixture.request { request in
                request.mode = .truck
                request.vehicle.height = 4.2
                request.vehicle.weight = 40
                request.vehicle.isHazardous = true
                request.avoids = [.motorways]
                request.departure = .at("2026-11-22T17:00")
            })
        let question = try JSON.parse(
            PercentCoding.decoded(String(address.url.split(separator: "=", maxSplits: 1)[1])))
        #expect(
            question["format"] == "osrm" && question["shape_format"] == "polyline6"
                && question["costing"] == "truck")
        #expect(
            question["locations"]?.array?.count == 2
                && question["locations"]?.array?[0]["lat"]?.double == 43.7312)
        let truck = question["costing_options"]?["truck"]
        #expect(
            truck?["height"]?.double == 4.2 && truck?["weight"]?.double == 40 && truck?["hazmat"] == true
                && truck?["use_highways"]?.int == 0)
        #expect(question["date_time"]?["value"] == "2026-11-22T17:00")
    }

    @Test
    func `TomTom is queried with latitudes first, kilograms, and a key for each avoidance`()
        throws
    {
        let address = try Fixture.engine(.tomtom, "https://api.tomtom.example/routing/1?key=SECRET-1")
            .address(
                of: Fixture.request { request in
                    request.mode = .truck
                    request.vehicle.weight = 40
                    request.vehicle.height = 4
                    request.avoids = [.tolls, .ferries]
                    request.departure = .now
                })
        #expect(
            address.url.hasPrefix(
                "https://api.tomtom.example/routing/1/calculateRoute/43.7312%2C7.4189%3A43.735%2C7.425/json?key=SECRET-1&"
            ))
        for part in [
            "travelMode=truck", "vehicleWeight=40000", "vehicleHeight=4", "avoid=tollRoads&avoid=ferries",
            "traffic=true",
        ] {
            #expect(address.url.contains(part), "\(part)")
        }
        #expect(!"\(address)".contains("SECRET") && !address.canonical.contains("SECRET"))
    }

    @Test func `HERE is queried with centimetres, and any departure unless one is given`() throws {
        let engine = Fixture.engine(.here, "https://router.here.example/v8?apiKey=SECRET-1")
        let address = try engine.address(of: Fixture.request { ($0.mode, $0.vehicle.height) = (.truck, 4.1) })
        #expect(
            address.url.hasPrefix(
                "https://router.here.example/v8/routes?apiKey=SECRET-1&origin=43.7312%2C7.4189&destination=43.735%2C7.425"
            ))
        #expect(address.url.contains("departureTime=any") && address.url.contains("vehicle%5Bheight%5D=410"))
        let now = try engine.address(of: Fixture.request { $0.departure = .now })
        #expect(!now.url.contains("departureTime"))
        #expect(throws: RouteFailure.self) {
            try engine.address(of: Fixture.request { $0.mode = .motorcycle })
        }
    }

    @Test(arguments: RouteEngineKind.allCases)
    func `a route to its own start is not requested`(kind: RouteEngineKind) {
        #expect(throws: RouteFailure.samePlace) {
            try Fixture.engine(kind).address(of: RouteRequest(from: Fixture.start, to: Fixture.start))
        }
    }

    // MARK: Responses

    private func routes(_ kind: RouteEngineKind, _ body: String) throws(RouteFailure) -> [Route] {
        try Fixture.engine(kind).routes(Array(body.utf8), to: Fixture.request())
    }

    @Test func `the line of OSRM's route is that of its steps, each of which has its vertex`() throws {
        let route = try routes(.osrm, Fixture.osrm())[0]
        #expect(route.line == [Fixture.start, Fixture.middle, Fixture.end])
        #expect(route.steps.map(\.corner) == [0, 1, 2] && route.distance == 700 && route.duration == 60)
        #expect(
            route.lines.map(\.words) == [
                "Head north-east on Rue Grimaldi", "Turn left onto Avenue Neuve", "Arrive, on the right",
            ])
    }

    @Test func `TomTom's route has the delay, and unknown manoeuvres in its own words`() throws {
        let route = try routes(.tomtom, Fixture.tomtom)[0]
        #expect(route.delay == 62 && route.line.count == 3 && route.legs.count == 1)
        #expect(
            route.lines.map(\.words) == [
                "Set out on Rue Grimaldi", "Turn left onto Avenue Neuve (D6007)", "Beam up, [31mScotty",
                "Arrive, on the right",
            ])
        #expect(route.steps.map(\.distance) == [350, 250, 102, 0])
    }

    @Test func `HERE's sections become one line, and its sentences are sanitised`() throws {
        let route = try routes(.here, Fixture.here())[0]
        #expect(route.line == [Fixture.start, Fixture.middle, Fixture.end] && route.distance == 702)
        #expect(route.delay == 61 && route.remarks == ["Violated toll"])
        #expect(
            route.lines.map(\.words) == [
                "Head north-east on Rue Grimaldi", "Bear left", "Set out", "Arrive at [2Jyour destination",
            ])
        #expect(route.steps.map(\.corner) == [0, 1, 1, 2])
    }

    @Test func `escapes in names never reach a terminal`() throws {
        let words = try routes(.osrm, Fixture.osrm(name: "Rue\u{1B}[2J\u{202E}X"))[0].lines[0].words
        #expect(words == "Head north-east on Rue[2JX")
    }

    // MARK: Invalid responses

    @Test(arguments: RouteEngineKind.allCases)
    func `a response truncated anywhere is rejected, and never crashes`(kind: RouteEngineKind) {
        let bodies: [RouteEngineKind: String] = [
            .osrm: Fixture.osrm(), .valhalla: Fixture.osrm(), .tomtom: Fixture.tomtom, .here: Fixture.here(),
        ]
        let body = Array(bodies[kind, default: ""].utf8)
        for count in stride(from: 0, to: body.count - 1, by: 7) {
            #expect(throws: RouteFailure.self) {
                try Fixture.engine(kind).routes(Array(body.prefix(count)), to: Fixture.request())
            }
        }
    }

    @Test(
        arguments: [
            (
                RouteEngineKind.osrm, #"{"code":"NoRoute","message":"Impossible route between points"}"#,
                RouteFailure.noRoute
            ),
            (.osrm, #"{"code":"NoSegment","message":"x"}"#, .noRoads(place: nil, metres: nil)),
            (
                .valhalla, #"{"error_code":171,"error":"No suitable edges near location","status_code":400}"#,
                .noRoads(place: nil, metres: nil)
            ),
            (.valhalla, #"{"error_code":442,"error":"No path could be found for input"}"#, .noRoute),
            (.tomtom, #"{"detailedError":{"code":"NO_ROUTE_FOUND","message":"x"}}"#, .noRoute),
            (
                .tomtom, #"{"detailedError":{"code":"MAP_MATCHING_FAILURE","message":"x"}}"#,
                .noRoads(place: nil, metres: nil)
            ),
            (
                .here,
                #"{"routes":[],"notices":[{"title":"x","code":"noRouteFound","severity":"critical"}]}"#,
                .noRoute
            ),
            (
                .here, #"{"routes":[],"notices":[{"code":"couldNotMatchOrigin"}]}"#,
                .noRoads(place: 0, metres: nil)
            ),
            (.here, #"{"title":"Forbidden","status":403,"code":"E1"}"#, .notEntitled(provider: "Example")),
        ] as [(RouteEngineKind, String, RouteFailure)])
    func `an engine's reason why there is no route is recognised`(
        kind: RouteEngineKind, body: String, failure: RouteFailure
    ) {
        #expect(throws: failure) { try self.routes(kind, body) }
    }

    @Test(arguments: [
        "<html>Please log in</html>", "[]", "{}", #"{"code":"Ok","routes":[]}"#,
        #"{"code":"Ok","routes":[{"legs":[]}]}"#,
        #"{"code":"Ok","routes":[{"distance":-5,"duration":1,"geometry":"_p~iF~ps|U","legs":[]}]}"#, "null",
        "",
        Fixture.osrm().replacing("\"duration\":60", with: "\"duration\":9.3e18"),
        Fixture.osrm().replacing("\"distance\":350", with: "\"distance\":1e308"),
    ])
    func `a response that is not a route is rejected`(body: String) {
        #expect { try self.routes(.osrm, body) } throws: { error in
            if case .nonsense? = error as? RouteFailure { true } else { false }
        }
    }

    @Test func `a route of one point has its start and destination at the same place of a road`() {
        let point = #"{"latitude":43.733,"longitude":7.4219}"#
        let summary = #"{"lengthInMeters":0,"travelTimeInSeconds":0}"#
        let leg = #"{"summary":\#(summary),"points":[\#(point)]}"#
        let body = #"{"routes":[{"summary":\#(summary),"legs":[\#(leg)]}]}"#
        #expect(throws: RouteFailure.samePlace) { try self.routes(.tomtom, body) }
    }

    @Test func `a server whose route begins thousands of kilometres away has no roads here`() throws {
        let far = Coordinate(latitude: 60.17, longitude: 24.94)
        #expect { try self.routes(.osrm, Fixture.osrm(ends: (far, Fixture.end))) } throws: { error in
            guard case .noRoads(place: 0, metres: let metres?)? = error as? RouteFailure else { return false }
            return metres > 2_000_000
        }
    }

    @Test func `a line in the wrong precision is rejected`() {
        let body = Fixture.osrm().split(separator: "polyline").joined()
        let five = Polyline.text([Fixture.start, Fixture.end], precision: 5)
        let wrong =
            #"{"code":"Ok","routes":[{"distance":700,"duration":60,"legs":[],"geometry":"\#(five)"}]}"#
        #expect(!body.isEmpty)
        #expect(throws: RouteFailure.self) { try self.routes(.osrm, wrong) }
    }

    @Test func `forty thousand vertices and five hundred steps are preserved`() throws {
        let body = LargeRoute.osrm(corners: 40_000, steps: 500)
        let route = try Fixture.engine(.osrm).routes(body, to: LargeRoute.request)[0]
        #expect(route.line.count == 40_000 && route.steps.count == 500)
        #expect(route.steps.last?.corner == 39_999)
    }

    // MARK: Isochrones

    @Test func `Valhalla's isochrones become areas, the farthest first`() throws {
        let ring = "[[7.41,43.73],[7.42,43.73],[7.42,43.74],[7.41,43.73]]"
        let body =
            #"{"type":"FeatureCollection","features":["#
            + [5, 10].map {
                #"{"type":"Feature","properties":{"contour":\#($0)},"geometry":{"type":"Polygon","coordinates":[\#(ring)]}}"#
            }.joined(separator: ",")
            + "]}"
        let reach = try Fixture.engine(.valhalla).reach([Array(body.utf8)], minutes: [5, 10])
        #expect(reach.areas.map(\.minutes) == [10, 5])
        #expect(reach.geoJSON["features"]?.array?.first?["properties"]?["minutes"]?.double == 10)
    }

    @Test func `TomTom is queried for each time separately, and OSRM not at all`() throws {
        let request = RouteRequest(from: Fixture.start, to: Fixture.start)
        let addresses = try Fixture.engine(.tomtom).addresses(ofReach: [5, 10], from: Fixture.start, request)
        #expect(addresses.map { $0.url.contains("timeBudgetInSec=300") } == [true, false])
        #expect(throws: RouteFailure.self) {
            try Fixture.engine(.osrm).addresses(ofReach: [5], from: Fixture.start, request)
        }
    }
}
