import RhumbCore
import RhumbTestSupport
import Testing

struct FeatureClassesTests {
    private typealias Feature = VectorTileFixture.Feature

    private static let features: [Feature] = [
        Feature(.line, [9, 0, 0], [("kind", .string("road")), ("name", .string("a"))]),
        Feature(
            .line, [9, 0, 0], [("kind", .string("road")), ("name", .string("b")), ("lanes", .number(2))]),
        Feature(.point, [9, 0, 0], [("kind", .string("road")), ("name", .string("c"))]),
        Feature(.line, [9, 0, 0], [("kind", .string("path")), ("name", .string("a"))]),
        Feature(.line, [9, 0, 0], [("kind", .string("road"))]),
    ]

    private func classes(
        _ filter: JSON, type: String = "line", _ features: [Feature] = features
    ) throws -> [Int32] {
        let style = try StyleFixture.layer(
            type, filter: filter, layout: type == "symbol" ? ["text-field": "{name}"] : [:])
        let tile = try VectorTile(VectorTileFixture([("l", features)]).bytes)
        let use = style.featureUse(ofLayer: "l", source: "v")
        return try #require(tile.layer(named: "l", by: use)).classes
    }

    @Test(
        arguments: [
            (["==", ["get", "kind"], "road"], [0, 0, 1, 2, 0]),
            (["has", "name"], [0, 0, 1, 0, 2]),
            (["all", ["has", "name"], ["==", ["get", "kind"], "road"]], [0, 0, 1, 2, 3]),
            (["==", ["get", ["concat", "ki", ["get", "nd"]]], "road"], [0, 1, 2, 3, 4]),
            (["==", ["id"], 7], [0, 1, 2, 3, 4]),
        ] as [(JSON, [Int32])])
    func `features that a style can't distinguish are equal`(filter: JSON, expected: [Int32]) throws {
        #expect(try classes(filter) == expected)
    }

    @Test func `names don't distinguish features if they are only displayed`() throws {
        #expect(try classes(["==", ["get", "kind"], "road"], type: "symbol") == [0, 0, 1, 2, 0])
    }

    @Test func `each of many kinds is a class`() throws {
        let many = (0..<500).map { Feature(.line, [9, 0, 0], [("kind", .string("\($0 % 250)"))]) }
        #expect(try classes(["==", ["get", "kind"], "1"], many) == (0..<500).map { Int32($0 % 250) })
    }

    /// Each filter's result for a class must equal that for each of its features.
    @Test(arguments: 0..<20) func `the result for an example holds for its class`(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let features = (0..<200).map { _ in
            Feature(
                [.point, .line, .polygon].randomElement(using: &random) ?? .line, [9, 0, 0],
                ["a", "b", "c"].compactMap { key in
                    Bool.random(using: &random)
                        ? (key, .number(Double(Int.random(in: 0..<4, using: &random)))) : nil
                })
        }
        let filter: JSON = [
            "any", ["all", ["has", "a"], [">", ["to-number", ["get", "b"]], 1]],
            ["==", ["geometry-type"], "Point"],
        ]
        let style = try StyleFixture.layer(filter: filter)
        let tile = try VectorTile(VectorTileFixture([("l", features)]).bytes)
        let layer = try #require(tile.layer(named: "l", by: style.featureUse(ofLayer: "l", source: "v")))
        var context = StyleContext(style, zoom: 3)
        context.enter(layer.layer)
        let expression = try #require(style.layers[0].filter)
        let answers = layer.map(&context) { expression.admits(&$0) }
        for (index, feature) in layer.layer.features.enumerated() {
            let isEntered = context.enter(feature)
            #expect(isEntered && expression.admits(&context) == answers[Int(layer.classes[index])])
        }
    }
}
