import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests the search for house numbers.
struct SearchHouseTests {
    @Test func `a street without the typed house number is found, and lacks the number`() throws {
        let box = SearchBox()
        try box.indexed()
        func missing(_ text: String) throws -> [String?] {
            try box.index.search(SearchQuestion(text, near: nil, limit: 3)).map(\.missingNumber)
        }
        #expect(try missing("via dei neri 99 b").first == "99 b")
        #expect(try missing("via dei neri 12").allSatisfy { $0 == nil })
        #expect(try missing("via dei neri").allSatisfy { $0 == nil })
    }

    @Test(arguments: [
        ("25 bis", "via dei neri 25 bis"), ("25 bis", "via dei neri 25bis"), ("34 b", "34 b via dei neri"),
        ("7;9", "via dei neri 7;9"), ("7;9", "via dei neri 9"), ("16-19", "via dei neri 17"),
        ("16-18", "via dei neri 16 - 18"),
    ])
    func `a house is found under each spelling of its number`(number: String, text: String) throws {
        let box = SearchBox()
        let house = SearchBox.Feature(
            .point, through: [(1000, 2020)], [("housenumber", .string(number))])
        let street = SearchBox.street("Via dei Neri", [(200, 2000), (4096, 2000)])
        try box.indexed([
            (SearchBox.west, VectorTileFixture([("roads", [street]), ("housenumber", [house])]).bytes)
        ])
        #expect(try box.names(text).first == "Via dei Neri \(number)")
    }
}
