internal import Glibc
internal import RhumbBase
public import RhumbGeo
public import RhumbVector

/// A named place on the earth: a settlement, a region, a country, a natural feature or a site.
public struct NamedPlace: Hashable, Sendable {
    /// The kind of a place. Follows the feature classes of GeoNames, except that settlements are classified
    /// by population.
    public enum Kind: String, Sendable, CaseIterable {
        case country
        /// A first-level region. Its coordinate is its centre of population.
        case region
        /// The capital of a country.
        case capital
        /// A settlement of 100,000 people or more.
        case city
        /// A settlement of 5,000 people or more.
        case town
        case village
        /// An ocean, a sea or a lake. Its coordinate is its centre.
        case water
        /// Mountains, a desert or a plain. Its coordinate is its centre.
        case landscape
        /// A mountain or a volcano.
        case peak
        /// A river. Its coordinate is near its middle.
        case river
        /// An island or a group of islands. Its coordinate is the centre.
        case island
        /// A building, monument or site that travellers know.
        case sight
        case airport
        /// A seaport.
        case port
    }

    /// The number of the place in its gazetteer, from 1. Stable for one edition of the gazetteer.
    public let number: Int
    /// The usual name according to GeoNames: often the English one, if there is one.
    public let name: String
    /// The name in the local language; nil if unknown or the same as `name`.
    public let localName: String?
    /// The English name; nil if unknown or the same as `name`.
    public let englishName: String?
    /// The kind of the place.
    public let kind: Kind
    /// The ISO 3166-1 alpha-2 code, such as "FI"; empty if unknown.
    public let countryCode: String
    /// The country's English name; empty if unknown.
    public let country: String
    /// The name of the first-level region; empty for countries and if unknown.
    public let region: String
    /// The position of the place.
    public let coordinate: Coordinate
    /// The number of inhabitants; 0 if unknown. A region's is the sum over its places, some of which may be
    /// counted twice.
    public let population: Int

    /// The importance on a map, from 0 to about 9. It is the decimal logarithm of the population, raised for
    /// countries and capitals and lowered for regions. For waters and landscapes it follows from their size.
    /// Examples: 7.8 for Tokyo, 9 for an ocean.
    public let importance: Double

    /// Creates a place of a gazetteer.
    /// - Parameter importance: nil to derive it from kind and population.
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

    /// The place with its names in ASCII, without local names in other scripts than Latin.
    public var inASCII: NamedPlace {
        NamedPlace(
            number: number, name: Transliteration.ascii(name),
            localName: localName.flatMap { NamedPlace.isLatin($0) ? Transliteration.ascii($0) : nil },
            englishName: englishName.map(Transliteration.ascii), kind: kind, countryCode: countryCode,
            country: Transliteration.ascii(country), region: Transliteration.ascii(region),
            coordinate: coordinate,
            population: population, importance: importance)
    }

    /// Returns the importance of a place with a kind and a population.
    public static func importance(_ kind: Kind, population: Int) -> Double {
        let size = log10(Double(max(population, 0)) + 1)
        switch kind {
        case .country: return size + 1
        case .region: return size - 1.5
        case .capital: return size + 0.7
        case .city, .town, .village, .water, .landscape, .peak, .river, .island, .sight, .airport, .port:
            return size
        }
    }

    /// The region and the country, without the place's own name: "Varsinais-Suomi, Finland".
    public var whereabouts: String {
        let parts = kind == .region ? [country] : [region, country]
        return parts.filter { !$0.isEmpty && $0 != name }.joined(separator: ", ")
    }
}

extension NamedPlace.Kind {
    /// True for capitals, cities, towns and villages.
    public var isSettlement: Bool {
        switch self {
        case .capital, .city, .town, .village: true
        case .country, .region, .water, .landscape, .peak, .river, .island, .sight, .airport, .port: false
        }
    }
}

/// A place found by a search.
public struct PlaceMatch: Hashable, Sendable {
    /// The place.
    public let place: NamedPlace
    /// The name that matched if it isn't the place's usual one: "Åbo" for Turku.
    public let otherName: String?
    /// True if the name is only similar to the words.
    public let isSimilar: Bool

    /// Creates a match.
    public init(place: NamedPlace, otherName: String?, isSimilar: Bool = false) {
        self.place = place
        self.otherName = otherName
        self.isSimilar = isSimilar
    }

    /// The words before the name in lists, for names that are only similar.
    public var mark: String { isSimilar ? "similar: " : "" }
}

extension NamedPlace: CustomStringConvertible {
    /// The name, the region and the country, such as "Turku, Varsinais-Suomi, Finland".
    public var description: String { whereabouts.isEmpty ? name : "\(name), \(whereabouts)" }
}

extension PlaceMatch: CustomStringConvertible {
    /// The place, with the name that matched if it is another one: "Turku, Varsinais-Suomi, Finland (Åbo)".
    public var description: String { otherName.map { "\(place) (\($0))" } ?? "\(place)" }
}

/// Names of places as shown on a map.
extension NamedPlace {
    /// Returns the name in a language; countries have the short form used in atlases.
    public func name(in language: NameLanguage) -> String {
        switch language {
        case .usual, .code:
            kind.isSettlement ? localName.flatMap { language.canRead($0) ? $0 : nil } ?? name : shortName
        case .local: localName ?? (kind == .country ? name : shortName)
        case .english: commonEnglishName ?? shortName
        case .both: NameLanguage.joined(name(in: .local), name(in: .english))
        }
    }

    /// The English name, without the apostrophes of a transliteration if the usual name has none: Poti, not
    /// P'ot'i.
    private var commonEnglishName: String? {
        englishName.map { english in
            english.filter { !"'’‘ʼʻ`".contains($0) } == name ? name : english
        }
    }

    /// Returns true if a name is written in Latin letters.
    static func isLatin(_ name: String) -> Bool { NameLanguage.usual.canRead(name) }
}

extension PlaceMatch {
    /// Returns the name on the map, and the name that was found or is known best if it is another one:
    /// "Firenze (Florence)".
    public func title(in language: NameLanguage) -> String {
        let shown = place.name(in: language)
        guard language != .both else { return shown }
        let local = place.localName.flatMap { language.canRead($0) ? $0 : nil }
        let others = [otherName, place.kind == .country ? nil : place.name, local]
        return others.compactMap(\.self).first { $0 != shown }.map { "\(shown) (\($0))" } ?? shown
    }
}

/// Short forms of long country names, as used in atlases.
extension NamedPlace {
    /// The name for small-scale maps: a country's short form if it has one, else the name.
    public var shortName: String { kind == .country ? Self.shortForms[countryCode] ?? name : name }

    private static let shortForms = [
        "AE": "UAE", "AG": "Antigua", "BA": "Bosnia", "BQ": "Caribbean Neth.", "CD": "DR Congo",
        "CF": "Central Africa", "CG": "Congo", "DO": "Dominican Rep.", "FK": "Falklands",
        "FM": "Micronesia", "GQ": "Eq. Guinea", "GS": "South Georgia", "KN": "St. Kitts",
        "KP": "North Korea", "KR": "South Korea", "MK": "N. Macedonia", "NL": "Netherlands",
        "PG": "Papua New Guinea", "PM": "St. Pierre", "SJ": "Svalbard", "ST": "São Tomé",
        "TT": "Trinidad", "VC": "St. Vincent", "VG": "Br. Virgin Is.", "VI": "US Virgin Is.",
    ]
}
