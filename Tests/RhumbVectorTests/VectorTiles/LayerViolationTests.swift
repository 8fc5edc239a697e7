import RhumbBase
import RhumbGeo
import RhumbTestSupport
import Testing

@testable import RhumbVector

/// Tests the violations of the format that readers tolerate.
struct LayerViolationTests {
    /// The fields of a layer with a point.
    private struct Parts {
        var name = VectorTileFixture.message(1, Array("a".utf8))
        var feature = Parts.type(1) + Parts.point
        var keys = VectorTileFixture.message(3, Array("k".utf8))
        var value = VectorTileFixture.message(1, Array("v".utf8))
        var extent = Parts.number(5, 4096)
        var version = Parts.number(15, 2)

        static let point = VectorTileFixture.packed(4, [9, 2, 2])

        static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
            VectorTileFixture.varint(field << 3) + VectorTileFixture.varint(value)
        }
        static func type(_ value: UInt64) -> [UInt8] { number(3, value) }

        var bytes: [UInt8] {
            VectorTileFixture.message(
                3,
                name + VectorTileFixture.message(2, feature) + keys + VectorTileFixture.message(4, value)
                    + extent + version)
        }
    }

    private func violations(_ change: (inout Parts) -> Void) throws -> [String] {
        var parts = Parts()
        change(&parts)
        return try LayerCheck(VectorTile(parts.bytes), layer: 0).violations
    }

    @Test func `a layer that follows the specification has none`() throws {
        #expect(try violations { _ in } == [])
        #expect(try violations { $0.extent = [] } == [])
        #expect(try violations { $0.version = Parts.number(15, 1) } == [])
        #expect(try violations { $0.feature = Parts.type(0) + Parts.point } == [])
    }

    @Test func `versions, extents, names and values of the wrong type are named`() throws {
        #expect(try violations { $0.version = [] } == ["it has no version"])
        #expect(try violations { $0.version = Parts.number(15, 99) } == ["its version 99 is unknown"])
        let text = VectorTileFixture.message(15, Array("2".utf8))
        #expect(try violations { $0.version = text } == ["its version is not a number"])
        let size = VectorTileFixture.message(5, Array("4096".utf8))
        #expect(try violations { $0.extent = size } == ["its extent is not a number"])
        #expect(try violations { $0.keys = Parts.number(3, 7) } == ["a name of an attribute is not a text"])
        for value in [[], Parts.number(1, 7), Parts.number(20, 7), Parts.number(4, 7) + Parts.number(4, 7)] {
            #expect(try violations { $0.value = value } == ["1 value not of exactly one known type"])
        }
    }

    @Test func `features without a type or with other than one geometry are counted`() throws {
        #expect(try violations { $0.feature = Parts.point } == ["1 feature without a type"])
        #expect(
            try violations { $0.feature = Parts.type(8) + Parts.point } == ["1 feature of an unknown type"])
        #expect(try violations { $0.feature = Parts.type(1) } == ["1 feature without a geometry"])
        #expect(
            try violations { $0.feature = Parts.type(1) + Parts.point + Parts.point }
                == ["1 feature with several geometries"])
        let line = Parts.type(2) + VectorTileFixture.packed(4, [9, 2, 2, 18, 2, 2, 0, 0])
        #expect(try violations { $0.feature = line } == ["1 feature with a point twice in a row"])
    }

    @Test func `a layer without a name is skipped and reported`() throws {
        var parts = Parts()
        parts.name = []
        let tile = try VectorTile(parts.bytes)
        #expect(tile.layerNames == [] && tile.skippedParts == "1 layer without a name")
    }

    @Test(arguments: [1, 2]) func `a line may be closed in version 1 only`(version: Int) throws {
        var fixture = VectorTileFixture([("a", [.init(.line, [9, 0, 0, 18, 4, 0, 0, 4, 15])])])
        fixture.version = version
        let layer = try VectorTile(fixture.bytes).layer(at: 0)
        var reader = GeometryReader()
        #expect(reader.read(layer.features[0], of: layer) == (version == 1))
        #expect(reader.geometry.points == (version == 1 ? [[0, 0], [2, 0], [2, 2], [0, 0]] : []))
    }
}

/// Tests numbers beyond those that doubles have exactly.
struct LargeNumberTests {
    private static let numbers: [VectorValue] = [
        VectorValue(Int64(1_234_567_890_123_456_789)), VectorValue(Int64.min + 1), VectorValue(UInt64.max),
        VectorValue(UInt64(1) << 63 + 1), VectorValue(UInt64(1) << 63), VectorValue(Int64(5)),
    ]
    private static let texts = [
        "1234567890123456789", "-9223372036854775807", "18446744073709551615", "9223372036854775809",
        "9223372036854775808", "5",
    ]

    @Test func `attributes and ids are exact in GeoJSON, and in tiles made from it`() throws {
        let attributes = Self.numbers.enumerated().map { ("n\($0)", $1) }
        let feature = VectorTileFixture.Feature(.point, [9, 2, 2], attributes, id: .max)
        let tile = try VectorTile(VectorTileFixture([("a", [feature])]).bytes)
        let text = String(decoding: TileGeoJSON(tile, at: .world).text, as: UTF8.self)
        for number in Self.texts { #expect(text.contains(":\(number)")) }
        #expect(text.contains(#""id":18446744073709551615"#))
        let again = try FeatureCollection(JSON.parse(text)).tile(.world)
        let layer = try VectorTile(again).layer(at: 0), copy = try #require(layer.features.first)
        #expect(copy.id == .max)
        #expect(layer.attributes(of: copy) == Dictionary(uniqueKeysWithValues: attributes))
    }

    @Test func `numbers that only differ beyond doubles are different, and have a range`() throws {
        let values = [Int64.max, .max - 1, .max - 2].map { VectorValue($0) }
        let features = values.map { VectorTileFixture.Feature(.point, [9, 2, 2], [("n", $0)]) }
        let layers = try features.map { try VectorTile(VectorTileFixture([("a", [$0])]).bytes) }
        #expect(try VectorTile.differences(layers[0], layers[1]).count == 1)
        #expect(try VectorTile.differences(layers[0], layers[0]).isEmpty)
        var summary = LayerSummary()
        for tile in layers { summary.merge(LayerSummary(try tile.layer(at: 0))) }
        let field = try #require(summary.fields["n"])
        #expect(field.minimum == values[2] && field.maximum == values[0] && field.types == [.number])
        #expect(
            try layers[0].fieldSizes(ofLayer: 0)["n"]?.values != layers[1].fieldSizes(ofLayer: 0)["n"]?.values
        )
    }

    @Test func `JSON has whole numbers up to 2^64 - 1 exactly`() throws {
        for text in Self.texts { #expect(try JSON.parse(text).text == text) }
        #expect(try JSON.parse("18446744073709551616") == .number(0x1p64))
    }
}
