import Rhumb
import RhumbTestSupport
import Testing

private let missing: Comment = "no routing engines here; .ci/routing-engines .build/routing installs them"

/// Tests real routing engines for Monaco. `.ci/routing-engines .build/routing` installs them.
@Suite(.serialized)
struct RealRouteEngineTests {
    private static let rock = Coordinate(latitude: 43.7312, longitude: 7.4189),
        beach = Coordinate(latitude: 43.7450, longitude: 7.4300)
    private let request = RouteRequest(from: rock, to: beach)

    private func finder(isOffline: Bool = false) throws -> RouteFinder {
        let client = HTTPClient(
            ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
        client.isOffline = isOffline
        return RouteFinder(
            client, SourceCatalog(),
            configuration: {
                var configuration = LayerConfiguration()
                try? configuration.enable(exactly: Set(Feature.all))
                return configuration
            }, hasAgreed: { _ in false })
    }

    private func check(_ answer: RouteAnswer) {
        let route = answer.routes[0]
        #expect((1000...5000).contains(route.distance) && (60...900).contains(route.duration))
        #expect(
            route.line.first.map { $0.metres(to: Self.rock) < 50 } == true
                && route.line.last.map { $0.metres(to: Self.beach) < 100 } == true)
        #expect(route.steps.first?.manoeuvre.kind == .depart && route.steps.last?.manoeuvre.kind == .arrive)
        #expect(route.steps.map(\.corner) == route.steps.map(\.corner).sorted())
        let length = zip(route.line, route.line.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
        #expect(abs(length - route.distance) < route.distance / 50)
    }

    @Test(.enabled(if: RoutingEngines.hasOSRM, missing))
    func `OSRM finds a route for cars through Monaco, even offline`() async throws {
        let engine = try #require(RoutingEngines.osrm)
        check(try await finder().routes(request, by: [engine.url], now: UnixSeconds(0)))
        check(try await finder(isOffline: true).routes(request, by: [engine.url], now: UnixSeconds(0)))
    }

    @Test(.enabled(if: RoutingEngines.hasOSRM, missing))
    func `OSRM for Monaco has no roads in Helsinki, although it returns Ok`() async throws {
        let engine = try #require(RoutingEngines.osrm)
        let helsinki = RouteRequest(
            from: Coordinate(latitude: 60.17, longitude: 24.94),
            to: Coordinate(latitude: 60.18, longitude: 24.95))
        await #expect { try await finder().routes(helsinki, by: [engine.url], now: UnixSeconds(0)) } throws: {
            error in
            if case .noRoads? = error as? RouteFailure { true } else { false }
        }
    }

    @Test(.enabled(if: RoutingEngines.hasOSRM, missing))
    func `OSRM routes through a stop in two legs`() async throws {
        let engine = try #require(RoutingEngines.osrm)
        let by = RouteRequest(
            from: Self.rock, to: Self.beach, via: [Coordinate(latitude: 43.7400, longitude: 7.4250)])
        let route = try await finder().routes(by, by: [engine.url], now: UnixSeconds(0)).routes[0]
        #expect(
            route.legs.count == 2 && route.lines.filter { $0.words.hasPrefix("Arrive at stop 1") }.count == 1)
    }

    @Test(.enabled(if: RoutingEngines.hasOSRM, missing))
    func `a place at sea has no roads, and a mode that OSRM was not built for is rejected`() async throws {
        let engine = try #require(RoutingEngines.osrm), finder = try finder()
        let sea = RouteRequest(from: Self.rock, to: Coordinate(latitude: 43.68, longitude: 7.45))
        await #expect(throws: RouteFailure.self) {
            try await finder.routes(sea, by: [engine.url], now: UnixSeconds(0))
        }
        var walk = request
        walk.mode = .foot
        await #expect(throws: RouteFailure.self) {
            try await finder.routes(walk, by: [engine.url], now: UnixSeconds(0))
        }
    }

    @Test(.enabled(if: RoutingEngines.hasValhalla, missing), arguments: RouteMode.allCases)
    func `Valhalla finds a route for every mode`(mode: RouteMode) async throws {
        let engine = try #require(RoutingEngines.valhalla)
        var request = request
        request.mode = mode
        request.alternatives = 2
        // Few of Monaco's streets allow trucks.
        if mode == .truck {
            request.places = [(43.7290, 7.4130), (43.7400, 7.4260)].map {
                Coordinate(latitude: $0.0, longitude: $0.1)
            }
        }
        let answer = try await finder(isOffline: true).routes(request, by: [engine.url], now: UnixSeconds(0))
        let route = answer.routes[0]
        #expect(answer.provider.hasPrefix("Valhalla") && route.line.count > 20 && route.distance > 1000)
        #expect(route.lines.allSatisfy { !$0.words.isEmpty })
    }

    @Test(.enabled(if: RoutingEngines.hasValhalla, missing))
    func `a truck finds no route on streets that forbid trucks, and Helsinki has no roads`() async throws {
        let engine = try #require(RoutingEngines.valhalla), finder = try finder()
        var truck = request
        truck.mode = .truck
        truck.vehicle.height = 4.5
        await #expect(throws: RouteFailure.noRoute) {
            try await finder.routes(truck, by: [engine.url], now: UnixSeconds(0))
        }
        let helsinki = RouteRequest(
            from: Coordinate(latitude: 60.17, longitude: 24.94),
            to: Coordinate(latitude: 60.18, longitude: 24.95))
        await #expect(throws: RouteFailure.noRoads(place: nil, metres: nil)) {
            try await finder.routes(helsinki, by: [engine.url], now: UnixSeconds(0))
        }
    }

    @Test(.enabled(if: RoutingEngines.hasValhalla, missing))
    func `Valhalla returns the heights along a route, even along a very long one`()
        async throws
    {
        let engine = try #require(RoutingEngines.valhalla), finder = try finder(isOffline: true)
        let line = try await finder.routes(request, by: [engine.url], now: UnixSeconds(0)).routes[0].line
        let heights = try await finder.heights(along: line, by: [engine.url])
        #expect(heights.metres.count == line.count && !heights.credit.isEmpty)
        for (place, height) in zip(line, heights.metres) {
            #expect(abs((place.longitude - 7) * 7200 - Double(height)) < 5)
        }
        let long = (0..<100_000).map {
            Coordinate(latitude: 43.7 + 0.00001 * Double($0 % 100), longitude: 7.4 + 0.000001 * Double($0))
        }
        #expect(try await finder.heights(along: long, by: [engine.url]).metres.count == long.count)
    }

    @Test(.enabled(if: RoutingEngines.hasValhalla && RoutingEngines.hasOSRM, missing))
    func `the engines' tiles of their roads are drawn over a map`() async throws {
        let osrm = try #require(RoutingEngines.osrm).url + "/tile/v1/car/tile({x},{y},{z}).mvt"
        let valhalla =
            try #require(RoutingEngines.valhalla).url
            + "/tile?json=%7B%22tile%22%3A%7B%22z%22%3A{z}%2C%22x%22%3A{x}%2C%22y%22%3A{y}%7D%7D"
        let client = HTTPClient(
            ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
        for (template, name) in [(osrm, "speeds"), (valhalla, "edges")] {
            let source = try WebTileSource(SourceDefinition(address: template)),
                layer = source.layer(id: name)
            #expect(layer.info.isOverlay && layer.info.zooms.upperBound == 14)
            let tile = TileID(zoom: 14, containing: Mercator.world(Self.rock))
            let address = HTTPAddress(try #require(source.url(for: tile, of: layer)))
            let body = try await client.send(
                HTTPRequest(address, expecting: .vectorTile, priority: .visible(view: .max))
            ).body
            #expect(try VectorTile(body).layerNames.contains(name))
        }
    }

    @Test(.enabled(if: RoutingEngines.hasValhalla, missing))
    func `Valhalla returns the areas reachable on foot in several times`() async throws {
        let engine = try #require(RoutingEngines.valhalla)
        var walk = RouteRequest(from: Self.rock, to: Self.rock)
        walk.mode = .foot
        let reach = try await finder().reach([5, 10], from: Self.rock, walk, by: [engine.url])
        #expect(reach.areas.map(\.minutes) == [10, 5] && reach.areas.allSatisfy { !$0.shapes.isEmpty })
    }
}
