import RhumbCore
import Testing

struct OnlineSearchServiceTests {
    private static let place = Coordinate(latitude: 43.77, longitude: 11.25)

    private func service(
        _ kind: OnlineSearchKind, _ base: String = "https://search.example"
    ) -> OnlineSearchService {
        OnlineSearchService(kind, name: "Finder", attribution: "© somebody", base: HTTPAddress(base))
    }

    private func found(
        _ kind: OnlineSearchKind, _ text: String, near: Coordinate? = nil
    ) throws -> [FeatureMatch] {
        try service(kind).answer(Array(text.utf8), to: OnlineSearchQuestion("x", near: near)).features
    }

    // MARK: Requests

    @Test
    func
        `words are encoded, and what is near, how much and in which language is told as each service has it`()
    {
        let question = OnlineSearchQuestion(
            "via dei neri & co/?#", near: Self.place, limit: 7, language: "it")
        #expect(
            service(.nominatim).address(of: question).url
                == "https://search.example/search?format=jsonv2&limit=7&accept-language=it&q=via%20dei%20neri%20%26%20co%2F%3F%23&viewbox=10.25%2C44.77%2C12.25%2C42.77"
        )
        // Photon doesn't support Italian.
        #expect(
            service(.photon).address(of: question).url
                == "https://search.example/api/?limit=7&q=via%20dei%20neri%20%26%20co%2F%3F%23&lat=43.77&lon=11.25"
        )
    }

    @Test func `only the box is searched`() {
        let box = Bounds(west: 11, south: 43, east: 12, north: 44),
            question = OnlineSearchQuestion("a", box: box)
        #expect(
            service(.nominatim).address(of: question).url.hasSuffix("q=a&viewbox=11%2C44%2C12%2C43&bounded=1")
        )
        #expect(service(.photon).address(of: question).url.hasSuffix("q=a&lang=en&bbox=11%2C43%2C12%2C44"))
    }

    @Test func `a base with a path and a key keeps both, and the key is hidden`() {
        let address = service(.nominatim, "https://search.example/v1/?key=SECRET").address(
            of: OnlineSearchQuestion("a"))
        #expect(
            address.url.hasPrefix("https://search.example/v1/search?key=SECRET&format=jsonv2")
                && !address.description.contains("SECRET"))
    }

    @Test func `texts that are too long for services are shortened`() {
        let question = OnlineSearchQuestion(
            String(repeating: "a", count: 9000) + "\u{1b}[2J", limit: 1_000_000)
        #expect(
            question.text.count <= OnlineSearchQuestion.longestText + 1
                && question.limit == OnlineSearchQuestion.mostResults)
        #expect(!OnlineSearchQuestion("a\u{1b}b\nc").text.unicodeScalars.contains { $0.value < 32 })
    }

    @Test func `a place is queried by its coordinates, for few results`() {
        let question = OnlineSearchQuestion(at: Self.place, limit: 40, language: "it")
        #expect(
            service(.nominatim).address(of: question).url
                == "https://search.example/reverse?format=jsonv2&accept-language=it&lat=43.77&lon=11.25")
        #expect(
            service(.photon).address(of: question).url
                == "https://search.example/reverse?limit=5&lat=43.77&lon=11.25")
        let keyed = service(.photon, "https://search.example/v1?key=SECRET").address(
            of: OnlineSearchQuestion(at: Self.place, limit: 1))
        #expect(
            keyed.url == "https://search.example/v1/reverse?key=SECRET&limit=1&lang=en&lat=43.77&lon=11.25"
                && !keyed.description.contains("SECRET"))
    }

    // MARK: Responses

    private func lying(_ kind: OnlineSearchKind, _ text: String) throws -> [FeatureMatch] {
        try service(kind).answer(Array(text.utf8), to: OnlineSearchQuestion(at: Self.place)).features
    }

    @Test(arguments: ["12, Via dei Neri, Santa Croce, Firenze", "Via dei Neri, 12, Santa Croce, Firenze"])
    func `a house from Nominatim has its street and number as its name`(whole: String) throws {
        let found = try lying(
            .nominatim,
            """
            {"lat":"43.7701","lon":"11.2501","name":"","display_name":"\(whole)","category":"place","type":"house","addresstype":"place",
             "address":{"house_number":"12","road":"Via dei Neri","city":"Firenze"}}
            """)
        #expect(
            found.map(\.name) == ["Via dei Neri 12"] && found[0].category == .address
                && found[0].whereabouts == "Santa Croce, Firenze")
        #expect((found[0].metres ?? 0) > 5 && (found[0].metres ?? 99) < 20)
    }

    @Test func `Photon's features at a place are read like its search results`() throws {
        let found = try lying(
            .photon,
            """
            {"features":[{"geometry":{"coordinates":[11.25,43.77]},"properties":{"street":"Via Larga","housenumber":"3","city":"Firenze",
              "osm_key":"building","osm_value":"yes"}}]}
            """)
        #expect(
            found.map(\.name) == ["Via Larga 3"] && found[0].category == .address
                && found[0].whereabouts == "Firenze")
    }

    @Test func `the open sea has no features, and an invalid response about a place is a failure`() throws {
        #expect(
            try lying(.nominatim, #"{"error":"Unable to geocode"}"#).isEmpty
                && lying(.photon, #"{"features":[]}"#).isEmpty)
        #expect(throws: OnlineSearchFailure.refused("Finder: too many requests")) {
            try lying(.nominatim, #"{"error":"too many requests"}"#)
        }
        for body in ["[]", "", "{}", "<html>", "7"] {
            #expect(throws: OnlineSearchFailure.self, "\(body)") { try lying(.nominatim, body) }
        }
    }

    @Test func `Nominatim's list is read, even with numbers as text`() throws {
        let found = try found(
            .nominatim,
            """
            [{"lat":"43.7681","lon":"11.2583","name":"Via dei Neri","display_name":"Via dei Neri, Firenze, Italia","category":"highway",
              "type":"residential","addresstype":"road"},
             {"lat":60.45,"lon":22.27,"name":"","display_name":"Turku","class":"boundary","type":"administrative","addresstype":"city"},
             {"lat":"43.77","lon":"11.25","name":"Forno","display_name":"Forno, Firenze","category":"shop","type":"bakery"}]
            """, near: Self.place)
        #expect(found.map(\.name) == ["Via dei Neri", "Turku", "Forno"])
        #expect(found.map(\.category) == [.street, .settlement, .shop] && found[2].kind == "bakery")
        #expect(
            found[0].whereabouts == "Firenze, Italia" && found[1].whereabouts.isEmpty
                && found.allSatisfy { $0.provider == "Finder" })
        #expect(found[2].metres == 0 && (found[0].metres ?? 0) > 300)
    }

    @Test func `Photon's features are read, houses by their street`() throws {
        let found = try found(
            .photon,
            """
            {"type":"FeatureCollection","features":[
             {"geometry":{"type":"Point","coordinates":[11.25,43.77]},"properties":{"name":"Farmacia Molteni","osm_key":"amenity",
               "osm_value":"pharmacy","street":"Via Calzaiuoli","housenumber":"7","city":"Firenze","country":"Italia"}},
             {"geometry":{"coordinates":[11.26,43.78]},"properties":{"street":"Via Larga","housenumber":"3","osm_key":"place","osm_value":"house"}}]}
            """)
        #expect(found.map(\.name) == ["Farmacia Molteni", "Via Larga 3"] && found[0].category == .pharmacy)
        #expect(
            found[0].whereabouts == "Via Calzaiuoli 7, Firenze, Italia" && found[0].coordinate == Self.place)
    }

    @Test func `control characters are removed, and features without name or place omitted`()
        throws
    {
        let found = try found(
            .nominatim,
            #"""
            [{"lat":"1","lon":"2","name":"A\u001b[2J\nB\u202e","display_name":"x\u0007, y","type":"\u001bz"},{"lat":"x","lon":"1","name":"C"},
             {"lat":"95","lon":"1","name":"D"},{"lat":"1","lon":"1"},{"lat":1e300,"lon":1,"name":"E"},7,null,[],"text"]
            """#)
        #expect(found.count == 1)
        let text = found.map { $0.name + $0.kind + $0.whereabouts }.joined()
        #expect(!text.unicodeScalars.contains { $0.value < 32 || $0 == "\u{202e}" })
    }

    @Test func `no more results are used than requested`() throws {
        let item = #"{"lat":"1","lon":"2","name":"A"}"#
        let body = Array("[\(Array(repeating: item, count: 5000).joined(separator: ","))]".utf8)
        #expect(
            try service(.nominatim).answer(body, to: OnlineSearchQuestion("a", limit: 3)).features.count == 3)
    }

    @Test(arguments: [OnlineSearchKind.nominatim, .photon])
    func `an invalid response is a failure, with the service's own text if there is one`(
        kind: OnlineSearchKind
    ) {
        for body in ["<html>", "", "{", #"{"type":"FeatureCollection"}"#, "7"] {
            #expect(throws: OnlineSearchFailure.self, "\(body)") {
                try service(kind).answer(Array(body.utf8), to: OnlineSearchQuestion("a"))
            }
        }
        #expect(
            service(kind).refusal(Array(#"{"error":{"code":400,"message":"no q\u001b"}}"#.utf8))
                == .refused("Finder: no q"))
        #expect(
            service(kind).refusal(Array(#"{"message":"lang is not supported"}"#.utf8))
                == .refused("Finder: lang is not supported"))
    }
}

struct CategoryNamesTests {
    private static let languages = ["de", "en", "es", "fi", "fr", "it", "sv"]

    @Test(arguments: PlaceCategory.allCases)
    func
        `every category is understood by its word in each language, and called in English where there is none`(
            category: PlaceCategory
        )
    {
        for language in Self.languages {
            let word = category.word(in: language)
            #expect(SearchKind(word: word) != nil, "\(word)")
        }
        #expect(category.word(in: "xx") == category.word)
    }

    @Test(
        arguments: [
            ("Apotheke", PlaceCategory.pharmacy, nil), ("pharmacie", .pharmacy, nil),
            ("farmacia", .pharmacy, nil), ("Bäckerei", .shop, "bakery"),
            ("backerei", .shop, "bakery"), ("boulangerie", .shop, "bakery"), ("Geldautomat", .bank, nil),
            ("bakery", .shop, "bakery"),
            ("gelateria", .food, "ice_cream"), ("drinking water", .water, nil),
        ] as [(String, PlaceCategory, String?)])
    func `kinds are understood in the words of several languages`(
        word: String, category: PlaceCategory, kind: String?
    ) {
        #expect(SearchKind(word: word)?.category == category && SearchKind(word: word)?.kind == kind)
    }

    @Test
    func `a feature is described in the user's language, or else by its class`() {
        var bakery = FeatureMatch(IndexedFeature("", .shop, at: .zero), in: .world)
        bakery.kind = "bakery"
        #expect(
            bakery.title() == "bakery" && bakery.title(in: "de") == "Bäckerei"
                && bakery.kindWord(in: "fr") == "boulangerie")
        bakery.kind = "deli"
        #expect(bakery.kindWord(in: "de") == "Laden" && bakery.kindWord(in: "xx") == "deli")
        #expect(
            FeatureMatch(IndexedFeature("Via Larga", .street, at: .zero), in: .world).kindWord(in: "it")
                == "via")
    }
}
