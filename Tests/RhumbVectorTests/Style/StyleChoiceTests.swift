import RhumbCore
import Testing

struct StyleChoiceTests {
    private static let typed: [(String, String?, String?)] = [
        ("default", nil, nil), ("osm bright.json", "osm bright.json", "osm bright.json"),
        ("day=a night=b", "a", "b"), ("night=b", nil, "b"),
        ("day=default night=/x/y=z.json", nil, "/x/y=z.json"),
        ("day=a moon=b", "day=a moon=b", "day=a moon=b"),
    ]

    @Test(arguments: typed)
    func `a style is entered alone or as a pair`(words: String, day: String?, night: String?) {
        let choice = StyleChoice(text: words)
        #expect(choice[.day] == day && choice[.night] == night)
        #expect(StyleChoice(text: choice.text) == choice)
    }

    @Test func `each part that is not Rhumb's own style is named once`() {
        #expect(StyleChoice("a").named == ["a"] && StyleChoice(day: "b", night: "a").named == ["a", "b"])
        #expect(StyleChoice.standard.named.isEmpty && StyleChoice.standard.text == "default")
    }

    @Test(arguments: [
        StyleChoice.standard, StyleChoice("a"), StyleChoice(day: "a", night: nil),
        StyleChoice(day: "a", night: "b"),
    ])
    func `a region stores the choice`(choice: StyleChoice) throws {
        var definition = try RegionDefinition(
            id: RegionID("a"), geometry: .box(.world), zooms: ZoomRange(0, 2), sources: ["osm"], features: [])
        definition.style = choice
        #expect(try RegionDefinition(json: definition.json).style == choice)
    }

    @Test(arguments: [
        ("auto", ThemeRule.terminal), ("sun", .sun), ("day", .always(.day)), ("night", .always(.night)),
    ])
    func `the choice between light and dark is one word`(words: String, rule: ThemeRule) {
        #expect(ThemeRule(text: words) == rule && ThemeRule(text: words + "x") == nil)
    }
}
