import RhumbCore
import RhumbTestSupport
import Testing

struct TileFeaturesTests {
    private typealias Feature = VectorTileFixture.Feature

    private static let tile = TileID(zoom: 14, x: 8704, y: 5973) ?? .world

    private func read(
        _ layers: [(name: String, features: [VectorTileFixture.Feature])],
        isLeftOut: [Bool] = [false, false, false, false]
    ) throws -> TileFeatures {
        TileFeatures(try VectorTile(VectorTileFixture(layers).bytes), at: Self.tile, isLeftOut: isLeftOut)
    }

    private func point(
        _ attributes: [(String, String)], at place: (Int, Int) = (1000, 1000)
    ) -> VectorTileFixture.Feature {
        Feature(.point, through: [place], attributes.map { ($0.0, .string($0.1)) })
    }

    private func street(_ name: String, _ points: [(Int, Int)]) -> VectorTileFixture.Feature {
        Feature(.line, through: points, [("name", .string(name)), ("kind", .string("minor_road"))])
    }

    @Test func `a feature has its usual name and those in other languages`() throws {
        let found = try read([
            (
                "pois",
                [
                    point([
                        ("name", "Firenze"), ("name:en", "Florence"), ("name_de", "Florenz"),
                        ("name2", "Firenze"), ("name:etymology:wikidata", "Q1"),
                    ])
                ]
            )
        ])
        #expect(found.features.first?.name == "Firenze")
        #expect(found.features.first?.otherNames == ["Florence", "Florenz"])
    }

    @Test func `without a usual name another one is used`() throws {
        let found = try read([("poi", [point([("name:latin", "Monaco"), ("class", "town_hall")])])])
        #expect(found.features.first?.name == "Monaco" && found.features.first?.otherNames.isEmpty == true)
    }

    @Test(arguments: [
        ("poi", [("class", "hospital"), ("subclass", "pharmacy")], PlaceCategory.pharmacy, "pharmacy"),
        ("pois", [("pmap:kind", "other"), ("amenity", "drinking_water")], .water, "drinking_water"),
        ("pois", [("kind", "charging_station")], .charging, "charging_station"),
        ("pois", [("amenity", "fuel")], .fuel, "fuel"),
        ("poi_label", [("class", "food_and_drink"), ("type", "Restaurant")], .food, "restaurant"),
        ("pois", [("shop", "bicycle_parts")], .shop, "bicycle_parts"),
        ("places", [("place", "suburb")], .settlement, "suburb"),
        ("mountain_peak", [("class", "peak")], .peak, "peak"),
        ("things", [("class", "museum")], .museum, "museum"),
        ("things", [("colour", "red")], .other, ""),
    ])
    func `categories are recognised from the classes of each schema`(
        layer: String, attributes: [(String, String)], category: PlaceCategory, kind: String
    ) throws {
        let found = try read([(layer, [point(attributes + [("name", "A")])])])
        #expect(found.features.first?.category == category)
        #expect(found.features.first?.kind == kind)
    }

    @Test func `toilets are found without a name, and benches are not`() throws {
        let found = try read([("pois", [point([("amenity", "toilets")]), point([("amenity", "bench")])])])
        #expect(found.features.map(\.category) == [.toilets])
    }

    @Test func `a tile with coordinates far outside its tiny extent is read`() throws {
        let far = 1 << 24, things = [point([("name", "A")], at: (far, -far))],
            streets = [street("B", [(-far, 0), (far, 1)])]
        var fixture = VectorTileFixture([("pois", things), ("roads", streets)])
        fixture.extent = 1
        let found = TileFeatures(
            try VectorTile(fixture.bytes), at: Self.tile, isLeftOut: [false, false, false, false])
        let extent = 0...TileFeatures.extent
        #expect(found.features.allSatisfy { extent.contains($0.middle.x) && extent.contains($0.middle.y) })
    }

    @Test func `the pieces of a street are one feature whose middle is on it`() throws {
        let pieces = [
            street("Via dei Neri", [(100, 100), (500, 100)]),
            street("Via dei Neri", [(500, 100), (900, 100)]), street("Via Larga", [(0, 900), (50, 900)]),
        ]
        let found = try read([("roads", pieces)]).features.filter { $0.name == "Via dei Neri" }
        #expect(found.count == 1)
        #expect(found.first?.middle.y == 100 && found.first?.low.x == 100 && found.first?.high.x == 900)
        #expect(found.first?.category == .street)
    }

    @Test func `distant streets with the same name stay separate`() throws {
        let found = try read([
            (
                "roads",
                [street("Via Roma", [(0, 0), (100, 0)]), street("Via Roma", [(3900, 4000), (4000, 4000)])]
            )
        ])
        #expect(found.features.count == 2)
    }

    @Test func `a house without a street gets the nearest one`() throws {
        let found = try read([
            (
                "transportation_name",
                [
                    street("Rue Grimaldi", [(0, 500), (4000, 500)]),
                    street("Rue Haute", [(0, 900), (4000, 900)]),
                ]
            ),
            (
                "housenumber",
                [
                    point([("housenumber", "12")], at: (2000, 540)),
                    point([("housenumber", "7")], at: (100, 3000)),
                ]
            ),
        ])
        #expect(Set(found.houses.map { "\($0.street)|\($0.number)" }) == ["Rue Grimaldi|12", "|7"])
    }

    @Test func `a house gets the nearest of streets that run across the tile thousands of times`() throws {
        let across = (0..<20_000).map { $0.isMultiple(of: 2) ? (0, 0) : (4095, 4000 + $0 % 90) }
        let found = try read([
            ("streets", [street("Zigzag", across), street("Rue Grimaldi", [(100, 3000), (900, 3000)])]),
            ("housenumber", [point([("housenumber", "7")], at: (400, 2990))]),
        ])
        #expect(found.houses.first?.street == "Rue Grimaldi")
    }

    @Test func `a house that states its street keeps it`() throws {
        let found = try read([
            ("buildings", [point([("addr_housenumber", "3"), ("addr_street", "Via Larga")])])
        ])
        #expect(found.houses == [HouseNumber("3", street: "Via Larga", at: SIMD2(1000, 1000))])
    }

    @Test func `a quarter with its own tiles is omitted, and so are features of a neighbour`()
        throws
    {
        let found = try read(
            [
                (
                    "pois",
                    [
                        point([("name", "NW")]), point([("name", "SE")], at: (3000, 3000)),
                        point([("name", "beyond")], at: (4200, 10)),
                    ]
                )
            ],
            isLeftOut: [true, false, false, false])
        #expect(found.features.map(\.name) == ["SE"])
    }

    @Test func `names are sanitised and bounded`() throws {
        let found = try read([
            ("pois", [point([("name", "a\u{1B}[31mb\u{7}" + String(repeating: "x", count: 65_536))])])
        ])
        let name = try #require(found.features.first?.name)
        #expect(name.unicodeScalars.count < 200 && !name.unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func `borders are not searched`() throws {
        #expect(try read([("boundaries", [point([("name", "A border")])])]).features.isEmpty)
    }
}

struct SearchWordsTests {
    @Test(
        arguments: [
            ("via dei neri 12", "via dei neri", "12"), ("12 rue haute", "rue haute", "12"),
            ("via dei neri, 12a", "via dei neri", "12a"), ("quai rey 34 b", "quai rey", "34 b"),
            ("rue x 25 bis", "rue x", "25 bis"), ("avenue y 7;9", "avenue y", "7;9"),
            ("avenue y 39,41", "avenue y", "39,41"), ("rue z 16 - 18", "rue z", "16 - 18"),
            ("25 bis rue x", "rue x", "25 bis"), ("中山路2", "中山路", "2"), ("中山路 2号", "中山路", "2号"),
            ("route66", "route66", nil), ("boulevard albert 1er x", "boulevard albert 1er x", nil),
            ("via dei neri", "via dei neri", nil), ("12", "12", nil), ("route 66666", "route 66666", nil),
            ("", "", nil),
        ] as [(String, String, String?)])
    func `a house number is distinguished from a street`(text: String, street: String, number: String?) {
        #expect(SearchWords(text).street == street && SearchWords(text).number == number)
    }

    @Test func `a number that may belong to the street's name has several readings`() {
        #expect(
            SearchWords("25 bis boulevard albert 1er").addresses.map(\.street)
                == ["25 bis boulevard albert", "boulevard albert 1er", "bis boulevard albert 1er"])
    }

    @Test(
        arguments: [
            ("25 bis", "25bis", true), ("25 bis", "25 BIS", true), ("7;9", "9", true), ("7;9", "7;9", true),
            ("39,41", "41", true), ("7;9", "8", false), ("16-19", "17", true), ("16-18", "18", true),
            ("16-18", "17", false), ("16–18", "16 - 18", true), ("12/3", "12", false), ("2", "2号", true),
            ("２", "2", true), ("12", "12a", false), ("18-16", "17", false),
        ] as [(String, String, Bool)])
    func `a house number is found in lists and ranges, in any spelling`(
        number: String, wanted: String, isFound: Bool
    ) {
        #expect(HouseNumberText.fits(number, wanted) == isFound)
    }

    @Test(
        arguments: [
            ("Via dei Neri, Firenze", "Via dei Neri", "Firenze"),
            ("Via dei Neri 12, 50122 Firenze", "Via dei Neri 12", "Firenze"),
            ("10, Rue Grimaldi, Monaco", "10 Rue Grimaldi", "Monaco"),
            ("Rue Grimaldi, 10, MC-98000 Monaco", "Rue Grimaldi 10", "Monaco"),
            ("Firenze, Via dei Neri", "Via dei Neri", "Firenze"),
            ("via dei neri firenze", "via dei neri", "firenze"),
            ("monte carlo avenue princesse grace", "avenue princesse grace", "monte carlo"),
            ("50122 via dei neri firenze", "via dei neri", "firenze"),
        ])
    func `a text is read as a name and its town`(text: String, name: String, town: String) {
        #expect(TownReading.readings(of: text).contains { $0.name == name && $0.towns.contains(town) })
    }

    @Test func `a postal code alone is left out, and a word alone has no town`() {
        let first = TownReading.readings(of: "50122 via dei neri").first
        #expect(first?.name == "via dei neri" && first?.towns == [] && first?.isStated == false)
        #expect(TownReading.readings(of: "firenze").isEmpty && TownReading.readings(of: ", 12,").isEmpty)
    }

    @Test(arguments: [
        ("pharmacy", PlaceCategory.pharmacy), ("Apotheke", .pharmacy), ("farmacia", .pharmacy),
        ("apteekki", .pharmacy), ("petrol station", .fuel), ("hôpital", .hospital),
    ])
    func `categories have words in several languages`(word: String, category: PlaceCategory) {
        #expect(SearchKind(word: word)?.category == category)
    }

    @Test func `a class of OpenStreetMap is also a kind`() {
        #expect(SearchKind(word: "bakery")?.category == .shop && SearchKind(word: "bakery")?.kind == "bakery")
        #expect(
            SearchKind(word: "zzz") == nil && SearchKind(begun: "pha") == nil
                && SearchKind(begun: "pharm")?.category == .pharmacy)
    }

    @Test func `every category has its own word in each language, and all fit into 64 bits`() {
        #expect(PlaceCategory.allCases.allSatisfy { !$0.word.isEmpty && $0.rawValue < 64 })
        #expect(Set(PlaceCategory.allCases.map(\.word)).count == PlaceCategory.allCases.count)
    }
}

struct FeatureMatchTests {
    private func found(
        _ name: String, _ category: PlaceCategory, x: Int32, width: Int32 = 0,
        tile: TileID = TileID(zoom: 14, x: 8704, y: 5973) ?? .world
    ) -> FeatureMatch {
        var feature = IndexedFeature(name, category, at: SIMD2(x, 2000))
        feature.low = SIMD2(x - width / 2, 2000)
        feature.high = SIMD2(x + width / 2, 2000)
        return FeatureMatch(feature, in: tile)
    }

    @Test func `a street that continues in the next tile is one`() {
        let next = TileID(zoom: 14, x: 8705, y: 5973) ?? .world
        let joined = FeatureMatch.joined([
            found("Via Roma", .street, x: 3600, width: 992),
            found("Via Roma", .street, x: 400, width: 800, tile: next),
        ])
        #expect(joined.count == 1)
    }

    @Test func `two shops of a chain are separate, and a house and its contents are one`() {
        let joined = FeatureMatch.joined([
            found("Coop", .supermarket, x: 100), found("Coop", .supermarket, x: 2000),
            found("Coop", .building, x: 100, width: 60),
        ])
        #expect(joined.map(\.feature.category) == [.supermarket, .supermarket])
    }

    @Test func `features without a name are never merged`() {
        #expect(FeatureMatch.joined([found("", .toilets, x: 10), found("", .toilets, x: 11)]).count == 2)
    }
}
