import Glibc
import RhumbCore
import Testing

struct PlaceBearingTests {
    private func place(_ north: Double, _ east: Double, people: Int = 100) -> NamedPlace {
        NamedPlace(
            number: 1, name: "Here", kind: .village, countryCode: "FI", country: "Finland", region: "",
            coordinate: Coordinate(latitude: north, longitude: east), population: people)
    }

    @Test(arguments: [
        (60.0, 22.0, 61.0, 22.0, 111_195.0, "N"), (0, 0, 0, 1, 111_195, "E"),
        (0, 179.5, 0, -179.5, 111_195, "E"),
        (10, 10, 9, 9, 156_000, "SW"), (48.8566, 2.3522, 51.5074, -0.1278, 343_556, "NW"),
        (0, 0, 0, 0, 0, "N"),
    ])
    func `distance and direction are those on a sphere`(
        fromNorth: Double, fromEast: Double, north: Double, east: Double, metres: Double, compass: String
    ) {
        let bearing = PlaceBearing(
            Coordinate(latitude: north, longitude: east), from: place(fromNorth, fromEast))
        #expect(abs(bearing.metres - metres) <= metres * 0.005)
        #expect(bearing.compass == compass)
    }

    @Test func `there are eight directions all around`() {
        let around = (0..<16).map { step -> String in
            let turn = Double(step) * .pi / 8
            let point = Coordinate(latitude: cos(turn) * 0.1, longitude: sin(turn) * 0.1)
            return PlaceBearing(point, from: place(0, 0)).compass
        }
        #expect(Set(around).count == 8 && around[2] == "NE" && around[8] == "S" && around[12] == "W")
    }

    @Test func `the larger a place is, the farther out it still contains a point`() {
        let point = Coordinate(latitude: 0, longitude: 0.04)
        #expect(!PlaceBearing(point, from: place(0, 0)).isWithin)
        #expect(PlaceBearing(point, from: place(0, 0, people: 1_000_000)).isWithin)
    }

    @Test func `importance is the logarithm of the population, with a small bonus for the kind`() {
        #expect(NamedPlace.importance(.town, population: 9999) == 4)
        #expect(
            NamedPlace.importance(.capital, population: 9999) > NamedPlace.importance(.city, population: 9999)
        )
        #expect(NamedPlace.importance(.village, population: -5) == 0)
    }
}
