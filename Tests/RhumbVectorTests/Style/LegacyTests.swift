import RhumbCore
import RhumbTestSupport
import Testing

struct LegacyTests {
    @Test(arguments: [
        (#"["==","kind","path"]"#, true), (#"["==","kind","road"]"#, false), (#"["!=","nothing","x"]"#, true),
        (#"["==","nothing","x"]"#, false), (#"["in","kind","road","path"]"#, true),
        (#"["!in","kind","road"]"#, true),
        (#"["has","width"]"#, true), (#"["!has","width"]"#, false), (#"[">","width",2]"#, true),
        (#"["<=","width",2]"#, false),
        (#"["<","kind",2]"#, false), (#"["==","$type","LineString"]"#, true),
        (#"["in","$type","Point","Polygon"]"#, false),
        (#"["==","$id",7]"#, true), (#"["all",["==","kind","path"],["has","width"]]"#, true),
        (#"["any",["==","kind","x"],["!has","width"]]"#, false), (#"["none",["==","kind","x"]]"#, true),
        (#"["all"]"#, true),
        (#"["any"]"#, false), (#"["any",["<","nothing",2],["==","kind","path"]]"#, true),
        (#"["any",["<","kind",2],["==","kind","path"]]"#, true), (#"["none",[">","nothing",2]]"#, true),
        (#"["!=","nothing",null]"#, true), (#"["==","nothing",null]"#, false),
        (#"["in","nothing",null]"#, false),
        (#"["in","kind"]"#, false), (#"["!in","kind"]"#, true), (#"["has","$type"]"#, true),
        (#"["==",["get","kind"],"PATH",["collator",{}]]"#, true),
        (#"["==",["get","kind"],"PATH",["collator",{"case-sensitive":true}]]"#, false),
        (#"["==",["get","kind"],"path"]"#, true), (#"["in",["get","kind"],["literal",["path"]]]"#, true),
        (#"["all",["has","width"],["!",["has","nothing"]]]"#, true), ("true", true),
        (#"["get","kind"]"#, false),
    ])
    func `filters in the old and the new syntax select features`(filter: String, passes: Bool) throws {
        let style = try StyleFixture.layer(filter: JSON.parse(filter))
        var context = try StyleFixture.context(
            style, [("kind", .string("path")), ("width", .number(2.5))], id: 7)
        #expect(style.findings.isEmpty)
        #expect(style.layers.first?.filter?.admits(&context) == passes)
    }

    @Test func `a filter of both syntaxes is applied and reported`() throws {
        let style = try StyleFixture.layer(filter: [
            "all", ["==", "kind", "path"], ["==", ["get", "width"], 2.5],
        ])
        var context = try StyleFixture.context(style, [("kind", .string("path")), ("width", .number(2.5))])
        #expect(style.findings.map(\.property) == ["filter"])
        #expect(style.layers.first?.filter?.admits(&context) == true)
    }

    @Test(
        arguments: [
            (#"{"stops":[[0,1],[10,11]]}"#, 5, 6), (#"{"base":2,"stops":[[0,0],[2,3]]}"#, 1, 1),
            (#"{"stops":[[5,3]]}"#, 0, 3),
            (#"{"type":"interval","stops":[[0,1],[5,2]]}"#, 4, 1),
            (#"{"property":"width","stops":[[0,0],[5,10]]}"#, 0, 5),
            (#"{"property":"kind","type":"categorical","stops":[["path",4],["road",8]]}"#, 0, 4),
            (#"{"property":"kind","stops":[["road",8]],"default":3}"#, 0, 3),
            (#"{"property":"width","type":"identity"}"#, 0, 2.5),
            (#"{"property":"none","type":"identity","default":9}"#, 0, 9),
            (#"{"property":"kind","type":"identity","default":9}"#, 0, 9),
            (#"{"property":"kind","stops":[[0,1],[5,2]],"default":9}"#, 0, 9),
            (#"{"property":"kind","type":"categorical","stops":[["path",4],["path",8]]}"#, 0, 4),
            (#"{"property":"width","type":"interval","stops":[[0,3],[2.5,5],[2.5,6]]}"#, 0, 5),
            (
                #"{"property":"width","stops":[[{"zoom":0,"value":0},0],[{"zoom":0,"value":5},10],[{"zoom":10,"value":0},20],[{"zoom":10,"value":5},20]]}"#,
                5, 12.5
            ),
        ] as [(String, Double, Double)])
    func `functions with stops return their values`(function: String, zoom: Double, expected: Double) throws {
        let style = try StyleFixture.layer(paint: ["line-width": JSON.parse(function)])
        var context = try StyleFixture.context(
            style, zoom: zoom, [("kind", .string("path")), ("width", .number(2.5))])
        #expect(style.findings.isEmpty)
        #expect(style.layers.first?.number(.lineWidth, &context) == expected)
    }

    @Test func `names in braces are replaced by attributes`() throws {
        let text = try StyleFixture.text(
            "{name} ({height} m){none}", [("name", .string("Åbo")), ("height", .number(12))])
        #expect(text == "Åbo (12 m)")
    }

    @Test(arguments: [("path", "{name}"), ("none", "Åbo")])
    func `names in braces are replaced in stops by zoom, not in stops by attribute`(
        kind: String, expected: String
    ) throws {
        let function: JSON =
            kind == "none"
            ? ["stops": [[0, "{name}"]]]
            : ["property": "kind", "type": "categorical", "stops": [[.string(kind), "{name}"]]]
        let text = try StyleFixture.text(function, [("name", .string("Åbo")), ("kind", .string(kind))])
        #expect(text == expected)
    }

    @Test func `functions interpolate colours`() throws {
        let style = try StyleFixture.layer(paint: [
            "line-color": ["stops": [[0, "#000000"], [10, "rgb(100, 200, 50)"]]]
        ])
        var context = StyleContext(style, zoom: 5)
        #expect(style.layers.first?.colour(.lineColour, &context).rgb == RGB(0x326419))
    }
}
