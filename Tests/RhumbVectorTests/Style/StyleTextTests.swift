import RhumbCore
import RhumbTestSupport
import Testing

struct StyleTextTests {
    private func places(_ text: String) throws -> [String] {
        let style = try StyleText(Array(text.utf8))
        return style.style.findings.map {
            "\(style.location(of: $0.path).line):\(style.location(of: $0.path).column) \($0)"
        }
    }

    @Test func `each omitted part has its line and column`() throws {
        let found = try places(
            """
            {
              "version": 7,
              "sources": {
                "v": {"type": "vector"},
                "é": {"type": "video"}, "w": {"type": "geojson"}
              },
              "layers": [
                {"id": "glow", "type": "line", "source": "v", "source-layer": "l",
                 "paint": {"line-color": "nocolour",
                           "line-glow": 3}},
                {"type": "fill"},
                {"id": "b", "type": "fill", "source": "nowhere"},
                {"id": "c", "type": "sky", "source": "v"},
                {"id": "d", "type": "fill", "source": "v"},
                {"id": "e", "ref": "e"},
                {"id": "f", "type": "line", "source": "v", "source-layer": "l", "filter": ["what"]},
                {"id": "f", "type": "background"}
              ]
            }
            """)
        #expect(
            found.map { $0.split(separator: ":").prefix(2).joined(separator: ":") } == [
                "2:3 version", "5:5 sources", "5:29 sources", "9:16 layer glow", "10:16 layer glow",
                "11:5 layers", "12:33 layer b",
                "13:17 layer c", "14:5 layer d", "15:17 layer e", "16:69 layer f", "17:6 layer f",
            ])
    }

    @Test(arguments: [
        (#"{"version":8,"#, "line 1, column 14", true), ("{\n\"é\": tru}", "line 2, column 6", false),
        ("", "line 1, column 1", true),
        ("{\"a\":\"\u{1}\"}", "line 1, column 7", false),
    ])
    func `a text that is not JSON is reported with the position and whether it was truncated`(
        text: String, place: String, isCutOff: Bool
    ) throws {
        let failure = try #require(throws: StyleFailure.self) { try StyleText(Array(text.utf8)) }
        #expect(failure.location?.description == place && failure.isCutOff == isCutOff)
    }

    @Test func `a hundred megabytes are rejected before they are read`() {
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 100 << 20)
        #expect(throws: StyleFailure.tooLong) { try StyleText(text) }
    }

    @Test(
        arguments: [
            ("line-width", ["concat", "a", "b"]), ("line-width", ["upcase", "a"]),
            ("line-width", ["==", 1, 2]),
            ("line-width", ["interpolate", ["linear"], ["zoom"], 5, "a", 9, 2]),
            ("line-width", ["*", "a", 2]),
            ("line-width", ["step", ["geometry-type"], 1, 5, 2]), ("line-width", ["case", 3, 1, 2]),
            ("line-color", ["+", 1, 2]),
            ("line-color", ["has", "x"]), ("line-dasharray", ["zoom"]), ("line-width", ["rgb", 1, "b", 2]),
            ("line-width", ["string", ["get", "w"]]), ("line-width", ["to-string", 3]), ("line-width", true),
        ] as [(String, JSON)])
    func `an expression of the wrong type is reported`(property: String, value: JSON) throws {
        let style = try StyleFixture.layer(
            paint: .object([property: value].reduce(into: JSONObject()) { $0[$1.key] = $1.value }))
        #expect(style.findings.map(\.property) == [property])
        #expect(style.findings.allSatisfy { $0.problem.contains(" is needed") }, "\(style.findings)")
    }

    @Test(
        arguments: [
            ("line-width", ["get", "w"]), ("line-width", ["coalesce", ["get", "w"], 2]),
            ("line-width", ["to-number", "3"]),
            ("line-color", ["get", "colour"]), ("line-color", ["concat", "#", "fff"]),
            ("line-color", ["to-color", ["get", "c"]]),
            ("line-width", ["let", "a", 3, ["var", "a"]]),
            ("line-width", ["match", ["get", "x"], "a", 1, 2]),
            ("line-width", ["length", ["get", "name"]]), ("line-width", ["number", ["get", "w"], 1]),
            ("line-dasharray", ["literal", [1, 2]]),
            ("line-width", ["at", 0, ["literal", [1]]]), ("line-width", ["max", 1, ["id"]]),
        ] as [(String, JSON)])
    func `an expression of the right or an unknown type is accepted`(property: String, value: JSON) throws {
        let style = try StyleFixture.layer(
            paint: .object([property: value].reduce(into: JSONObject()) { $0[$1.key] = $1.value }))
        #expect(style.findings.isEmpty, "\(style.findings)")
    }
}
