internal import Glibc

/// A named place on the earth: a settlement, a region or a country.
public struct NamedPlace: Hashable, Sendable {
    /// What a place is. GeoNames' feature classes, but for the sizes of settlements, which go by
    /// population.
    public enum Kind: String, Sendable, CaseIterable {
        case country
        /// A first-level region; it stands in the middle of its people.
        case region
        /// The capital of a country.
        case capital
        /// From 100,000 people.
        case city
        /// From 5,000 people.
        case town
        case village
    }

    /// Which place of its gazetteer it is, from 1; the same as long as the gazetteer is.
    public let number: Int
    /// The usual name, as GeoNames has it: often the English one where there is one.
    public let name: String
    /// What kind of place it is.
    public let kind: Kind
    /// ISO 3166-1 alpha-2, as "FI"; empty where unknown.
    public let countryCode: String
    /// The country's English name; empty where unknown.
    public let country: String
    /// The first-level region's name; empty for countries and where unknown.
    public let region: String
    /// Where it is.
    public let coordinate: Coordinate
    /// People; 0 where unknown. Of a region those of its places, some perhaps counted twice.
    public let population: Int

    /// A place of the gazetteer.
    public init(
        number: Int, name: String, kind: Kind, countryCode: String, country: String, region: String,
        coordinate: Coordinate, population: Int
    ) {
        self.number = number
        self.name = name
        self.kind = kind
        self.countryCode = countryCode
        self.country = country
        self.region = region
        self.coordinate = coordinate
        self.population = population
    }

    /// The place with its names in ASCII.
    public var inASCII: NamedPlace {
        NamedPlace(
            number: number, name: Transliteration.ascii(name), kind: kind, countryCode: countryCode,
            country: Transliteration.ascii(country), region: Transliteration.ascii(region), coordinate: coordinate,
            population: population)
    }

    /// How much the place matters on a map: powers of ten of its people, a little more for
    /// countries and capitals, less for regions. 0 for nothing, 7.8 for Tokyo.
    public var importance: Double { NamedPlace.importance(kind, population: population) }

    /// The importance of a place of that kind with so many people.
    public static func importance(_ kind: Kind, population: Int) -> Double {
        let size = log10(Double(max(population, 0)) + 1)
        switch kind {
        case .country: return size + 1
        case .region: return size - 1.5
        case .capital: return size + 0.7
        case .city, .town, .village: return size
        }
    }

    /// Where it is in words, without its name: "Varsinais-Suomi, Finland".
    public var whereabouts: String {
        let parts = kind == .region ? [country] : [region, country]
        return parts.filter { !$0.isEmpty && $0 != name }.joined(separator: ", ")
    }
}

/// A place that a search found.
public struct PlaceMatch: Hashable, Sendable {
    /// The place.
    public let place: NamedPlace
    /// The name that was found, where it is not the place's usual one: "Åbo" for Turku.
    public let otherName: String?

    /// A place, and the name it was found by where that is not its own.
    public init(place: NamedPlace, otherName: String?) {
        self.place = place
        self.otherName = otherName
    }
}
