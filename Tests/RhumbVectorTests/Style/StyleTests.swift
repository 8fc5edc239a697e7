import RhumbCore
import RhumbTestSupport
import Testing

struct StyleTests {
    @Test(
        arguments: [
            ("#f00", 0xFF0000, 1), ("#F008", 0xFF0000, 136.0 / 255), ("#102030", 0x102030, 1),
            ("#10203080", 0x102030, 128.0 / 255),
            ("rgb(1, 2, 3)", 0x010203, 1), ("rgba(1,2,3,0.5)", 0x010203, 0.5),
            ("rgb(1 2 3 / 50%)", 0x010203, 0.5),
            ("rgb(100%,0%,0%)", 0xFF0000, 1), ("hsl(120, 100%, 50%)", 0x00FF00, 1),
            ("hsla(240,100%,25%,.5)", 0x000080, 0.5),
            ("hsl(-120,100%,50%)", 0x0000FF, 1), (" Red ", 0xFF0000, 1), ("rebeccapurple", 0x663399, 1),
            ("transparent", 0, 0),
        ] as [(String, UInt32, Double)])
    func `CSS colours are read`(text: String, hex: UInt32, alpha: Double) throws {
        let colour = try #require(StyleColour(css: text))
        #expect(colour.rgb == RGB(hex) && abs(colour.alpha - alpha) < 1e-9)
    }

    @Test(arguments: [
        "", "#", "#12", "#12345", "#ggg", "#+10203", "rgb(1,2)", "rgb(a,b,c)", "hsl(1)", "nocolour", "rgb",
        "()",
    ])
    func `texts that aren't colours are rejected`(text: String) { #expect(StyleColour(css: text) == nil) }

    @Test(arguments: ["", "[]", "{}", "{\"layers\":{}}", "3", "{\"version\":8"])
    func `a document that is not a style is rejected`(text: String) {
        #expect(throws: StyleFailure.self) { try Style(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            (["id": "x", "type": "fill", "source": "nowhere"], "layer x: source"),
            (["id": "x", "type": "fill", "source": "v"], "layer x: source-layer"),
            (["id": "x", "type": "sky", "source": "v"], "layer x: type"), (["id": "x"], "layer x: type"),
            (["type": "fill"], "layers"), (["id": "x", "ref": "x"], "layer x: ref"),
            (
                ["id": "x", "type": "line", "source": "v", "source-layer": "l", "filter": ["what", 1]],
                "layer x: filter"
            ),
            ("text", "layers"),
        ] as [(JSON, String)])
    func `a layer that can't be drawn is omitted and reported`(layer: JSON, start: String) throws {
        let style = try StyleFixture.style([layer])
        #expect(style.layers.isEmpty)
        #expect(style.findings.count == 1 && style.findings.first?.description.hasPrefix(start + ":") == true)
    }

    @Test(
        arguments: [
            (["line-width": "wide"], "line-width"), (["line-color": "nocolour"], "line-color"),
            (["line-color": 3], "line-color"),
            (["line-glow": 3], "line-glow"), (["line-width": ["stops": 3]], "line-width"),
            (["line-dasharray": ["a"]], "line-dasharray"),
        ] as [(JSON, String)])
    func `a property that can't be used is reported`(paint: JSON, property: String) throws {
        let style = try StyleFixture.layer(paint: paint)
        #expect(style.layers.count == 1)
        #expect(style.findings.map(\.property) == [property])
    }

    @Test func `properties without an effect are listed by layer`() throws {
        let style = try StyleFixture.layer(
            paint: ["line-blur": 1, "line-width": 2, "line-translate": [1, 2]],
            layout: ["line-sort-key": 1, "visibility": "visible"])
        #expect(style.findings.isEmpty && style.unused.map(\.layer) == ["a"])
        #expect(style.unused[0].names == ["line-sort-key", "line-blur"])
        #expect(
            style.unused[0].path == [
                "layers", .element(0), .member("layout"), .member("line-sort-key"),
            ])
        #expect(style.unusedSummary == "no effect in cells: line-blur, line-sort-key, in 1 layer")
    }

    @Test(arguments: [("fill", "circle-radius"), ("fill", "fill-extrusion-color"), ("line", "resampling")])
    func `a property of another layer type is reported`(type: String, property: String) throws {
        let style = try StyleFixture.layer(type, paint: JSON(dictionaryLiteral: (property, 1)))
        #expect(
            style.findings.map(\.description)
                == ["layer a: \(property): no property of \(type) layers; ignored"])
    }

    @Test func `parts of a style besides layers that are not drawn are reported once`() throws {
        let style = try Style([
            "version": 8, "sources": [:], "layers": [], "sky": ["sky-color": "#fff"], "fog": [:],
            "terrain": ["source": "dem"],
            "light": [:], "transition": [:],
        ])
        #expect(
            style.findings.map(\.description)
                == ["sky", "fog", "terrain"].map { "\($0): not supported; ignored" })
        #expect(style.findings.map(\.path) == [["sky"], ["fog"], ["terrain"]])
    }

    @Test func `findings contain no terminal control sequences`() throws {
        let style = try StyleFixture.style([["id": "a\u{1B}[2J", "type": "\u{9B}x"]])
        #expect(
            style.findings.map(\.description) == [
                "layer a[2J: type: x is not supported; the layer was ignored"
            ])
    }

    @Test func `a layer is shown between its zooms`() throws {
        let style = try StyleFixture.style([
            ["id": "a", "type": "background", "minzoom": 3, "maxzoom": 5],
            ["id": "b", "type": "background", "layout": ["visibility": "none"]],
        ])
        #expect([2.9, 3, 4.9, 5].map { style.layers[0].isShown(at: $0) } == [false, true, true, false])
        #expect(!style.layers[1].isShown(at: 4))
    }

    @Test func `a layer in the old syntax takes its features from the one it refers to`() throws {
        let style = try StyleFixture.style([
            [
                "id": "a", "type": "line", "source": "v", "source-layer": "l",
                "filter": ["==", "kind", "path"],
            ],
            ["id": "b", "ref": "a", "paint": ["line-width": 4]],
        ])
        var context = StyleContext(style, zoom: 0)
        #expect(style.findings.isEmpty && style.layers[1].sourceLayer == "l" && style.layers[1].filter != nil)
        #expect(style.layers[1].number(.lineWidth, &context) == 4)
    }

    @Test func `any changed style is read or rejected but never crashes`() throws {
        var random = SplitMix(seed: 11)
        let whole = Array(
            ##"{"version":8,"sources":{"v":{"type":"vector"}},"layers":[{"id":"a","type":"line","source":"v","source-layer":"l","filter":["all",["==","a",1],["has","b"]],"paint":{"line-width":["interpolate",["linear"],["zoom"],1,2,3,["get","w"]],"line-color":{"stops":[[1,"#fff"],[2,"red"]]}}}]}"##
                .utf8)
        var read = 0
        for _ in 0..<3000 {
            var changed = whole
            changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(
                in: 32...126, using: &random)
            guard let style = try? Style(changed) else { continue }
            var context = StyleContext(style, zoom: 2)
            for layer in style.layers {
                _ = layer.number(.lineWidth, &context)
                _ = layer.colour(.lineColour, &context)
                _ = layer.filter?.admits(&context)
            }
            read += 1
        }
        #expect(read > 100)
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: [("osm-bright", 123, 0), ("dark-matter", 47, 0), ("maplibre-demo", 7, 0)])
    func `real styles are read`(name: String, layers: Int, findings: Int) throws {
        let bytes = try #require(TestData.bytes(of: "styles/\(name).json"))
        let style = try Style(bytes)
        #expect(style.layers.count == layers)
        #expect(style.findings.count == findings, "\(style.findings.map(\.description))")
    }
}
