import Glibc
import Rhumb
import RhumbStore
import RhumbTestSupport
import Testing

private let missing: Comment = "no tiles of Florence and Monaco here; see RHUMB_TEST_DATA"

/// Compares the words of routes with the bearings of their lines.
struct RouteGeometryTests {
    private static func archive(_ name: String) -> String? {
        TestData.folder.map { $0 + "/" + name }.flatMap { access($0, R_OK) == 0 ? $0 : nil }
    }

    struct Town: Sendable, CustomTestStringConvertible {
        let file: String
        let latitudes: ClosedRange<Double>
        let longitudes: ClosedRange<Double>

        var testDescription: String { file }
    }

    static let towns = [
        Town(file: "firenze-vector.pmtiles", latitudes: 43.755...43.790, longitudes: 11.225...11.290),
        Town(file: "monaco-omt.mbtiles", latitudes: 43.7265...43.7505, longitudes: 7.411...7.4395),
    ]

    /// The angles in degrees that a direction may mean, positive to the right. They overlap, because the
    /// angle of a curve depends on the distance over which it is measured.
    private static func angles(_ direction: Manoeuvre.Direction) -> ClosedRange<Double> {
        switch direction {
        case .straight: -50...50
        case .slightRight: 5...75
        case .right: 30...140
        case .sharpRight: 95...190
        case .uTurn: 150...210
        case .slightLeft: -75 ... -5
        case .left: -140 ... -30
        case .sharpLeft: -190 ... -95
        }
    }

    /// Returns the angles of a route at a corner, over several distances before and after.
    private static func turns(_ line: [Coordinate], at corner: Int) -> [Double] {
        func point(_ metres: Double, from corners: [Coordinate]) -> Coordinate? {
            var rest = metres
            for (from, to) in zip(corners, corners.dropFirst()) {
                let length = from.metres(to: to)
                if length >= rest, length > 0 {
                    let share = rest / length
                    return Coordinate(
                        latitude: from.latitude + (to.latitude - from.latitude) * share,
                        longitude: from.longitude + (to.longitude - from.longitude) * share)
                }
                rest -= length
            }
            return corners.last
        }
        let before = Array(line[...corner].reversed()), after = Array(line[corner...])
        var found: [Double] = []
        for back in [6.0, 12, 20] {
            // A turn of two corners is announced at the first.
            for (gap, ahead) in [(0.0, 6.0), (0, 12), (0, 20), (6, 16), (10, 25)] {
                guard let from = point(back, from: before), let start = point(gap, from: after),
                    let end = point(ahead, from: after), from != line[corner], start != end
                else { continue }
                found.append(
                    (start.bearing(to: end) - from.bearing(to: line[corner])).remainder(dividingBy: 360))
            }
        }
        return found
    }

    private static func agrees(_ direction: Manoeuvre.Direction, _ turn: Double) -> Bool {
        [turn, turn + 360, turn - 360].contains(where: angles(direction).contains)
    }

    @Test(
        .enabled(if: towns.allSatisfy { archive($0.file) != nil }, missing), arguments: towns,
        [RouteMode.foot, .bicycle, .car])
    func `the words of turns agree with the bearings of the route`(town: Town, mode: RouteMode) throws {
        let path = try #require(Self.archive(town.file)), tiles = ArchiveTiles()
        tiles.add(try Archive.open(path), path: path)
        let roads = StoredRoads { [(tiles, nil)] }
        var random = SplitMix(seed: 17), routes = 0, turns = 0, wrong: [String] = []
        while routes < (Soak.isOn ? 100 : 12) {
            func place() -> Coordinate {
                Coordinate(
                    latitude: Double.random(in: town.latitudes, using: &random),
                    longitude: Double.random(in: town.longitudes, using: &random))
            }
            var request = RouteRequest(from: place(), to: place())
            request.mode = mode
            routes += 1
            guard let route = try? roads.routes(request).routes.first else { continue }
            for step in route.steps where [.turn, .endOfRoad, .newName].contains(step.manoeuvre.kind) {
                guard let direction = step.manoeuvre.direction, step.distance > 10 else { continue }
                turns += 1
                let angles = Self.turns(route.line, at: step.corner)
                guard !angles.isEmpty, !angles.contains(where: { Self.agrees(direction, $0) }) else {
                    continue
                }
                let place = route.line[step.corner]
                wrong.append(
                    "\(step.instruction()) at \(place.latitude),\(place.longitude): \(angles.map { Int($0) })"
                )
            }
        }
        print("\(town.file) \(mode): \(wrong.count) of \(turns) turns disagree")
        for sentence in wrong.prefix(8) { print("  \(sentence)") }
        #expect(turns > 60 && Double(wrong.count) <= 0.01 * Double(turns))
    }
}
