internal import Glibc
public import RhumbCells
internal import RhumbGeo

extension Daylight {
    /// Returns lights for the places that are large enough to be visible at night.
    public static func lights(of places: [NamedPlace]) -> [Light] { places.compactMap(Light.init) }
}

extension Daylight.Light {
    /// Creates the light of a city; nil if it has at most 100,000 people.
    public init?(_ city: NamedPlace) {
        let size = log10(Double(max(city.population, 1)))
        guard city.kind.isSettlement, size > Self.least else { return nil }
        self.init(point: Mercator.world(city.coordinate), strength: min((size - Self.least) / 2, 1))
    }

    /// Decimal logarithm of the population above which a city is visible.
    private static var least: Double { 5 }
}
