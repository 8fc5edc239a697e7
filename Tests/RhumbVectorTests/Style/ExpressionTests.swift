import RhumbCore
import RhumbTestSupport
import Testing

struct ExpressionTests {
    static let attributes: [(String, VectorValue)] = [
        ("kind", .string("path")), ("width", .number(2.5)), ("toll", .bool(true)), ("name", .string("Åbo")),
    ]

    /// Returns the value of a JSON expression as text.
    static func value(_ text: String, zoom: Double = 0) throws -> String? {
        try StyleFixture.text(JSON.parse("[\"to-string\",\(text)]"), zoom: zoom, attributes)
    }

    /// Returns the number of a JSON expression; nil if it is reported.
    static func number(_ text: String, zoom: Double = 0) throws -> Double? {
        let style = try StyleFixture.layer(paint: ["line-width": JSON.parse(text)])
        guard style.findings.isEmpty else { return nil }
        var context = try StyleFixture.context(style, zoom: zoom, attributes)
        return style.layers.first?.number(.lineWidth, &context)
    }

    @Test(arguments: [
        (#"["get","kind"]"#, "path"), (#"["get","nothing"]"#, ""), (#"["has","toll"]"#, "true"),
        (#"["has","nothing"]"#, "false"), (#"["geometry-type"]"#, "LineString"), (#"["id"]"#, "7"),
        (#"["get","a",["literal",{"a":3}]]"#, "3"), (#"["has","b",["literal",{"a":3}]]"#, "false"),
        (#"["get",["concat","ki","nd"]]"#, "path"), (#"["length",["literal",[1,2]]]"#, "2"),
        (#"["length","Åbo"]"#, "3"), (#"["at",1,["literal",["a","b"]]]"#, "b"),
        (#"["in","b",["literal",["a","b"]]]"#, "true"),
        (#"["in","bo",["get","name"]]"#, "true"), (#"["index-of","o","Åbo"]"#, "2"),
        (#"["index-of","x","Åbo"]"#, "-1"),
        (#"["index-of","o","Åbo",9000000000000000000]"#, "-1"), (#"["slice","Åbo",1]"#, "bo"),
        (#"["slice","Åbo",0,-1]"#, "Åb"), (#"["get","width",["properties"]]"#, "2.5"),
    ])
    func `lookups find attributes and members`(expression: String, expected: String) throws {
        #expect(try Self.value(expression) == expected)
    }

    @Test(arguments: [
        ("[\"+\",1,2,3]", "6"), ("[\"-\",3]", "-3"), ("[\"-\",3,1]", "2"), ("[\"*\",2,3]", "6"),
        ("[\"/\",3,2]", "1.5"),
        ("[\"%\",7,4]", "3"), ("[\"^\",2,10]", "1024"), ("[\"min\",3,1]", "1"), ("[\"max\",3,1]", "3"),
        ("[\"abs\",-2]", "2"), ("[\"round\",-1.5]", "-2"), ("[\"floor\",1.9]", "1"), ("[\"ceil\",1.1]", "2"),
        ("[\"sqrt\",9]", "3"), ("[\"log2\",8]", "3"), ("[\"log10\",100]", "2"), ("[\"ln\",1]", "0"),
        (#"["upcase","åbo"]"#, "ÅBO"), (#"["downcase","ÅBO"]"#, "åbo"), (#"["concat","a",1,true]"#, "a1true"),
        (#"["typeof",["get","width"]]"#, "number"), (#"["to-number","x","12"]"#, "12"),
        (#"["to-boolean",""]"#, "false"),
        (#"["number",["get","kind"],["get","width"]]"#, "2.5"), (#"["rgb",255,0,0]"#, "rgba(255,0,0,1)"),
        (##"["to-color","#00f8"]"##, "rgba(0,0,255,0.5333333333333333)"),
        (#"["to-rgba",["rgba",1,2,3,1]]"#, "[1,2,3,1]"),
        (#"["format","a",{"font-scale":2},["get","kind"],{}]"#, "apath"), (#"["number-format",3,{}]"#, "3"),
        (#"["join",["split","a-b","-"],"+"]"#, "a+b"), (#"["join",["split","aä",""],"."]"#, "a.ä"),
        (#"["typeof",["literal",[1,2]]]"#, "array<number, 2>"),
        (#"["typeof",["literal",[]]]"#, "array<value, 0>"),
        (#"["typeof",["literal",["a",1]]]"#, "array<value, 2>"), (#"["to-number",""]"#, "0"),
        (#"["to-color",["literal",[255,0,0]]]"#, "rgba(255,0,0,1)"),
        (#"["to-rgba",["to-color",["literal",[1,2,3,0.5]]]]"#, "[1,2,3,0.5]"),
        (#"["in",["get","nothing"],["get","name"]]"#, "false"), (#"["in","a",["get","nothing"]]"#, "false"),
        (#"["index-of","b",["literal",["b","a","b"]],-2]"#, "2"), (#"["index-of","b","b",-9]"#, "0"),
        (#"["slice",["literal",[1,2,3]],-2]"#, "[2,3]"), (#"["semiliteral",[1,["get","width"]]]"#, "[1,2.5]"),
        (#"["array","number",2,["literal",[1,2]]]"#, "[1,2]"), (#"["to-string",1e-7]"#, "1e-7"),
        (#"["is-supported-script","Åbo"]"#, "true"), (#"["accumulated"]"#, ""),
        (#"["resolved-locale",["collator",{"locale":"sv"}]]"#, "sv"),
    ])
    func `functions return their values`(expression: String, expected: String) throws {
        #expect(try Self.value(expression) == expected)
    }

    @Test(arguments: [
        (#"["==",["get","kind"],"path"]"#, "true"), (#"["!=",["get","kind"],"path"]"#, "false"),
        ("[\"<\",1,2]", "true"),
        (#"[">=","b","a"]"#, "true"), (#"["all",true,["!",false]]"#, "true"),
        (#"["any",false,false]"#, "false"),
        (#"["case",false,1,true,2,3]"#, "2"), (#"["case",false,1,3]"#, "3"),
        (#"["match",["get","kind"],["track","path"],"small","big"]"#, "small"),
        (#"["match",5,4,"a","b"]"#, "b"),
        (#"["coalesce",["get","nothing"],["get","kind"]]"#, "path"),
        (#"["let","a",2,"b",3,["+",["var","a"],["let","a",10,["var","a"]],["var","b"]]]"#, "15"),
    ])
    func `decisions select a value`(expression: String, expected: String) throws {
        #expect(try Self.value(expression) == expected)
    }

    @Test(
        arguments: [
            (#"["step",["zoom"],1,5,2,10,3]"#, 4.9, 1), (#"["step",["zoom"],1,5,2,10,3]"#, 5, 2),
            (#"["step",["zoom"],1,5,2,10,3]"#, 12, 3),
            (#"["interpolate",["linear"],["zoom"],0,0,10,20]"#, 5, 10),
            (#"["interpolate",["linear"],["zoom"],0,0,10,20]"#, 11, 20),
            (#"["interpolate",["linear"],["zoom"],4,1,10,20]"#, 0, 1),
            (#"["interpolate",["exponential",2],["zoom"],0,0,2,3]"#, 1, 1),
            (#"["let","a",2,["interpolate",["linear"],["zoom"],0,["var","a"],10,["get","width"]]]"#, 10, 2.5),
        ] as [(String, Double, Double)])
    func `ramps follow the zoom`(expression: String, zoom: Double, expected: Double) throws {
        #expect(try Self.number(expression, zoom: zoom) == expected)
    }

    @Test(arguments: [
        ("interpolate", "#000", "#fff", "51,51,51,1"), ("interpolate", "red", "blue", "204,0,51,1"),
        ("interpolate", "red", "#0000ff00", "204,0,51,0.8"),
        ("interpolate", "transparent", "red", "51,0,0,0.2"),
        ("interpolate-hcl", "red", "blue", "255,0,61,1"), ("interpolate-lab", "red", "blue", "233,0,67,1"),
        ("interpolate-hcl", "#ccc", "red", "225,178,164,1"),
    ])
    func `colours are mixed in the style's colour space, regardless of their opacity`(
        name: String, first: String, second: String, expected: String
    ) throws {
        let ramp = #"["\#(name)",["linear"],2,0,["to-color","\#(first)"],10,["to-color","\#(second)"]]"#
        #expect(try Self.value(ramp) == "rgba(\(expected))")
    }

    @Test func `a Bézier ramp has its end values and rises between them`() throws {
        let ramp = #"["interpolate",["cubic-bezier",0.4,0,0.6,1],["zoom"],0,0,10,1]"#
        let values = try (0...10).map {
            try #require(try Self.number(ramp, zoom: Double($0)))
        }
        #expect(values.first == 0 && values.last == 1 && abs(values[5] - 0.5) < 1e-6)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: [
        #"["/",0,0]"#, #"["case",["get","a"],2,3]"#, #"["+",["get","a"],1]"#,
        #"["at",["length",["get","a"]],["literal",[1]]]"#, #"["index-of","a",["get","a"]]"#,
        #"["coalesce",["number",["get","a"]],7]"#, #"["get","a",["get","b"]]"#,
    ])
    func `a missing value leaves the default`(expression: String) throws {
        let style = try StyleFixture.layer(paint: ["line-width": JSON.parse(expression)])
        var context = try StyleFixture.context(style, [])
        #expect(style.findings.isEmpty && style.layers.first?.number(.lineWidth, &context) == 1)
    }

    @Test(arguments: [
        (#"["frobnicate",1]"#, "frobnicate"), (#"["var","a"]"#, "let"), (#"["match",1]"#, "match"),
        (#"["step",["zoom"],1,5,2,5,3]"#, "stops"),
        (#"["interpolate",["wild"],["zoom"],0,1]"#, "interpolate"),
        (#"["rgb",1]"#, "rgb"), (#"[1,2]"#, "operator"), (#"["get",{}]"#, "literal"),
        (#"["at",9,["literal",[1]]]"#, "no value"), (#"["number","x"]"#, "no value"),
        (#"["slice","abc","x"]"#, "number"), (#"["==",1,"a"]"#, "compare"),
        (#"["<",true,["get","a"]]"#, "compare"),
        (#"["match",["get","a"],["x",1],2,3]"#, "labels"), (#"["match",["get","a"],"x",1,"x",2,3]"#, "twice"),
        (#"["*",["zoom"],2]"#, "zoom"), (#"["case",["get","a"],["step",["zoom"],1,5,2],3]"#, "zoom"),
        (#"["interpolate",["linear"],["get","a"],0,["literal",["a"]],1,["literal",["b"]]]"#, "needed"),
        (#"["to-string",1]"#, "number"), (#"["case",["get","a"],"wide",2]"#, "wide"),
    ])
    func `an expression that can't be parsed is reported, and the default is used`(
        expression: String, word: String
    ) throws {
        let style = try StyleFixture.layer(paint: ["line-width": JSON.parse(expression)])
        #expect(style.findings.count == 1)
        #expect(style.findings.first?.description.hasPrefix("layer a: line-width: ") == true)
        #expect(style.findings.first?.problem.contains(word) == true)
        var context = StyleContext(style, zoom: 0)
        #expect(style.layers.first?.number(.lineWidth, &context) == 1)
    }

    @Test func `nested bindings cost no more than their text`() throws {
        var expression: JSON = ["var", "x30"]
        for depth in stride(from: 30, to: 0, by: -1) {
            let below = JSON.array(["var", .string("x\(depth - 1)")])
            expression = ["let", .string("x\(depth)"), ["+", below, below], expression]
        }
        let style = try StyleFixture.layer(paint: ["line-width": ["let", "x0", 1, expression]])
        var context = StyleContext(style, zoom: 0)
        #expect(style.layers.first?.number(.lineWidth, &context) == Double(1 << 30))
    }
}
