import RhumbCore
import Testing

/// Tests districts of cities, which are detected by distance and population.
struct CityDistrictTests {
    private func place(
        _ name: String, _ latitude: Double, _ longitude: Double, _ people: Int,
        _ kind: NamedPlace.Kind = .city
    ) -> NamedPlace {
        NamedPlace(
            number: 1, name: name, kind: kind, countryCode: "", country: "", region: "",
            coordinate: Coordinate(latitude: latitude, longitude: longitude), population: people)
    }

    private var york: NamedPlace { place("New York City", 40.714, -74.006, 8_804_190) }
    private var brooklyn: NamedPlace { place("Brooklyn", 40.650, -73.950, 2_736_074) }
    private var newark: NamedPlace { place("Newark", 40.736, -74.172, 311_549) }

    @Test(arguments: [("P'ot'i", "Poti"), ("Nal’chik", "Nalchik"), ("Xi'an", "Xi'an")])
    func `an English name has no apostrophes of a transliteration that the usual name lacks`(
        english: String, shown: String
    ) {
        let place = NamedPlace(
            number: 1, name: shown, englishName: english, kind: .city, countryCode: "", country: "",
            region: "", coordinate: Coordinate(latitude: 0, longitude: 0), population: 1)
        #expect(place.name(in: .english) == shown)
    }

    @Test func `a smaller settlement near a city is its district, and another city of its size is not`() {
        let tokyo = place("Tokyo", 35.690, 139.692, 9_733_276, .capital),
            yokohama = place("Yokohama", 35.434, 139.643, 3_777_491)
        let reaches = CityDistrict.reaches(of: [tokyo, york, yokohama, brooklyn])
        #expect(reaches[0] == nil && reaches[1] == nil && reaches[2] == nil)
        #expect((15_000...30_000).contains(reaches[3] ?? 0))
    }

    @Test func `countries and waters are not districts`() {
        let bay = place("Upper Bay", 40.68, -74.03, 0, .water)
        #expect(CityDistrict.reaches(of: [york, bay]) == [nil, nil])
    }

    @Test func `in a list of matches a city precedes its districts, and the rest stays in order`() {
        let matches = [brooklyn, newark, york].map { PlaceMatch(place: $0, otherName: nil) }
        #expect(matches.citiesFirst.map(\.place.name) == ["New York City", "Brooklyn", "Newark"])
    }

    @Test func `a place has the name in the selected language`() {
        let vienna = NamedPlace(
            number: 1, name: "Vienna", localName: "Wien", kind: .capital, countryCode: "AT",
            country: "Austria", region: "",
            coordinate: Coordinate(latitude: 48.2, longitude: 16.4), population: 1_691_468)
        let rules: [NameLanguage] = [.usual, .local, .english, .both, .code("de"), .code("ja")]
        #expect(
            rules.map { vienna.name(in: $0) } == ["Wien", "Wien", "Vienna", "Wien (Vienna)", "Wien", "Wien"])
        let tokyo = NamedPlace(
            number: 2, name: "Tokyo", localName: "東京", kind: .capital, countryCode: "JP", country: "Japan",
            region: "",
            coordinate: Coordinate(latitude: 35.7, longitude: 139.7), population: 9_733_276)
        #expect(
            rules.map { tokyo.name(in: $0) } == ["Tokyo", "東京", "Tokyo", "東京 (Tokyo)", "Tokyo", "東京"])
        #expect(tokyo.inASCII.name(in: .local) == "Tokyo")
    }

    @Test(
        arguments: [
            (NameLanguage.usual, nil, "Firenze (Florence)"), (.code("it"), "Florenz", "Firenze (Florenz)"),
            (.english, nil, "Florence (Firenze)"), (.english, "Florenz", "Florence (Florenz)"),
            (.both, nil, "Firenze (Florence)"), (.local, "Firenze", "Firenze (Florence)"),
        ] as [(NameLanguage, String?, String)])
    func `a found place has the name on the map first, and then the one that was found`(
        language: NameLanguage, found: String?, title: String
    ) {
        let florence = NamedPlace(
            number: 1, name: "Florence", localName: "Firenze", kind: .city, countryCode: "IT",
            country: "Italy", region: "Tuscany", coordinate: Coordinate(latitude: 43.8, longitude: 11.2),
            population: 349_296)
        #expect(PlaceMatch(place: florence, otherName: found).title(in: language) == title)
    }
}
