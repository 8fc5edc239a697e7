import Rhumb
import RhumbBrowser
import Testing

@testable import RhumbMain

/// The texts for users and other programs.
struct WordingTests {
    @Test func `a source that is written wrong is answered with the one that was meant`() {
        let failure = MapOpenFailure.unknown("osn", among: ["osm", "demo-traffic"])
        for failure in [failure, RegionFailure.map(failure)] as [any Error] {
            #expect(FailureText.sentence(failure).hasSuffix("; did you mean osm?"))
        }
        let other = FailureText.sentence(MapOpenFailure.unknown("quite-another", among: ["osm"]))
        #expect(other.hasSuffix("; see rhumb source list"))
    }

    @Test func `what a style loses is said in one sentence`() {
        #expect(FailureText.leftOut(["no 3D"], of: "a.json") == "a.json: no 3D")
        #expect(
            FailureText.leftOut(["no 3D", "no sky"], of: "a.json").contains(
                "2 parts can't be drawn, e.g. no 3D"))
    }

    @Test func `facts stand in columns for people, and all of them in the object for programs`() {
        var sheet = FactSheet(), inner = FactSheet()
        sheet.add("zooms", "zoom levels", "0-14", ["lowest": 0])
        sheet.add("bytes", nil, "hidden")
        inner.add("name", "name", "")
        sheet.add("source", inner)
        #expect(sheet.text == "zoom levels  0-14\nname         -\n")
        #expect(sheet.json == ["zooms": ["lowest": 0], "bytes": "hidden", "source": ["name": ""]])
    }
}
