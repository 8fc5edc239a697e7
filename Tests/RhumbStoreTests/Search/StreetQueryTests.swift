@testable import RhumbStore
import Testing

struct StreetQueryTests {
    private let folding = Folding("ss\tß\n")

    @Test(
        arguments: [
            ("via de neri", "via dei neri", MatchQuality.exact), ("v. roma", "via roma", .exact),
            ("v roma", "via roma antica", .firstWords),
            ("p.za duomo", "piazza del duomo", .exact), ("p.za duo", "piazza del duomo", .begins),
            ("pza duomo", "piazza duomo", .exact),
            ("hauptstr.", "hauptstrasse", .exact), ("str. mihai", "strada mihai", .exact),
            ("c.so italia", "corso italia", .exact),
            ("main st", "main street", .exact), ("st john", "saint john", .exact),
            ("s.croce", "piazza di santa croce", nil),
            ("p. santa croce", "piazza di santa croce", .exact), ("v. neri", "corso dei neri", nil),
            ("neri v.", "via dei neri", .words),
        ] as [(String, String, MatchQuality?)])
    func `street abbreviations match their words, and articles may differ`(
        typed: String, name: String, fit: MatchQuality?
    ) {
        #expect(StreetQuery(typed, folding)?.fit(Array(name.utf8)) == fit)
    }

    @Test(arguments: ["via roma", "duomo", "la", "x.y"])
    func `words without abbreviations and articles are unchanged`(typed: String) {
        #expect(StreetQuery(typed, folding) == nil)
    }
}
