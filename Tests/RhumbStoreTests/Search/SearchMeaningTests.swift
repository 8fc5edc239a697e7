import RhumbCore
import RhumbTestSupport
import Testing

struct SearchMeaningTests {
    @Test(arguments: [
        ("hospital", ["Careggi", "Dente", "Gatti"], 1), ("Krankenhaus", ["Careggi", "Dente", "Gatti"], 1),
        ("vet", ["Gatti"], 1),
        ("train station", ["Campo di Marte", "Fermata"], 1), ("stazione", ["Campo di Marte", "Fermata"], 1),
        ("tram", ["Fermata", "Campo di Marte"], 1),
        ("cafe", ["Gilli"], 1), ("restaurant", ["Da Mario", "Gilli"], 1),
    ])
    func `a kind finds its features, followed by related kinds`(
        word: String, names: [String], meant: Int
    ) throws {
        let box = SearchBox()
        let pois = [
            ("Dente", "dentist"), ("Gatti", "veterinary"), ("Fermata", "tram_stop"),
            ("Da Mario", "restaurant"), ("Gilli", "cafe"),
            ("Campo di Marte", "station"), ("Careggi", "hospital"),
        ]
        let points = pois.enumerated().map { SearchBox.point($1.0, $1.1, 2048 + 100 * $0, 2048) }
        try box.indexed([(SearchBox.west, VectorTileFixture([("pois", points)]).bytes)])
        let found = try box.found(word)
        #expect(found.map(\.name) == names)
        #expect(
            found.prefix(meant).allSatisfy { !$0.isRelated } && found.dropFirst(meant).allSatisfy(\.isRelated)
        )
    }

    @Test(arguments: ["v. neri", "via de neri", "V. dei Neri", "via neri"])
    func `a street is found by its abbreviated name`(text: String) throws {
        let box = SearchBox()
        try box.indexed()
        #expect(try box.names(text).first == "Via dei Neri")
    }
}
