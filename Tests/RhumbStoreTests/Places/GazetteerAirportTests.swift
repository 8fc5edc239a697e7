import RhumbCore
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the search for airports by their codes, and for seas by Natural Earth's names.
struct GazetteerAirportTests {
    private static func search(_ text: String) throws -> [NamedPlace] {
        let places = try Gazetteer(file: TestFiles.path("Assets/places.db"))
        return try places.places(matching: text, near: nil, limit: 5, forgives: true).map(\.place)
    }

    @Test(arguments: ["ATL", "BOS", "MEX", "VIE", "MIA", "DEN", "FRA", "MAD", "ATH", "PER", "LOS", "HAN"])
    func `a code in capitals finds the airport first, and in small letters among the first three`(
        code: String
    ) throws {
        #expect(try Self.search(code).first?.kind == .airport)
        #expect(try Self.search(code.lowercased()).prefix(3).contains { $0.kind == .airport })
    }

    @Test func `other words in capitals are no codes`() throws {
        #expect(try Self.search("ROMA").first?.kind.isSettlement == true)
    }

    @Test(arguments: [
        "Hudson Strait", "Gulf of Boothia", "Bo Hai", "Chukchi Sea", "Laccadive Sea", "North Atlantic Ocean",
    ])
    func `the seas of the map are found by their names`(name: String) throws {
        #expect(try Self.search(name).first?.name == name)
    }

    @Test func `a place found by a similar name is marked`() throws {
        let places = try Gazetteer(file: TestFiles.path("Assets/places.db"))
        func first(_ text: String) throws -> PlaceMatch? {
            try places.places(matching: text, near: nil, limit: 1, forgives: true).first
        }
        #expect(try first("Reykjavjk")?.isSimilar == true)
        #expect(try first("Reykjavik")?.isSimilar == false)
    }

    @Test(arguments: [("Carpathian Mountains", "Carpathians"), ("Anden", "Andes")])
    func `ranges are found by their other names`(name: String, usual: String) throws {
        #expect(try Self.search(name).first?.name == usual)
    }
}
