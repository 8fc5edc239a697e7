internal import Glibc
internal import RhumbGeo

/// Detects settlements that are part of a larger city, such as Brooklyn of New York City, from distance and
/// population alone.
public enum CityDistrict {
    /// Assumed population density of a large city, in people per square kilometre.
    private static let density = 5000.0
    /// Maximum population of a district, as a share of the city's.
    private static let largestShare = 0.35

    /// Returns, for each place, the radius in metres of the city that it is a district of; nil for other
    /// places.
    /// - Parameter places: Places by descending importance.
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

    /// Returns true if a settlement is a district of the city.
    public static func isSection(_ place: NamedPlace, of city: NamedPlace) -> Bool {
        let reach = reach(of: city), degree = 111_195.0
        guard city.kind == .city || city.kind == .capital, place.kind.isSettlement,
            Double(place.population) <= largestShare * Double(city.population),
            abs(place.coordinate.latitude - city.coordinate.latitude) * degree < reach
        else { return false }
        return place.coordinate.sphericalMetres(to: city.coordinate) < reach
    }

    /// Returns the radius of a city in metres, estimated from its population.
    public static func reach(of city: NamedPlace) -> Double {
        (Double(max(city.population, 0)) / density / .pi).squareRoot() * 1000
    }
}

extension [PlaceMatch] {
    /// The matches with each city before its districts, unless only the district was found by its usual name.
    public var citiesFirst: [PlaceMatch] {
        var ordered: [PlaceMatch] = []
        for match in self {
            let at = ordered.firstIndex { first in
                CityDistrict.isSection(first.place, of: match.place)
                    && (match.otherName == nil || first.otherName != nil)
            }
            ordered.insert(match, at: at ?? ordered.count)
        }
        return ordered
    }
}
