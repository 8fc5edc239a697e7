@testable import RhumbServices
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests roads of damaged and extreme tiles.
struct HostileRoadTests {
    private static let street: [(String, VectorValue)] = [("class", .string("minor"))]

    @Test func `a road with a million corners is cut short`() throws {
        let points = (0..<1_000_000).map { (($0 * 7) % 4096, ($0 * 13) % 4096) }
        let roads = RoadFixture.roads([(points, Self.street)])
        #expect(roads.roads.reduce(0) { $0 + $1.corners.count } < 2 * TileRoads.cornerLimit)
    }

    @Test func `loops without length and far coordinates are no roads`() throws {
        let fixture = RoadFixture([
            ([(5, 5), (5, 5), (5, 5)], Self.street), ([(9_000_000, 5), (9_000_000, 50)], Self.street),
            ([(100, 100), (200, 100), (100, 100)], Self.street),
            ([(-20_000, 2000), (20_000, 2000)], Self.street),
        ])
        #expect(try fixture.route(.car, (1000, 2000), (3000, 2000)).distance < 900)
    }

    @Test func `packed roads are refused if they are damaged`() throws {
        let roads = RoadFixture.roads([
            ([(100, 100), (900, 180), (1200, 900)], Self.street + [("name", .string("A"))]),
            ([(900, 180), (900, 900)], Self.street),
        ])
        let bytes = roads.packed(isMain: false)
        var random = SplitMix(seed: 7)
        for _ in 0..<3000 {
            var damaged = bytes
            damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            if Bool.random(using: &random) {
                damaged.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            var found = TileRoads()
            let isRead = found.add(packed: damaged)
            #expect(isRead || found.isEmpty)
            guard isRead, !found.isEmpty else { continue }
            let copy = found
            let router = RoadRouter(zoom: 14) { tile, _ in tile == RoadFixture.tile ? copy : nil }
            _ = try? router.routes(
                RouteRequest(from: RoadFixture.place(100, 100), to: RoadFixture.place(900, 900)))
        }
    }

    @Test func `damaged tiles have few roads, and don't crash`() {
        let bytes = RoadFixture.bytes([([(100, 100), (900, 180), (1200, 900)], Self.street)])
        var random = SplitMix(seed: 8)
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if let tile = try? VectorTile(damaged) { #expect(TileRoads(tile).roads.count < 10) }
        }
    }
}
