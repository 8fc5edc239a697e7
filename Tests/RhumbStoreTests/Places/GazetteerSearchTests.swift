import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

struct GazetteerSearchTests {
    @Test(arguments: [
        ("Turku", "Turku", "FI"), ("turku", "Turku", "FI"), ("Åbo", "Turku", "FI"), ("wien", "Vienna", "AT"),
        ("東京", "Tokyo", "JP"), ("Москва", "Moscow", "RU"), ("القاهرة", "Cairo", "EG"), ("서울", "Seoul", "KR"),
        ("Αθήνα", "Athens", "GR"), ("αθηνα", "Athens", "GR"), ("firenze", "Florence", "IT"),
        ("roma", "Rome", "IT"),
        ("São Paulo", "São Paulo", "BR"), ("sao paulo", "São Paulo", "BR"), ("tromso", "Tromsø", "NO"),
        ("L’Aquila", "L'Aquila", "IT"), ("paris", "Paris", "FR"), ("new york", "New York City", "US"),
        ("york", "York", "GB"), ("suomi", "Finland", "FI"), ("deutschland", "Germany", "DE"),
        ("bayern", "Bavaria", "DE"),
        ("chukotka", "Chukotskiy avtonomnyy okrug", "RU"), ("georgia", "Georgia", "GE"),
        ("uk", "United Kingdom", "GB"),
        ("provence", "Provence-Alpes-Côte-d’Azur", "FR"), ("yakutia", "Sakha", "RU"),
    ])
    func `a place is found by any of its names in any language`(
        text: String, name: String, code: String
    ) throws {
        let first = try #require(try BuiltGazetteer.search(text).first)
        #expect(first.place.name == name && first.place.countryCode == code)
    }

    @Test(arguments: ["Alaska", "Manitoba", "Turkana", "Maluku", "Musandam"])
    func `a region precedes natural features whose names only contain its name`(name: String) throws {
        for limit in [1, 5] {
            let first = try #require(try BuiltGazetteer.search(name.lowercased(), limit: limit).first)
            #expect(first.place.kind == .region && first.place.name == name, "\(first)")
        }
        #expect(try BuiltGazetteer.search(name).contains { $0.place.kind != .region })
    }

    @Test func `a region on both sides of the antimeridian is found in the middle of its people`() throws {
        let first = try #require(try BuiltGazetteer.search("chukotskiy").first?.place)
        #expect(first.kind == .region && first.countryCode == "RU")
        #expect((170...180).contains(first.coordinate.longitude))
    }

    @Test(arguments: [
        ("helsi", "Helsinki"), ("lond", "London"), ("san fr", "San Francisco"), ("нов", "Novosibirsk"),
        ("東", "Tokyo"),
        ("buenos a", "Buenos Aires"), ("reykj", "Reykjavík"),
    ])
    func `the beginning of a name is enough`(text: String, name: String) throws {
        #expect(try BuiltGazetteer.search(text).contains { $0.place.name == name })
    }

    @Test(arguments: [
        ("helsnki", "Helsinki"), ("lodnon", "London"), ("reykjavk", "Reykjavík"),
        ("saint etiene", "Saint-Étienne"),
        ("copenhaggen", "Copenhagen"), ("stokcholm", "Stockholm"), ("barcellona", "Barcelona"),
    ])
    func `small typing mistakes are forgiven`(text: String, name: String) throws {
        #expect(try BuiltGazetteer.search(text).contains { $0.place.name == name })
    }

    @Test func `exact matches are not mixed with mistyped ones`() throws {
        #expect(
            try BuiltGazetteer.search("helsinki", limit: 40).allSatisfy { $0.place.name != "Gelsenkirchen" })
    }

    @Test(arguments: ["La Ceiba", "Kashan", "Pinhais", "Qā’em Shahr"])
    func `a city is listed once`(name: String) throws {
        let found = try BuiltGazetteer.search(name, limit: 20).map(\.place)
        let city = try #require(found.first)
        #expect(found.count { $0.name == name && $0.kind.isSettlement && $0.region == city.region } == 1)
    }

    @Test func `the matching name is shown if it is not the usual one`() throws {
        #expect(try BuiltGazetteer.search("åbo").first?.otherName == "Åbo")
        #expect(try BuiltGazetteer.search("wien").first?.otherName == "Wien")
        #expect(try BuiltGazetteer.search("turku").first?.otherName == nil)
    }

    @Test(arguments: [
        ("paris, texas", "Texas"), ("Paris, US", "Texas"), ("paris texas", "Texas"),
        ("springfield, illinois", "Illinois"),
        ("london, canada", "Ontario"), ("london, on", "Ontario"), ("Paris TX", "Texas"),
        ("paris, tx", "Texas"),
        ("Portland OR", "Oregon"), ("Springfield IL", "Illinois"), ("Vancouver BC", "British Columbia"),
        ("portland or", "Oregon"), ("portland ore", "Oregon"), ("cambridge ma", "Massachusetts"),
        ("victoria bc", "British Columbia"),
        ("firenze toscana", "Tuscany"), ("san jose costa rica", "San José"),
        ("edinburg scotland", "Scotland"),
    ])
    func `the country or region may follow the name`(text: String, region: String) throws {
        let found = try BuiltGazetteer.search(text)
        #expect(found.first?.place.region == region)
    }

    @Test(arguments: [
        ("everest", "Mount Everest"), ("mt everest", "Mount Everest"), ("mount ever", "Mount Everest"),
        ("nile river", "Nile"),
        ("river nile", "Nile"), ("nile ri", "Nile"), ("geneva lake", "Lake Geneva"),
        ("titicaca", "Lake Titicaca"),
        ("st helens mountain", "Mount Saint Helens"), ("gobi desert", "Gobi"),
        ("isle of skye", "Isle of Skye"), ("skye", "Isle of Skye"),
    ])
    func `the word for a natural feature's kind may be added, omitted or abbreviated`(
        text: String, name: String
    ) throws {
        #expect(try BuiltGazetteer.search(text).first?.place.name == name)
    }

    @Test(arguments: [
        ("st louis", "St. Louis"), ("saint louis", "St. Louis"), ("ft worth", "Fort Worth"),
        ("fort worth", "Fort Worth"),
        ("st malo", "Saint-Malo"), ("n korea", "North Korea"), ("gt yarmouth", "Great Yarmouth"),
        ("pto. montt", "Puerto Montt"), ("cd. juarez", "Ciudad Juárez"), ("ft. worth, tex.", "Fort Worth"),
    ])
    func `abbreviations match their words and words their abbreviations`(
        text: String, name: String
    ) throws {
        #expect(try BuiltGazetteer.search(text).first?.place.name == name)
    }

    @Test(arguments: [
        ("Washington, D.C.", "Washington"), ("Washington D.C.", "Washington"), ("Boston, U.S.A.", "Boston"),
        ("Boston, Massachusetts, U.S.A.", "Boston"), ("New York, N.Y.", "New York City"),
        ("London, U.K.", "London"), ("Dubai, U.A.E.", "Dubai"), ("Sydney, N.S.W.", "Sydney"),
        ("Bogotá, D.C.", "Bogotá D.C."), ("Bogotá, DC", "Bogotá D.C."),
        ("Frankfurt a.M.", "Frankfurt am Main"), ("Frankfurt a. M.", "Frankfurt am Main"),
        ("Boston, U. S. A.", "Boston"),
        ("Mexico, D.F.", "Mexico City"), ("L.A.", "Los Angeles"),
    ])
    func `initials may be written with points`(text: String, name: String) throws {
        #expect(try BuiltGazetteer.search(text).first?.place.name == name)
    }

    @Test(arguments: [
        ("Weil a. Rhein", "Weil am Rhein"), ("Weil a.Rhein", "Weil am Rhein"),
        ("Weil a/Rh.", "Weil am Rhein"),
        ("Halle a.d. Saale", "Halle (Saale)"), ("Halle a. d. S.", "Halle (Saale)"),
        ("Halle a/S", "Halle (Saale)"),
        ("Frankfurt a. M., Germany", "Frankfurt am Main"), ("Frankfurt a/M", "Frankfurt am Main"),
        ("Rothenburg o.d.T.", "Rothenburg ob der Tauber"), ("Freiburg i. Br.", "Freiburg"),
        ("Neustadt a. d. Weinstr.", "Neustadt an der Weinstraße"), ("Gr. Gerau", "Groß-Gerau"),
        ("Bad Homburg v. d. H.", "Bad Homburg vor der Höhe"), ("Chalon s/ Saône", "Chalon-sur-Saône"),
        ("Boulogne s/Mer", "Boulogne-sur-Mer"), ("Newcastle u. Tyne", "Newcastle upon Tyne"),
        ("Stoke o. Trent", "Stoke-on-Trent"), ("S. Giovanni in Persiceto", "San Giovanni in Persiceto"),
        ("Desenzano d/G", "Desenzano del Garda"), ("Bergen o. Zoom", "Bergen op Zoom"),
        ("Ústí n. L.", "Ústí nad Labem"), ("Nové Mesto n. Váhom", "Nové Mesto nad Váhom"),
        ("Ростов н/Д", "Rostov-on-Don"), ("St. Gallen", "Sankt Gallen"), ("Ste-Foy", "Sainte-Foy"),
        ("Mt. Vernon", "Mount Vernon"), ("Ft. Lauderdale", "Fort Lauderdale"),
        ("Sta. Cruz", "Santa Cruz de la Sierra"),
    ])
    func `abbreviated particles may be written with points or slashes`(text: String, name: String) throws {
        #expect(try BuiltGazetteer.search(text).first?.place.name == name)
    }

    @Test(arguments: [
        ("venice", "Venice", "IT"), ("victoria", "Victoria", "CA"), ("bombay", "Mumbai", "IN"),
        ("cancun", "Cancún", "MX"), ("bethlehem", "Bethlehem", "PS"), ("interlaken", "Interlaken", "CH"),
        ("leningrad", "Saint Petersburg", "RU"),
    ])
    func `a well-known place comes before larger ones that have or had the same name`(
        text: String, name: String, code: String
    ) throws {
        let first = try #require(try BuiltGazetteer.search(text).first)
        #expect(first.place.name == name && first.place.countryCode == code)
    }

    @Test func `typing mistakes are considered only if nothing else matches`() throws {
        #expect(
            try BuiltGazetteer.search("everest", limit: 40).allSatisfy {
                $0.place.name != "Brest" && $0.place.name != "Everett"
            })
        #expect(try BuiltGazetteer.search("everst").first?.place.name == "Mount Everest")
    }

    @Test func `natural features have their kind`() throws {
        for (name, kind) in [
            ("Kilimanjaro", NamedPlace.Kind.peak), ("Danube", .river), ("Bora Bora", .island),
            ("Lake Baikal", .water), ("Sahara", .landscape), ("Urals", .landscape),
        ] {
            #expect(try BuiltGazetteer.search(name).first?.place.kind == kind, "\(name)")
        }
    }

    @Test(arguments: ["Arctic Ocean", "Indian Ocean"])
    func `an ocean is found once`(name: String) throws {
        #expect(try BuiltGazetteer.search(name).count { $0.place.name == name } == 1)
    }

    @Test(arguments: [(42.1, -72.6, "Massachusetts"), (39.8, -89.6, "Illinois"), (44.0, -123.0, "Oregon")])
    func `the nearer of similar places comes first`(north: Double, east: Double, region: String) throws {
        let near = Coordinate(latitude: north, longitude: east)
        #expect(try BuiltGazetteer.search("springfield", near: near).first?.place.region == region)
    }

    @Test func `a nearby village is found among thousands of names with the same beginning`() throws {
        let near = Coordinate(latitude: 60.29, longitude: 22.30)
        let found = try BuiltGazetteer.search("par", near: near, limit: 10)
        #expect(found.contains { $0.place.name == "Pargas" })
    }

    @Test func `every prefix of a name has results`() throws {
        for text in ["novosibirsk", "saint-étienne", "ho chi minh"] {
            for count in 1...text.count {
                let found = try BuiltGazetteer.search(String(text.prefix(count)))
                #expect(!found.isEmpty, "\(text.prefix(count))")
            }
        }
    }

    @Test func `there are no more results than requested, each once and the same each time`() throws {
        for text in ["san", "s", "a b", "saint"] {
            let found = try BuiltGazetteer.search(text, limit: 30)
            #expect(found.count <= 30 && Set(found.map(\.place.number)).count == found.count)
            #expect(try BuiltGazetteer.search(text, limit: 30) == found)
            #expect(try Array(found.prefix(7)) == BuiltGazetteer.search(text, limit: 7))
        }
        #expect(try BuiltGazetteer.search("san", limit: 0).isEmpty)
    }

    @Test(arguments: [
        "", " ", "\"", "*", "a*", "(((", "OR", "a AND", "NOT x", "\u{0}", "a\u{0}b", "^a", "{a}:b",
        "'; DROP TABLE chunk", "😀",
        "\u{202E}", "a,", ",", ",a", "e\u{301}", String(repeating: "x", count: 10_000),
        String(repeating: "a ", count: 5000),
    ])
    func `nothing that can be typed is an error`(text: String) throws {
        _ = try BuiltGazetteer.search(text)
    }

    @Test func `words that are not a name find nothing`() throws {
        #expect(try BuiltGazetteer.search("zzqqxxjj").isEmpty)
        #expect(try BuiltGazetteer.search("turku, zzz").isEmpty)
    }

    @Test func `a place has its kind and location`() throws {
        let turku = try #require(try BuiltGazetteer.search("turku").first?.place)
        #expect(turku.kind == .city && turku.country == "Finland" && turku.region == "Varsinais-Suomi")
        #expect(turku.population > 150_000 && turku.whereabouts == "Varsinais-Suomi, Finland")
        #expect(turku.coordinate.metres(to: Coordinate(latitude: 60.4515, longitude: 22.2687)) < 100)
        #expect(try BuiltGazetteer.search("helsinki").first?.place.kind == .capital)
        #expect(try BuiltGazetteer.search("finland").first?.place.kind == .country)
        #expect(try BuiltGazetteer.search("tuscany").first?.place.kind == .region)
    }
}
