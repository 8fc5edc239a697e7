import RhumbCore
import RhumbTestSupport
import Testing

struct StyleConversionTests {
    /// A style like those of TomTom, with keys and tags in URLs, and with numbers and texts in several
    /// notations.
    private static let base = ##"""
        {
          "version": 8, "name": "Day \u2013 main",
          "metadata": {"author": "me"},
          "sources": {
            "basic": {"type": "vector", "tiles": ["https://a.tiles.example/{layer}/{z}/{x}/{y}.pbf?key={maps_key}&view={view}&when={time}",
                "https://b.tiles.example/{layer}/{z}/{x}/{y}.pbf?key={maps_key}"], "maxzoom": 14.0},
            "hill": {"type": "raster", "url": "https://tiles.example/hill.json?key={maps_key}"},
            "flow": {"type": "vector", "tiles": ["https://tiles.example/traffic/{z}/{x}/{y}.pbf?key={traffic_key}&tags=[road_type]"]},
            "tomtom-position": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}}
          },
          "sprite": "sprites/day", "glyphs": "https://tiles.example/{fontstack}/{range}.pbf?key={maps_key}",
          "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": "#FFF"}},
            {"id": "roads", "type": "line", "source": "basic", "source-layer": "roads", "paint": {"line-width": 1.0, "line-color": "#abc"}},
            {"id": "shade", "type": "raster", "source": "hill", "layout": {"visibility": "none"}},
            {"id": "jams", "type": "line", "source": "flow", "source-layer": "l", "layout": {"visibility": "none", "line-cap": "round"}},
            {"id": "here", "type": "symbol", "source": "tomtom-position", "layout": {"text-size": 1.2e1}}
          ]
        }
        """##
    private static let keys = ["maps_key": "MAPS SECRET/1", "traffic_key": "TRAFFICSECRET"]

    private func node(_ text: String) throws -> JSONNode { try JSONNode.parse(Array(text.utf8)) }
    private func text(_ node: JSONNode) -> String { String(decoding: node.bytes, as: UTF8.self) }
    private func conversion() throws -> StyleConversion { try StyleConversion(base: try node(Self.base)) }

    private func options(_ visibility: StyleConversion.Visibility = .predefined) -> StyleConversion.Options {
        .init(visibility: visibility) { token, _ in Self.keys[token] }
    }

    // MARK: To the editor

    @Test func `the editor gets URLs that it can load`() throws {
        let style = try conversion().forEditor(options()).style.value
        #expect(
            style["sources"]?["basic"]?["tiles"] == [
                "https://a.tiles.example/basic/{z}/{x}/{y}.pbf?key=MAPS%20SECRET%2F1&view=Unified",
                "https://b.tiles.example/basic/{z}/{x}/{y}.pbf?key=MAPS%20SECRET%2F1",
            ])
        #expect(
            style["sources"]?["flow"]?["tiles"] == [
                "https://tiles.example/traffic/{z}/{x}/{y}.pbf?key=TRAFFICSECRET&tags=[road_type]"
            ])
        #expect(style["glyphs"] == "https://tiles.example/{fontstack}/{range}.pbf?key=MAPS%20SECRET%2F1")
    }

    @Test func `a style with thousands of sources is converted and restored`() throws {
        let sources = (0..<5000).map {
            #""s\#($0)":{"type":"vector","url":"https://tiles.example/\#($0)?key={maps_key}"}"#
        }
        let base = try node(#"{"version":8,"sources":{\#(sources.joined(separator: ","))},"layers":[]}"#)
        let conversion = try StyleConversion(base: base)
        let edited = conversion.forEditor(options())
        #expect(edited.remarks.isEmpty)
        #expect(
            edited.style["sources"]?["s7"]?["url"]?.string
                == "https://tiles.example/7?key=MAPS%20SECRET%2F1")
        #expect(text(try conversion.restored(edited.style).style) == text(base))
    }

    @Test func `the sprite and the glyphs are the given ones`() throws {
        var options = options()
        options.sprite = "http://localhost/sprite"
        options.glyphs = "http://localhost/{fontstack}/{range}.pbf"
        let style = try conversion().forEditor(options).style
        #expect(style["sprite"]?.string == "http://localhost/sprite")
        #expect(style["glyphs"]?.string == "http://localhost/{fontstack}/{range}.pbf")
        #expect(text(try conversion().restored(style).style) == Self.base)
    }

    @Test(
        arguments: [
            (.all, [true, true, true, true, true]), (.none, [false, false, false, false, false]),
            (.intact, [true, true, false, false, true]), (.predefined, [true, true, false, true, false]),
        ] as [(StyleConversion.Visibility, [Bool])])
    func `layers have the requested visibility`(visibility: StyleConversion.Visibility, shown: [Bool]) throws
    {
        let layers = try conversion().forEditor(options(visibility)).style["layers"]?.elements ?? []
        #expect(layers.map { $0["layout"]?["visibility"]?.string != "none" } == shown)
    }

    @Test func `a missing key is reported and left to be filled in`() throws {
        let made = try conversion().forEditor(.init { token, _ in token == "maps_key" ? "K" : nil })
        #expect(
            made.remarks == [
                "no key for {traffic_key} in https://tiles.example/traffic/{z}/{x}/{y}.pbf?key={traffic_key}&tags=[road_type]"
            ])
        #expect(text(made.style).contains("key={traffic_key}"))
    }

    // MARK: Round trips

    @Test(arguments: StyleConversion.Visibility.allCases)
    func `a round trip without an edit returns the base, byte for byte`(
        visibility: StyleConversion.Visibility
    ) throws {
        let there = try conversion().forEditor(options(visibility)).style
        #expect(text(try conversion().restored(try node(text(there))).style) == Self.base)
    }

    @Test(arguments: StyleConversion.Visibility.allCases)
    func `an editor may write the style in its own notation`(visibility: StyleConversion.Visibility) throws {
        let there = try conversion().forEditor(options(visibility)).style
        #expect(text(try conversion().restored(JSONNode(Self.reversed(there.value))).style) == Self.base)
    }

    @Test(
        .enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"),
        arguments: ["osm-bright", "dark-matter", "maplibre-demo"],
        StyleConversion.Visibility.allCases)
    func `real styles round-trip byte for byte`(name: String, visibility: StyleConversion.Visibility) throws {
        let bytes = try #require(TestData.bytes(of: "styles/\(name).json")), base = try JSONNode.parse(bytes)
        let there = try StyleConversion(base: base).forEditor(options(visibility)).style
        let back = try StyleConversion(base: base).restored(JSONNode(Self.reversed(there.value))).style
        #expect(back.bytes == base.bytes)
    }

    /// Returns the same value with its members in reverse order.
    private static func reversed(_ json: JSON) -> JSON {
        switch json {
        case .array(let values): .array(values.map(reversed))
        case .object(let members):
            .object(
                members.names.reversed().reduce(into: JSONObject()) { $0[$1] = members[$1].map(reversed) })
        default: json
        }
    }

    // MARK: Edits

    /// Returns the style after a change in the editor.
    private func edited(_ change: (inout JSONNode) -> Void) throws -> StyleConversion.Outcome {
        var there = try conversion().forEditor(options()).style
        change(&there)
        return try conversion().restored(try node(text(there)))
    }

    @Test func `a changed property is preserved, and so are its neighbours`() throws {
        let back = try edited { style in
            var layers = style["layers"]?.elements ?? []
            layers[1]["paint"]?["line-width"] = JSONNode(7)
            style["layers"] = JSONNode(.array(layers.map(\.value)))
        }
        #expect(text(back.style).contains(#""line-width": 7"#) && back.remarks.isEmpty)
        var base = try node(Self.base).value
        #expect(
            back.style["layers"]?.elements?[1].value == [
                "id": "roads", "type": "line", "source": "basic", "source-layer": "roads",
                "paint": ["line-width": 7, "line-color": "#abc"],
            ])
        base = try #require(base["sources"])
        #expect(back.style["sources"]?.value == base)
    }

    @Test func `new, removed and moved layers are preserved`() throws {
        let back = try edited { style in
            let layers = style["layers"]?.value.array ?? []
            style["layers"] = JSONNode(
                .array([layers[4], ["id": "mine", "type": "fill", "source": "basic"], layers[0], layers[2]]))
        }
        #expect(
            back.style["layers"]?.elements?.map { $0["id"]?.string } == ["here", "mine", "ground", "shade"])
        #expect(
            text(back.style).contains(
                #"{"id": "here", "type": "symbol", "source": "tomtom-position", "layout": {"text-size": 1.2e1}}"#
            ))
    }

    @Test func `layers that the user showed or hid are preserved`() throws {
        let back = try edited { style in
            var layers = style["layers"]?.value.array ?? []
            layers[2] = [
                "id": "shade", "type": "raster", "source": "hill", "layout": ["visibility": "visible"],
            ]
            layers[1] = [
                "id": "roads", "type": "line", "source": "basic", "source-layer": "roads",
                "layout": ["visibility": "none"],
            ]
            style["layers"] = JSONNode(.array(layers))
        }
        let shown = back.style["layers"]?.elements?.map { $0["layout"]?["visibility"]?.string }
        #expect(shown == [nil, "none", "visible", "none", nil])
    }

    @Test func `all other edits are preserved`() throws {
        let back = try edited { style in
            style["name"] = JSONNode("Mine")
            style["metadata"]?["maputnik:renderer"] = JSONNode("mlgljs")
            style["sources"]?["basic"]?["maxzoom"] = JSONNode(13)
            style["sources"]?["new"] = JSONNode(["type": "vector", "url": "https://else.example/x.json"])
            style["sources"]?["hill"] = nil
            style["light"] = JSONNode(["anchor": "map"])
        }.style.value
        #expect(back["name"] == "Mine" && back["light"] == ["anchor": "map"])
        #expect(back["metadata"] == ["author": "me", "maputnik:renderer": "mlgljs"])
        #expect(back["sources"]?["basic"]?["maxzoom"] == 13 && back["sources"]?["hill"] == nil)
        #expect(back["sources"]?["new"] == ["type": "vector", "url": "https://else.example/x.json"])
        #expect(
            back["sources"]?["basic"]?["tiles"] == (try node(Self.base).value["sources"]?["basic"]?["tiles"]))
    }

    @Test func `GeoJSON in the style may be edited`() throws {
        let data: JSON = ["type": "FeatureCollection", "features": [["type": "Feature"]]]
        let back = try edited { $0["sources"]?["tomtom-position"]?["data"] = JSONNode(data) }
        #expect(back.style["sources"]?["tomtom-position"]?["data"]?.value == data && back.remarks.isEmpty)
    }

    @Test func `a source that was redirected is restored to that of the base, and reported`() throws {
        let back = try edited {
            $0["sources"]?["hill"]?["url"] = JSONNode("https://other.example/?key=MAPS%20SECRET%2F1")
        }
        #expect(
            back.style["sources"]?["hill"]?["url"]?.string == "https://tiles.example/hill.json?key={maps_key}"
        )
        #expect(back.remarks == ["source hill has the URL of the base again; the edited one was dropped"])
    }

    @Test func `no key is restored, wherever the user copied it`() throws {
        let back = try edited { style in
            style["sources"]?["copy"] = JSONNode([
                "type": "raster", "url": "https://tiles.example/copy?key=MAPS%20SECRET%2F1",
            ])
            style["name"] = JSONNode("with TRAFFICSECRET in it, and MAPS SECRET/1")
            style["metadata"]?["mine"] = JSONNode("OTHERSECRET")
        }
        let written = text(back.style)
        #expect(
            !written.contains("SECRET/1") && !written.contains("SECRET%2F1")
                && !written.contains("TRAFFICSECRET"))
        #expect(back.style["name"]?.string == "with {traffic_key} in it, and {maps_key}")
        let hidden = try conversion().restored(back.style, hiding: ["OTHERSECRET"])
        #expect(!text(hidden.style).contains("OTHERSECRET"))
    }

    @Test func `a style whose metadata an editor removed is restored too`() throws {
        let back = try edited { $0["metadata"] = nil }
        #expect(back.style["metadata"] == nil && back.style["sprite"]?.string == "sprites/day")
    }

    // MARK: Rejections

    @Test(arguments: [
        ("7", "it is not a JSON object"), ("{}", "it has no \"layers\""),
        (#"{"layers":[]}"#, "it has no \"sources\""),
    ])
    func `a document that is not a style is rejected, with whether it is the base or the edited style`(
        text: String, problem: String
    ) throws {
        #expect(throws: StyleConversionFailure.noStyle(.base, problem: problem)) {
            try StyleConversion(base: try node(text))
        }
        #expect(throws: StyleConversionFailure.noStyle(.edited, problem: problem)) {
            try conversion().restored(try node(text))
        }
    }

    @Test func `a base of another style is rejected with the reason`() throws {
        let other = try StyleConversion(base: try node(Self.base.replacing("Day", with: "Night")))
        let there = try conversion().forEditor(options()).style
        #expect(throws: StyleConversionFailure.otherBase(reason: "its metadata name another style")) {
            try other.restored(there)
        }
        #expect(throws: StyleConversionFailure.otherBase(reason: "they have no common source")) {
            try conversion().restored(try node(#"{"sources":{"basic":{"type":"raster"}},"layers":[]}"#))
        }
        #expect(throws: StyleConversionFailure.otherBase(reason: "they have 1 common layers, of 5 and 3")) {
            try conversion().restored(
                try node(
                    ##"{"sources":{"basic":{"type":"vector"}},"layers":[{"id":"ground"},{"id":"a"},{"id":"b"}]}"##
                ))
        }
    }

    @Test(.enabled(if: TestData.isPresent, "RHUMB_TEST_DATA is not set"))
    func `two styles for the same tiles are not accepted as each other's base`() throws {
        let bright = try JSONNode.parse(try #require(TestData.bytes(of: "styles/osm-bright.json")))
        let dark = try JSONNode.parse(try #require(TestData.bytes(of: "styles/dark-matter.json")))
        #expect(throws: StyleConversionFailure.self) { try StyleConversion(base: bright).restored(dark) }
        #expect(throws: StyleConversionFailure.self) { try StyleConversion(base: dark).restored(bright) }
    }
}
