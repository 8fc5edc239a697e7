internal import Glibc
public import RhumbCells
internal import RhumbGeo

extension Daylight {
    /// Returns the lights of those places that are large enough to be seen from afar by night.
    public static func lights(of places: [NamedPlace]) -> [Light] { places.compactMap(Light.init) }
}

extension Daylight.Light {
    /// The light of a city; nil if it is too small to be seen.
    public init?(_ city: NamedPlace) {
        let size = log10(Double(max(city.population, 1)))
        guard city.kind.isSettlement, size > Self.least else { return nil }
        self.init(point: Mercator.world(city.coordinate), strength: min((size - Self.least) / 2, 1))
    }

    /// The power of ten of people from which a city is seen.
    private static var least: Double { 5 }
}
