import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct PlaceQueryTests {
    /// Typed words and the possible locations of the first result.
    private struct Query {
        let words: String
        let places: [(coordinate: Coordinate, metres: Double)]

        /// - Parameter line: The words, a tab, and the places. "~" precedes places without a definite centre.
        init?(_ line: Substring) {
            let fields = line.split(separator: "\t")
            guard fields.count == 2, !line.hasPrefix("#") else { return nil }
            words = String(fields[0])
            places = fields[1].split(separator: "|").compactMap { place in
                let numbers = place.drop { $0 == "~" }.split(separator: " ").compactMap { Double($0) }
                guard numbers.count == 2 else { return nil }
                return (
                    Coordinate(latitude: numbers[0], longitude: numbers[1]),
                    place.hasPrefix("~") ? 1_000_000 : 60_000
                )
            }
        }
    }

    @Test func `98 of 100 typed names find the intended place first`() throws {
        let text = String(
            decoding: try #require(TestFiles.bytes("Tests/Goldens/place-queries.tsv")), as: UTF8.self)
        let queries = text.split(separator: "\n").compactMap(Query.init)
        #expect(queries.count > 600 && queries.allSatisfy { !$0.places.isEmpty })
        let missed = try queries.filter { query in
            let first = try BuiltGazetteer.search(query.words, limit: 1).first?.place.coordinate
            return !query.places.contains { place in
                first.map { $0.metres(to: place.coordinate) <= place.metres } ?? false
            }
        }
        #expect(missed.count * 50 <= queries.count, "\(missed.map(\.words))")
    }
}
