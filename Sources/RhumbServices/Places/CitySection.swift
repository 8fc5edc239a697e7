internal import Glibc
internal import RhumbGeo

/// Settlements that are sections of a larger one, told by distance and people alone: Brooklyn of New York
/// City.
public enum CitySection {
    /// People on a square kilometre of a large city.
    private static let density = 5000.0
    /// A section has at most this share of the city's people.
    private static let largestShare = 0.35

    /// For each place the reach in metres of the city that it is a section of; nil for those that are none.
    /// - Parameter places: the most important first.
    public static func reaches(of places: [NamedPlace]) -> [Double?] {
        var cities: [NamedPlace] = []
        return places.map { place in
            guard place.kind == .city || place.kind == .town || place.kind == .village else {
                if place.kind == .capital { cities.append(place) }
                return nil
            }
            if let city = cities.first(where: { isSection(place, of: $0) }) { return reach(of: city) }
            if place.kind == .city { cities.append(place) }
            return nil
        }
    }

    /// Returns true if a settlement is a section of another one.
    public static func isSection(_ place: NamedPlace, of city: NamedPlace) -> Bool {
        let reach = reach(of: city), degree = 111_195.0
        guard city.kind == .city || city.kind == .capital, place.kind.isSettlement,
            Double(place.population) <= largestShare * Double(city.population),
            abs(place.coordinate.latitude - city.coordinate.latitude) * degree < reach
        else { return false }
        return place.coordinate.metres(to: city.coordinate) < reach
    }

    /// From the middle of a city to where it ends, in metres, as far as the number of its people tells.
    public static func reach(of city: NamedPlace) -> Double {
        (Double(max(city.population, 0)) / density / .pi).squareRoot() * 1000
    }
}

extension [PlaceMatch] {
    /// The same, with each city before its sections, unless only the section was found by its usual name.
    public var citiesFirst: [PlaceMatch] {
        var ordered: [PlaceMatch] = []
        for match in self {
            let at = ordered.firstIndex { first in
                CitySection.isSection(first.place, of: match.place)
                    && (match.otherName == nil || first.otherName != nil)
            }
            ordered.insert(match, at: at ?? ordered.count)
        }
        return ordered
    }
}
