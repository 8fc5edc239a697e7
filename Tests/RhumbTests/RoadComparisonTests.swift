import Glibc
import Rhumb
import RhumbStore
import RhumbTestSupport
import Testing

private let missing: Comment =
    "no routing engines or tiles of Monaco here; see .ci/routing-engines and RHUMB_DATA"

/// Compares routes on tiles with those of OSRM on the same extract of Monaco.
@Suite(.serialized)
struct RoadComparisonTests {
    private static let archive: String? = TestData.folder.map { $0 + "/monaco-omt.mbtiles" }.flatMap {
        access($0, R_OK) == 0 ? $0 : nil
    }

    /// The shares that must be reached against OSRM. Those of 200 pairs are in the table of Architecture.md.
    struct Goal: Sendable {
        let mode: RouteMode
        let found: Double
        let similar: Double
    }

    static let goals = [
        Goal(mode: .foot, found: 0.97, similar: 0.85), Goal(mode: .bicycle, found: 0.97, similar: 0.55),
        Goal(mode: .car, found: 0.95, similar: 0.68),
    ]

    private static func engine(_ mode: RouteMode) -> RoutingEngine? {
        switch mode {
        case .foot: RoutingEngines.osrmFoot
        case .bicycle: RoutingEngines.osrmBicycle
        default: RoutingEngines.osrm
        }
    }

    @Test(.enabled(if: archive != nil && RoutingEngines.hasOSRM, missing), arguments: goals)
    func `routes on tiles are as long as those of OSRM`(goal: Goal) async throws {
        let engine = try #require(Self.engine(goal.mode)), word = "\(goal.mode.rawValue)=\(engine.url)"
        let client = HTTPClient(
            ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)")))
        let path: String = try #require(Self.archive), tiles = ArchiveTiles()
        tiles.add(try Archive.open(path), path: path)
        let finder = RouteFinder(
            client, SourceCatalog(), roads: StoredRoads { [(tiles, nil)] },
            configuration: { LayerConfiguration() },
            hasAgreed: { _ in false })
        var random = SplitMix(seed: 65), asked = 0, found = 0, similar = 0
        while asked < (Soak.isOn ? 200 : 40) {
            func place() -> Coordinate {
                Coordinate(
                    latitude: Double.random(in: 43.7265...43.7505, using: &random),
                    longitude: Double.random(in: 7.411...7.4395, using: &random))
            }
            var request = RouteRequest(from: place(), to: place())
            request.mode = goal.mode
            guard
                let theirs = try? await finder.routes(request, by: [word], now: UnixSeconds(0)).routes[
                    0],
                theirs.distance > 150, theirs.line[0].metres(to: request.places[0]) < 100,
                theirs.line[theirs.line.count - 1].metres(to: request.places[1]) < 100
            else { continue }
            asked += 1
            guard let ours = try? await finder.routes(request, by: ["tiles"], now: UnixSeconds(0)).routes[0]
            else { continue }
            found += 1
            if abs(ours.distance / theirs.distance - 1) <= 0.05 { similar += 1 }
        }
        print(
            "\(goal.mode): found \(found), within 5 % \(similar) of \(asked)"
        )
        #expect(
            Double(found) >= goal.found * Double(asked) && Double(similar) >= goal.similar * Double(asked))
    }
}
