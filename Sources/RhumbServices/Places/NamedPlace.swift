internal import Glibc
internal import RhumbBase
public import RhumbGeo

/// A named place on the earth: a settlement, a region, a country or a natural feature.
public struct NamedPlace: Hashable, Sendable {
    /// The kind of a place: the feature classes of GeoNames, with settlements by population.
    public enum Kind: String, Sendable, CaseIterable {
        case country
        /// A first-level region, at the centre of its population.
        case region
        /// The capital of a country.
        case capital
        /// From 100,000 people.
        case city
        /// From 5,000 people.
        case town
        case village
        /// An ocean, a sea or a lake, at its centre.
        case water
        /// Mountains, a desert or a plain, at its centre.
        case landscape
        /// A mountain or a volcano.
        case peak
        /// A river; its coordinate is near the middle.
        case river
        /// An island or a group of islands; its coordinate is the middle.
        case island
    }

    /// Which place of its gazetteer it is, from 1; the same as long as the gazetteer is.
    public let number: Int
    /// The usual name, as GeoNames has it: often the English one where there is one.
    public let name: String
    /// The name in the local language; nil if unknown or equal to the usual name.
    public let localName: String?
    /// The name in English; nil if unknown or equal to the usual name.
    public let englishName: String?
    /// The kind of place.
    public let kind: Kind
    /// ISO 3166-1 alpha-2, as "FI"; empty where unknown.
    public let countryCode: String
    /// The country's English name; empty where unknown.
    public let country: String
    /// The first-level region's name; empty for countries and where unknown.
    public let region: String
    /// The position.
    public let coordinate: Coordinate
    /// People; 0 where unknown or none live. Of a region those of its places, some perhaps counted twice.
    public let population: Int

    /// The importance on a map, from 0 to 9: the decimal logarithm of the population, a little more for
    /// countries and capitals, less for regions. For waters and landscapes it depends on the size. Tokyo has
    /// 7.8, an ocean 9.
    public let importance: Double

    /// A place of the gazetteer.
    /// - Parameter importance: nil: by its kind and people.
    public init(
        number: Int, name: String, localName: String? = nil, englishName: String? = nil, kind: Kind,
        countryCode: String,
        country: String, region: String, coordinate: Coordinate, population: Int, importance: Double? = nil
    ) {
        self.number = number
        self.name = name
        self.localName = localName
        self.englishName = englishName
        self.kind = kind
        self.countryCode = countryCode
        self.country = country
        self.region = region
        self.coordinate = coordinate
        self.population = population
        self.importance = importance ?? NamedPlace.importance(kind, population: population)
    }

    /// The place with its names in ASCII; those in other scripts than the Latin are left out.
    public var inASCII: NamedPlace {
        NamedPlace(
            number: number, name: Transliteration.ascii(name),
            localName: localName.flatMap { NamedPlace.isLatin($0) ? Transliteration.ascii($0) : nil },
            englishName: englishName.map(Transliteration.ascii), kind: kind, countryCode: countryCode,
            country: Transliteration.ascii(country), region: Transliteration.ascii(region),
            coordinate: coordinate,
            population: population, importance: importance)
    }

    /// Returns the importance of a place by its kind and population.
    public static func importance(_ kind: Kind, population: Int) -> Double {
        let size = log10(Double(max(population, 0)) + 1)
        switch kind {
        case .country: return size + 1
        case .region: return size - 1.5
        case .capital: return size + 0.7
        case .city, .town, .village, .water, .landscape, .peak, .river, .island: return size
        }
    }

    /// The region and country, without the name: "Varsinais-Suomi, Finland".
    public var whereabouts: String {
        let parts = kind == .region ? [country] : [region, country]
        return parts.filter { !$0.isEmpty && $0 != name }.joined(separator: ", ")
    }
}

extension NamedPlace.Kind {
    /// True for a village, a town or a city.
    public var isSettlement: Bool {
        switch self {
        case .capital, .city, .town, .village: true
        case .country, .region, .water, .landscape, .peak, .river, .island: false
        }
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
