import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

struct GazetteerNearbyTests {
    private func nearest(_ north: Double, _ east: Double, _ least: Double = 0) throws -> PlaceBearing? {
        try BuiltGazetteer.whole.get().nearest(
            to: Coordinate(latitude: north, longitude: east), minimumImportance: least)
    }

    private func places(_ bounds: Bounds, _ least: Double = 0, limit: Int = 50) throws -> [NamedPlace] {
        try BuiltGazetteer.whole.get().places(in: bounds, minimumImportance: least, limit: limit)
    }

    @Test(arguments: [
        (60.45, 22.27, 4.0, "Turku"), (60.48, 22.02, 4, "Naantali"), (48.2, 16.4, 5, "Vienna"),
        (-36.85, 174.76, 5, "Auckland"),
        (64.15, -21.94, 4, "Reykjavík"),
    ])
    func `the nearest place of sufficient importance is returned`(
        north: Double, east: Double, least: Double, name: String
    ) throws {
        #expect(try nearest(north, east, least)?.place.name == name)
    }

    @Test func `the nearest place is nearer than any other`() throws {
        var random = SplitMix(seed: 7)
        for _ in 0..<20 {
            let north = Double.random(in: -60...75, using: &random)
            let point = Coordinate(latitude: north, longitude: .random(in: -180...180, using: &random))
            let found = try nearest(point.latitude, point.longitude, 5)?.place.coordinate
            let metres = found.map { point.sphericalMetres(to: $0) } ?? 2_000_000
            for other in try places(.world, 5, limit: 10_000) where other.kind.isSettlement {
                #expect(point.sphericalMetres(to: other.coordinate) >= metres)
            }
        }
    }

    @Test func `places across the antimeridian are as near as those on this side`() throws {
        let found = try #require(try nearest(-16.8, -179.99))
        #expect(found.place.coordinate.longitude > 170 && found.metres < 200_000)
    }

    @Test func `the poles and the oceans have correct results`() throws {
        #expect(try nearest(90, 0, 6.5) == nil)
        #expect(try nearest(-90, 0, 0)?.metres ?? .infinity > 1_000_000)
        #expect(try nearest(-48.9, -123.4, 5) == nil)
    }

    @Test func `regions and countries are never the nearest place`() throws {
        #expect(try nearest(64.5, 26.3)?.place.kind != .country)
    }

    @Test(arguments: [(22.0, 60, 23, 61.0), (-180, -85, 180, 85), (-10, 35, 30, 60), (175, -25, -175, -10)])
    func `the places of a box are inside it, the most important first`(
        west: Double, south: Double, east: Double, north: Double
    ) throws {
        let bounds = try #require(Bounds(west: west, south: south, east: east, north: north))
        let found = try places(bounds)
        #expect(!found.isEmpty && found.count <= 50)
        #expect(found.allSatisfy { bounds.contains($0.coordinate) })
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.importance >= $1.importance })
    }

    @Test func `a smaller box still has the places of the larger one`() throws {
        let large = try places(try #require(Bounds(west: 0, south: 40, east: 20, north: 55)), limit: 60)
        let small = try #require(Bounds(west: 4, south: 44, east: 16, north: 51))
        let within = large.filter { small.contains($0.coordinate) }
        #expect(within.count > 10)
        #expect(try Array(places(small, limit: 60).prefix(within.count)) == within)
    }

    @Test func `a minimum importance leaves fewer places`() throws {
        let found = try places(.world, 6.5, limit: 10_000)
        #expect(found.count > 100 && found.allSatisfy { $0.importance >= 6.5 })
    }

    @Test func `every place of the gazetteer can be read`() throws {
        let all = try places(.world, limit: 1_000_000)
        #expect(all.count > 170_000)
        #expect(all.allSatisfy { !$0.name.isEmpty && $0.population >= 0 })
        #expect(Set(all.map(\.number)).count == all.count)
    }
}
