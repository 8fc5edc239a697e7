import Rhumb
import RhumbBrowser
import Testing

@testable import RhumbMain

/// Tests the text for users and for other programs.
struct WordingTests {
    @Test func `the error for a misspelt source suggests the nearest one`() {
        let failure = MapOpenFailure.unknown("osn", among: ["osm", "demo-traffic"])
        for failure in [failure, OfflineFailure.map(failure)] as [any Error] {
            #expect(FailureText.sentence(failure).hasSuffix("; did you mean osm?"))
        }
        let other = FailureText.sentence(MapOpenFailure.unknown("quite-another", among: ["osm"]))
        #expect(other.hasSuffix("; see rhumb source list"))
    }

    @Test func `only a map without vector tiles is called an image map`() {
        var layer = TileLayer()
        #expect(StyleSamples.problem(of: [layer]).contains("image map"))
        layer.drawing = VectorDrawing(layer.info, painters: [:])
        #expect(StyleSamples.problem(of: [layer]).contains("its own style"))
        layer.openedBy = EmbeddedWorld.name
        #expect(StyleSamples.problem(of: [layer]).contains("built-in world has one style"))
    }

    @Test func `the omitted parts of a style are described in one sentence`() {
        #expect(FailureText.leftOut(["no 3D"], of: "a.json") == "a.json: no 3D")
        #expect(
            FailureText.leftOut(["no 3D", "no sky"], of: "a.json").contains(
                "2 parts can't be drawn, e.g. no 3D"))
    }

    @Test func `facts are printed in columns as text, and completely as a JSON object`() {
        var sheet = FactSheet(), inner = FactSheet()
        sheet.add("zooms", "zoom levels", "0-14", ["lowest": 0])
        sheet.add("bytes", nil, "hidden")
        inner.add("name", "name", "")
        sheet.add("source", inner)
        #expect(sheet.text == "zoom levels  0-14\nname         -\n")
        #expect(sheet.json == ["zooms": ["lowest": 0], "bytes": "hidden", "source": ["name": ""]])
    }
}
