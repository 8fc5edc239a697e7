import RhumbCore
import RhumbTestSupport
import Testing

/// Tests malicious styles. Each is read with findings or rejected with a message.
struct HostileStyleTests {
    private func read(_ text: String) throws -> Style? {
        do throws(StyleFailure) {
            return try Style(Array(text.utf8))
        } catch {
            #expect(!error.description.isEmpty)
            return nil
        }
    }

    private func style(_ layers: String, sources: String = #""v":{"type":"vector"}"#) -> String {
        #"{"version":8,"sources":{\#(sources)},"layers":[\#(layers)]}"#
    }

    @Test func `layers that refer to each other in a cycle are omitted`() throws {
        let ring = #"{"id":"a","ref":"b"},{"id":"b","ref":"c"},{"id":"c","ref":"a"},{"id":"d","ref":"d"}"#
        let style = try #require(try read(style(ring)))
        #expect(style.layers.isEmpty && style.findings.count == 4)
    }

    @Test func `thousands of layers that refer to the last one and have patterns are read`() throws {
        let layers = (0..<20_000).map { #"{"id":"\#($0)","ref":"x","paint":{"fill-pattern":"p"}}"# }
        let last = #"{"id":"x","type":"fill","source":"v","source-layer":"l"}"#
        let sprites = (0..<10_000).map { #"{"id":"\#($0)","url":"https://s.example/\#($0)"}"# }
        let text =
            #"{"version":8,"sources":{"v":{"type":"vector"}},"sprite":[\#(sprites.joined(separator: ","))],"#
            + #""layers":[\#((layers + [last]).joined(separator: ","))]}"#
        let style = try StyleText(Array(text.utf8))
        #expect(style.style.layers.count == 20_001)
        #expect(LayerSets(style).sets.first?.count == 20_001)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "7", #""style""#, #"{"layers":7}"#, #"{"layers":[[]]}"#,
        #"{"version":8,"layers":[null,1,"x",{}]}"#,
        #"{"version":"8","sources":[],"layers":[]}"#,
        #"{"version":8,"sources":{"v":7,"w":{"type":[]}},"layers":[]}"#,
        #"{"version":8,"sources":{"v":{"type":"vector","tiles":"x","minzoom":-9,"maxzoom":1e300,"bounds":[1,2]}},"layers":[]}"#,
    ])
    func `values of wrong types are rejected or omitted`(text: String) throws { _ = try read(text) }

    private static let values = [
        "null", "7", "-1e308", "true", #""x""#, "[]", "{}", "[[[]]]", #"["get"]"#,
        #"["get",["get",["get"]]]"#,
        #"["interpolate"]"#, #"["interpolate",["linear"],["zoom"]]"#,
        #"["interpolate",["linear"],["zoom"],1,2,1,3]"#,
        #"["interpolate",["exponential",-3],["zoom"],0,"red",5,7]"#, #"["match"]"#, #"["match",["get","a"]]"#,
        #"["match",["get","a"],[1,"b"],2,3]"#, #"["step",["zoom"],1,5,2,4,3]"#, #"["case",1]"#,
        #"["let","a",["var","a"],["var","a"]]"#,
        #"["var","nobody"]"#, #"["literal"]"#, #"["at",99999999999,["literal",[1]]]"#,
        #"["slice","abc",-99,99999]"#,
        #"["/",1,0]"#, #"["%",1,0]"#, #"["^",1e300,1e300]"#, #"["rgba",-1,999,1e300,7]"#,
        #"["to-number","nan"]"#,
        #"{"stops":[]}"#, #"{"stops":[[1]]}"#, #"{"stops":[[0,1],[0,2]],"base":0}"#,
        #"{"base":1e300,"stops":[[0,1],[1,2]]}"#,
        #"{"property":7,"stops":[[{"zoom":0,"value":0},1]]}"#, #"["unknown-function",1,2]"#,
        #"["concat",["concat",["concat","x"]]]"#,
    ]

    @Test(arguments: values)
    func `any value of any property is read or reported, and can be evaluated`(value: String) throws {
        for property in StyleProperty.allCases {
            let kind = property.rawValue.split(separator: "-").first.map(String.init) ?? ""
            let type = ["text": "symbol", "icon": "symbol"][kind] ?? kind
            for group in ["paint", "layout"] {
                let text = style(
                    #"{"id":"a","type":"\#(type)","source":"v","source-layer":"l","filter":\#(value),"\#(group)":{"\#(property.rawValue)":\#(value)}}"#,
                    sources:
                        #""v":{"type":"\#(["raster": "raster", "hillshade": "raster-dem"][type] ?? "vector")","tiles":["x"]}"#
                )
                let whole = try #require(try read(text))
                for zoom in [-5, 0, 7.5, 99, .infinity, .nan] {
                    var context = StyleContext(whole, zoom: zoom)
                    for layer in whole.layers {
                        #expect(layer.number(property, &context).isFinite)
                        _ = (
                            layer.colour(property, &context), layer.text(property, &context),
                            layer.numbers(property, &context)
                        )
                        _ = (layer.flag(property, &context), layer.filter?.admits(&context))
                    }
                }
            }
        }
    }

    @Test(arguments: [100, 5_000, 200_000])
    func `deep nesting is read or rejected but never crashes`(depth: Int) throws {
        let deep = String(repeating: #"["!","#, count: depth) + "true" + String(repeating: "]", count: depth)
        _ = try read(style(#"{"id":"a","type":"fill","source":"v","source-layer":"l","filter":\#(deep)}"#))
        _ = try read(String(repeating: "[", count: depth))
        _ = try read(String(repeating: #"{"a":"#, count: depth))
    }

    @Test func `a thousand names, layers and findings are preserved`() throws {
        let layers = (0..<1000).map {
            #"{"id":"l\#($0)","type":"line","source":"v","source-layer":"x","paint":{"line-wat":\#($0)},"filter":["has","k\#($0)"]}"#
        }
        let style = try #require(try read(style(layers.joined(separator: ","))))
        #expect(style.layers.count == 1000 && style.findings.count == 1000)
    }

    @Test func `terminal control sequences in texts are removed`() throws {
        let style = try #require(
            try read(style(#"{"id":"\u001b[2J","type":"x\u0007"},{"id":"b","ref":"\u001b"}"#)))
        #expect(
            style.findings.allSatisfy {
                !$0.description.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
            })
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: ["osm-bright", "dark-matter", "maplibre-demo"])
    func `damaged real styles are read or rejected`(name: String) throws {
        let bytes = try #require(TestData.bytes(of: "styles/\(name).json"))
        var random = SplitMix(seed: 5)
        for _ in 0..<(Soak.isOn ? 2000 : 25) {
            guard let style = try? Style(Mutation.damaged(bytes, &random)) else { continue }
            var context = StyleContext(style, zoom: 9)
            for layer in style.layers { _ = layer.number(.lineWidth, &context) }
        }
    }
}
