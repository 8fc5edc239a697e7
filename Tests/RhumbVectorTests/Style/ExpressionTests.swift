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
        (#"["join",["split","a-b","-"],"+"]"#, "a+b"),
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
            (#"["step",["zoom"],"low",5,"mid",10,"high"]"#, 4.9, "low"),
            (#"["step",["zoom"],"low",5,"mid",10,"high"]"#, 5, "mid"),
            (#"["step",["zoom"],"low",5,"mid",10,"high"]"#, 12, "high"),
            (#"["interpolate",["linear"],["zoom"],0,0,10,20]"#, 5, "10"),
            (#"["interpolate",["linear"],["zoom"],0,0,10,20]"#, 11, "20"),
            (#"["interpolate",["linear"],["zoom"],4,1,10,20]"#, 0, "1"),
            (#"["interpolate",["exponential",2],["zoom"],0,0,2,3]"#, 1, "1"),
            (##"["interpolate",["linear"],["zoom"],0,"#000",10,"#fff"]"##, 2, "rgba(51,51,51,1)"),
            (#"["interpolate",["linear"],["zoom"],0,["literal",[0,2]],10,["literal",[10,4]]]"#, 5, "[5,3]"),
        ] as [(String, Double, String)])
    func `ramps follow the zoom`(expression: String, zoom: Double, expected: String) throws {
        #expect(try Self.value(expression, zoom: zoom) == expected)
    }

    @Test func `a Bézier ramp has its end values and rises between them`() throws {
        let ramp = #"["interpolate",["cubic-bezier",0.4,0,0.6,1],["zoom"],0,0,10,1]"#
        let values = try (0...10).map {
            try #require(try Self.value(ramp, zoom: Double($0)).flatMap(Double.init))
        }
        #expect(values.first == 0 && values.last == 1 && abs(values[5] - 0.5) < 1e-6)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: [
        #"["/",0,0]"#, #"["at",9,["literal",[1]]]"#, #"["number","x"]"#, #"["case",["get","a"],2,3]"#,
        #"["+",["get","a"],1]"#,
        #"["slice","abc","x"]"#, #"["index-of","a",3]"#,
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
