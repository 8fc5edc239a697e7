import RhumbCore
import RhumbTestSupport
import Testing

struct VectorTileTests {
    typealias Fixture = VectorTileFixture

    /// A complete tile with a layer "p", which has a point with id 1 and k = v at (25, 17).
    static let onePoint: [UInt8] = [
        0x1A, 0x1F, 0x0A, 0x01, 0x70, 0x12, 0x0D, 0x08, 0x01, 0x12, 0x02, 0x00, 0x00, 0x18, 0x01, 0x22, 0x03,
        0x09, 0x32, 0x22, 0x1A, 0x01, 0x6B, 0x22, 0x03, 0x0A, 0x01, 0x76, 0x28, 0x80, 0x20, 0x78, 0x02,
    ]

    @Test func `a tile returns its layer, the feature and its attributes`() throws {
        let tile = try VectorTile(Self.onePoint)
        let layer = try #require(try tile.layer(named: "p"))
        let feature = try #require(layer.features.first)
        #expect(tile.layerNames == ["p"] && layer.extent == 4096 && layer.version == 2)
        #expect(feature.kind == .point && feature.id == 1)
        #expect(layer.attributes(of: feature) == ["k": .string("v")])
        var reader = GeometryReader()
        let isRead = reader.read(feature, of: layer)
        #expect(isRead && reader.geometry.points == [SIMD2(25, 17)])
    }

    @Test func `empty data is a tile without layers`() throws {
        #expect(try VectorTile([]).layerNames == [])
        #expect(try VectorTile([]).layer(named: "p") == nil)
    }

    @Test func `every kind of value is read`() throws {
        let values: [([UInt8], VectorValue?)] = [
            ([0x0A, 2, 0xC3, 0xA9], .string("é")), ([0x15, 0, 0, 0x20, 0x41], .number(10)),
            ([0x19, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F], .number(0.5)), ([0x20, 7], .number(7)),
            ([0x20] + Fixture.varint(UInt64(bitPattern: -7)), .number(-7)), ([0x28, 7], .number(7)),
            ([0x30, 13], .number(-7)), ([0x38, 1], .bool(true)), ([], nil), ([0x0A, 9], nil),
        ]
        let body = Fixture.message(1, [0x6C]) + values.flatMap { Fixture.message(4, $0.0) }
        let layer = try #require(try VectorTile(Fixture.message(3, body)).layer(named: "l"))
        #expect(layer.values == values.map(\.1))
    }

    @Test func `text that is not UTF-8 becomes replacement characters`() throws {
        let body =
            Fixture.message(1, [0x6C]) + Fixture.message(3, [0xFF]) + Fixture.message(4, [0x0A, 1, 0xFE])
        let layer = try #require(try VectorTile(Fixture.message(3, body)).layer(named: "l"))
        #expect(layer.keys == ["\u{FFFD}"] && layer.values == [.string("\u{FFFD}")])
    }

    @Test(
        arguments: [
            [0, 0, 0], [0, 9], [9, 0],
        ] as [[UInt32]])
    func `tags with an odd count or invalid indices are rejected`(tags: [UInt32]) throws {
        let feature = Fixture.packed(2, tags) + [0x18, 1] + Fixture.packed(4, [9, 0, 0])
        let body =
            Fixture.message(1, [0x6C]) + Fixture.message(2, feature)
            + Fixture.message(3, [0x6B]) + Fixture.message(4, [0x38, 1])
        let layer = try #require(try VectorTile(Fixture.message(3, body)).layer(named: "l"))
        #expect(layer.attributes(of: layer.features[0]) == nil)
    }

    @Test func `numbers that are not packed are read too`() throws {
        let feature = [0x10, 0, 0x10, 0, 0x18, 1, 0x20, 9, 0x20, 50] + Fixture.packed(4, [34])
        let body =
            Fixture.message(1, [0x6C]) + Fixture.message(2, feature)
            + Fixture.message(3, [0x6B]) + Fixture.message(4, [0x38, 1])
        let layer = try #require(try VectorTile(Fixture.message(3, body)).layer(named: "l"))
        var reader = GeometryReader()
        #expect(layer.attributes(of: layer.features[0]) == ["k": .bool(true)])
        let isRead = reader.read(layer.features[0], of: layer)
        #expect(isRead && reader.geometry.points == [SIMD2(25, 17)])
    }

    @Test(
        arguments: [
            [0x1A, 0x05, 0x0A], [0x1A], [0x80], [0x02, 0x00], [0x1B], [0x18, 0x01],
            Array(repeating: 0xFF, count: 11),
            [0x1A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
        ] as [[UInt8]])
    func `bytes that are not a tile are rejected`(bytes: [UInt8]) {
        #expect(throws: VectorTileFailure.self) { try VectorTile(bytes) }
    }

    @Test func `a damaged feature is omitted, and the others stay`() throws {
        let body =
            Fixture.message(1, [0x6C]) + Fixture.message(2, [0x22, 9]) + Fixture.message(2, [0x18, 1])
        let layer = try #require(try VectorTile(Fixture.message(3, body)).layer(named: "l"))
        #expect(layer.features.count == 1 && layer.damagedCount == 1)
    }

    @Test(arguments: [0, 1 << 21, Int.max]) func `an invalid extent discards the layer`(
        extent: Int
    ) throws {
        var fixture = Fixture([("l", [])])
        fixture.extent = extent
        let tile = try VectorTile(fixture.bytes)
        #expect(throws: VectorTileFailure.self) { try tile.layer(named: "l") }
    }

    @Test func `any truncated or changed tile is read or rejected but never crashes`() throws {
        var random = SplitMix(seed: 7)
        let whole = Self.sample.bytes
        for length in whole.indices { Self.readAll(Array(whole[..<length])) }
        for _ in 0..<3000 {
            var changed = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            Self.readAll(changed)
        }
        #expect(Self.readAll(whole) == 3)
    }

    private static let sample = Fixture([
        ("roads", [.init(.line, through: [(0, 0), (4096, 4096), (10, -80)], [("kind", .string("path"))])]),
        (
            "water",
            [
                .init(
                    .polygon, through: [(0, 0), (10, 0), (10, 10)],
                    [("area", .number(50)), ("salt", .bool(true))]),
                .init(.point, through: [(7, 8)]),
            ]
        ),
    ])

    /// Reads the complete tile and counts its valid features.
    @discardableResult private static func readAll(_ bytes: [UInt8]) -> Int {
        guard let tile = try? VectorTile(bytes) else { return 0 }
        var reader = GeometryReader()
        var count = 0
        for name in tile.layerNames {
            guard let layer = try? tile.layer(named: name) else { continue }
            for feature in layer.features {
                let isWhole = layer.attributes(of: feature) != nil && reader.read(feature, of: layer)
                _ = reader.geometry.polygons
                count += isWhole ? 1 : 0
            }
        }
        return count
    }
}
