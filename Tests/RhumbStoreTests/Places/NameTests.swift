@testable import RhumbStore
import Testing

struct NameTests {
    private let folding = Folding("a\tåÅàá\noe\tœ\n\t\u{301}\n \t’\nи\tИЙй")

    @Test(arguments: [
        ("Åbo", "abo"), ("ÅBO", "abo"), ("L’Aquila", "l aquila"), ("  a - b  ", "a b"), ("cœur", "coeur"),
        ("Йошкар-Ола", "иошкар ола"), ("e\u{301}", "e"), ("東京", "東京"), ("", ""), ("--", ""), ("😀 x", "x"),
        ("ＡｂＯ－１\u{3000}ｘ", "abo 1 x"),
    ])
    func `names are folded to lower case, letters without accents and single spaces`(
        name: String, folded: String
    ) {
        #expect(String(decoding: folding.fold(name), as: UTF8.self) == folded)
        #expect(folding.fold(utf8: Array(name.utf8)[...]) == folding.fold(name))
    }

    @Test(arguments: [
        ("turku", "turku", 0), ("turku", "truku", 1), ("turku", "turk", 1), ("turku", "turkku", 1),
        ("turku", "tuxku", 1),
        ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3),
    ])
    func `typing mistakes are counted, and swapped letters are one`(
        word: String, other: String, distance: Int
    ) {
        var measure = EditDistance(from: Array(word.utf8))
        #expect(measure.distance(to: Array(other.utf8), isBegun: false) == distance)
    }

    @Test(arguments: [
        ("hels", "helsinki", 0), ("hlesi", "helsinki", 1), ("helsinki", "hels", 4), ("xyz", "abc", 3),
    ])
    func `for the beginning of a word, the rest of the other word doesn't count`(
        word: String, other: String, distance: Int
    ) {
        var measure = EditDistance(from: Array(word.utf8))
        #expect(measure.distance(to: Array(other.utf8), isBegun: true) == distance)
    }

    @Test func `the nearest words come first, and short words have no neighbours`() {
        let words = Vocabulary(Array("helsingborg\nhelsinki\nlondon\nlyndon\nturku".utf8))
        func nearest(_ word: String, isBegun: Bool = false) -> [String] {
            words.nearest(to: Array(word.utf8), isBegun: isBegun).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(nearest("helsinkk") == ["helsinki"] && nearest("helsnk", isBegun: true) == ["helsinki"])
        #expect(nearest("londin") == ["london"] && nearest("londen") == ["london"])
        #expect(nearest("lon").isEmpty && nearest("zzzzzz").isEmpty)
        #expect(Vocabulary([]).nearest(to: Array("word".utf8), isBegun: true).isEmpty)
    }

    @Test(
        arguments: [
            ("york", "york", MatchQuality.exact), ("york", "yorkton", .begins),
            ("new y", "new york city", .begins),
            ("york", "york city", .firstWords), ("york n", "new york", .words),
            ("york city", "new york city", .words), ("york", "new york", .words),
            ("york", "norfolk", nil), ("york new", "york newark", .begins),
            ("yor new", "york newark", nil),
        ] as [(String, String, MatchQuality?)])
    func `a name matches exactly, by its beginning, by its words, or not`(
        typed: String, name: String, fit: MatchQuality?
    ) {
        let query = NameQuery(typed.split(separator: " ").map { Array($0.utf8) })
        #expect(query.fit(Array(name.utf8)) == fit)
    }

    @Test func `search words are quoted for the index`() {
        let query = NameQuery([Array("or".utf8), Array("a\"b".utf8)])
        #expect(query.expression(isLastBegun: true) == "(\"or\") AND (\"ab\"*)")
    }
}
