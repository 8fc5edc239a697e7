@testable import RhumbServices
import RhumbCore
import RhumbTestSupport
import Testing

/// Checks routes through generated towns, whose streets are known.
struct RoadTownTests {
    /// A town with bent streets in rows and columns, of which some are one-way, unnamed, cut or for
    /// pedestrians.
    private struct Town {
        private(set) var lines: [RoadFixture.Line] = []
        /// The one-way streets, from corner to corner.
        private var oneWay: [(from: SIMD2<Double>, to: SIMD2<Double>)] = []
        private static let side = 9, block = 420

        init(_ random: inout SplitMix) {
            let corners = (0..<Self.side).map { row in
                (0..<Self.side).map { column in
                    (
                        360 + column * Self.block + Int.random(in: -110...110, using: &random),
                        360 + row * Self.block + Int.random(in: -110...110, using: &random)
                    )
                }
            }
            for number in 0..<Self.side {
                add(corners[number], "Row \(number)", &random)
                add(corners.map { $0[number] }, "Column \(number)", &random)
            }
        }

        private mutating func add(_ corners: [(Int, Int)], _ name: String, _ random: inout SplitMix) {
            let kind = ["minor", "minor", "tertiary", "service", "path"].randomElement(using: &random) ?? ""
            let isOneWay = kind != "path" && Int.random(in: 0..<3, using: &random) == 0
            var attributes: [(String, VectorValue)] = [("class", .string(kind))]
            if isOneWay { attributes.append(("oneway", .number(1))) }
            if Int.random(in: 0..<4, using: &random) > 0 { attributes.append(("name", .string(name))) }
            let gap = Int.random(in: 0..<3 * corners.count, using: &random)
            for part in [corners.prefix(gap + 1), corners.dropFirst(gap + 1)] where part.count > 1 {
                let points = Bool.random(using: &random) ? Array(part) : part.reversed()
                lines.append((points, attributes))
                for (from, to) in zip(points, points.dropFirst()) where isOneWay {
                    oneWay.append(
                        (SIMD2(Double(from.0), Double(from.1)), SIMD2(Double(to.0), Double(to.1))))
                }
            }
        }

        /// Returns true if a line leads against a one-way street.
        func isAgainst(_ line: [Coordinate]) -> Bool {
            let points = line.map { place -> SIMD2<Double> in
                let world = Mercator.world(place), side = 4096.0 * 16384
                return SIMD2(world.x * side, world.y * side)
                    - SIMD2(Double(RoadFixture.tile.x), Double(RoadFixture.tile.y)) * 4096
            }
            return zip(points, points.dropFirst()).contains { from, to in
                let middle = (from + to) / 2
                return oneWay.contains { street in
                    ((to - from) * (street.to - street.from)).sum() < 0
                        && PlaneGeometry.nearest(middle, street.from, street.to).distance < 2
                        && PlaneGeometry.nearest(from, street.from, street.to).distance < 2
                }
            }
        }
    }

    @Test(arguments: [RouteMode.car, .bicycle, .foot], 1...4)
    func `a route through any town has sound steps, and keeps to one-way streets`(
        mode: RouteMode, seed: UInt64
    ) throws {
        var random = SplitMix(seed: seed), found = 0
        let town = Town(&random), fixture = RoadFixture(town.lines)
        for _ in 0..<15 {
            func place() -> (Int, Int) {
                (Int.random(in: 300...3800, using: &random), Int.random(in: 300...3800, using: &random))
            }
            let ends = [place(), place()]
            let answer = try? fixture.route(mode, ends[0], ends[1]) { request in
                request.places.insert(RoadFixture.place(2000, 2000), at: 1)
            }
            guard let route = answer else { continue }
            found += 1
            let check = RouteStepCheck(route)
            #expect(check.faults.isEmpty && check.wrongWords.isEmpty)
            #expect(mode != .car || !town.isAgainst(route.line))
        }
        #expect(found > 5)
    }
}
