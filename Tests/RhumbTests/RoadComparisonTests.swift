import Glibc
import Rhumb
import RhumbStore
import RhumbTestSupport
import Testing

private let missing: Comment =
    "no routing engines or tiles of Monaco here; see .ci/routing-engines and RHUMB_DATA"

/// Compares routes on tiles with those of OSRM and Valhalla on the same extract of Monaco.
@Suite(.serialized)
struct RoadComparisonTests {
    private static let archive: String? = TestData.folder.map { $0 + "/monaco-omt.mbtiles" }.flatMap {
        access($0, R_OK) == 0 ? $0 : nil
    }

    /// The shares that must be reached against an engine. `similar` is that of routes whose length is within
    /// 5 %. It can hardly be larger than that of the two engines against each other, which is printed. These
    /// are the shares of these pairs; those of more pairs are in Architecture.md.
    struct Goal: Sendable, CustomTestStringConvertible {
        let mode: RouteMode
        let isValhalla: Bool
        let found: Double
        let similar: Double

        var testDescription: String { "\(mode) \(isValhalla ? "Valhalla" : "OSRM")" }
    }

    static let goals = [
        Goal(mode: .foot, isValhalla: false, found: 0.97, similar: 0.92),
        Goal(mode: .bicycle, isValhalla: false, found: 0.97, similar: 0.70),
        Goal(mode: .car, isValhalla: false, found: 0.95, similar: 0.75),
        Goal(mode: .foot, isValhalla: true, found: 0.97, similar: 0.70),
        Goal(mode: .bicycle, isValhalla: true, found: 0.97, similar: 0.25),
        Goal(mode: .car, isValhalla: true, found: 0.95, similar: 0.60),
    ]

    private static func engine(_ mode: RouteMode, isValhalla: Bool) -> RoutingEngine? {
        if isValhalla { return RoutingEngines.flatValhalla }
        return switch mode {
        case .foot: RoutingEngines.osrmFoot
        case .bicycle: RoutingEngines.osrmBicycle
        default: RoutingEngines.osrm
        }
    }

    /// Finds routes on the tiles of Monaco, and with engines.
    private struct Finder {
        let tiles = ArchiveTiles()
        let finder: RouteFinder

        init(_ path: String) throws {
            tiles.add(try Archive.open(path), path: path)
            let client = HTTPClient(
                ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
            finder = RouteFinder(
                client, SourceCatalog(), roads: StoredRoads { [tiles] in [(tiles, nil)] },
                configuration: { LayerConfiguration() }, hasAgreed: { _ in false })
        }

        func route(_ request: RouteRequest, _ word: String) async -> Route? {
            try? await finder.routes(request, by: [word], now: UnixSeconds(0)).routes[0]
        }
    }

    private static func request(
        _ mode: RouteMode, _ random: inout SplitMix, _ latitudes: ClosedRange<Double> = 43.7265...43.7505,
        _ longitudes: ClosedRange<Double> = 7.411...7.4395
    ) -> RouteRequest {
        func place() -> Coordinate {
            Coordinate(
                latitude: Double.random(in: latitudes, using: &random),
                longitude: Double.random(in: longitudes, using: &random))
        }
        var request = RouteRequest(from: place(), to: place())
        request.mode = mode
        return request
    }

    /// Returns the length of an engine's route; nil if it is short, or far from the places.
    private static func length(_ route: Route?, _ request: RouteRequest) -> Double? {
        guard let route, route.distance > 150, route.line[0].metres(to: request.places[0]) < 100,
            route.line[route.line.count - 1].metres(to: request.places[1]) < 100
        else { return nil }
        return route.distance
    }

    /// True if both routes begin and end within 30 m of each other. The engines also begin in a tunnel under
    /// the place, which routes on tiles avoid.
    private static func haveSameEnds(_ a: Route, _ b: Route) -> Bool {
        a.line[0].metres(to: b.line[0]) < 30
            && a.line[a.line.count - 1].metres(to: b.line[b.line.count - 1]) < 30
    }

    private static func isSimilar(_ a: Double, _ b: Double) -> Bool { abs(a / b - 1) <= 0.05 }

    @Test(
        .enabled(if: archive != nil && RoutingEngines.hasOSRM && RoutingEngines.hasValhalla, missing),
        arguments: goals)
    func `routes on tiles are as long as those of an engine`(goal: Goal) async throws {
        let finder = try Finder(try #require(Self.archive))
        let words = try [goal.isValhalla, !goal.isValhalla].map { isValhalla in
            let engine = try #require(Self.engine(goal.mode, isValhalla: isValhalla))
            return "\(goal.mode.rawValue)=\(engine.url)"
        }
        var random = SplitMix(seed: 65), asked = 0, found = 0, similar = 0, both = 0, agreed = 0
        var compared = 0, all = 0
        while asked < (Soak.isOn ? 200 : 60) {
            let request = Self.request(goal.mode, &random)
            let route = await finder.route(request, words[0])
            guard let route, let theirs = Self.length(route, request) else { continue }
            asked += 1
            if let other = Self.length(await finder.route(request, words[1]), request) {
                both += 1
                if Self.isSimilar(theirs, other) { agreed += 1 }
            }
            guard let ours = await finder.route(request, "tiles") else { continue }
            found += 1
            if Self.isSimilar(ours.distance, theirs) { all += 1 }
            guard Self.haveSameEnds(ours, route) else { continue }
            compared += 1
            if Self.isSimilar(ours.distance, theirs) { similar += 1 }
        }
        print(
            "\(goal.testDescription): found \(found) of \(asked), within 5 % \(similar) of \(compared) with the same ends and \(all) of all; the engines agree on \(agreed) of \(both)"
        )
        #expect(
            Double(found) >= goal.found * Double(asked) && Double(similar) >= goal.similar * Double(compared)
                && compared * 3 >= asked * 2)
    }

    /// A town with the schema OpenMapTiles, and one with that of Protomaps before version 4.
    private static let towns = [
        "monaco-omt.mbtiles": (latitudes: 43.7265...43.7505, longitudes: 7.411...7.4395),
        "firenze-vector.pmtiles": (latitudes: 43.765...43.785, longitudes: 11.235...11.275),
    ]

    @Test(
        .enabled(if: archive != nil, missing), arguments: [RouteMode.foot, .bicycle, .car],
        ["monaco-omt.mbtiles", "firenze-vector.pmtiles"])
    func `no route leads through a wall, against a one-way street or off a bridge, and its steps are sound`(
        mode: RouteMode, name: String
    ) async throws {
        let finder = try Finder(try #require(TestData.folder) + "/" + name), tiles = finder.tiles
        let town = try #require(Self.towns[name]), key = try #require(tiles.sources().first?.key)
        let check = RouteCheck(tiles.tiles(of: key).map(\.tile)) { tiles.body($0, of: key) }
        var random = SplitMix(seed: 650), found = 0, stepCount = 0, wrong = 0
        while found < (Soak.isOn ? 2000 : 100) {
            let request = Self.request(mode, &random, town.latitudes, town.longitudes)
            guard let route = await finder.route(request, "tiles") else { continue }
            found += 1
            let steps = RouteStepCheck(route), faults = check.faults(route.line, mode) + steps.faults
            stepCount += route.steps.count
            wrong += steps.wrongWords.count
            #expect(faults.isEmpty, "\(request.places): \(faults.prefix(3))")
        }
        print("\(name) \(mode): \(wrong) words of \(stepCount) steps differ from the bearings")
        // One word may mean several turns within 10 m, or the first of them.
        #expect(wrong * 50 <= stepCount)
    }
}
