import RhumbCore
import RhumbTestSupport
import Testing

struct LayerDifferenceTests {
    private typealias Feature = VectorTileFixture.Feature

    private func tile(_ layers: [(name: String, features: [Feature])]) throws -> VectorTile {
        try VectorTile(VectorTileFixture(layers).bytes)
    }

    private func road(_ end: Int, _ name: String? = nil) -> Feature {
        Feature(.line, through: [(0, 0), (end, 9)], name.map { [("name", .string($0))] } ?? [])
    }

    /// Returns the differences of the layer "roads" as words, such as "changed name".
    private func differences(_ first: [Feature], _ second: [Feature]) throws -> [String] {
        let found = try VectorTile.differences(tile([("roads", first)]), tile([("roads", second)]))
        return (found.first?.features ?? []).map { feature in
            ([feature.kind.rawValue] + (feature.hasOtherShape ? ["shape"] : []) + feature.fields)
                .joined(separator: " ")
        }
    }

    @Test func `equal features in another order do not differ`() throws {
        let roads = [road(9, "Quay"), road(8, "Pier"), road(7)]
        #expect(try differences(roads, roads.reversed()).isEmpty)
    }

    @Test func `repeated features are counted`() throws {
        #expect(try differences([road(9), road(9)], [road(9)]) == ["removed"])
        #expect(try differences([road(9)], [road(9), road(9), road(9)]) == ["added", "added"])
    }

    @Test func `a value that is not a number does not differ from itself`() throws {
        let depth = Feature(.line, through: [(0, 0), (9, 9)], [("depth", .number(.nan))])
        #expect(try differences([depth], [depth]).isEmpty)
        #expect(try differences([depth], [road(9)]) == ["changed depth"])
    }

    @Test func `features without ids are matched by shape, or else by attributes`() throws {
        #expect(try differences([road(9, "Quay")], [road(9, "Pier")]) == ["changed name"])
        #expect(try differences([road(9, "Quay")], [road(5, "Quay")]) == ["changed shape"])
        #expect(try differences([road(9, "Quay")], [road(5, "Pier")]) == ["removed", "added"])
        #expect(try differences([road(9)], [road(5)]) == ["removed", "added"])
    }

    /// Encodes a tile with point features with ids.
    private func points(_ ids: [(id: UInt64, place: UInt32, value: UInt32)]) throws -> VectorTile {
        func field(_ number: UInt64, _ value: UInt64) -> [UInt8] {
            VectorTileFixture.varint(number << 3) + VectorTileFixture.varint(value)
        }
        var layer = VectorTileFixture.message(1, Array("pois".utf8))
        for (id, place, value) in ids {
            layer += VectorTileFixture.message(
                2,
                field(1, id) + VectorTileFixture.packed(2, [0, value]) + field(3, 1)
                    + VectorTileFixture.packed(4, [9, place, place]))
        }
        layer += VectorTileFixture.message(3, Array("name".utf8))
        for name in ["a", "b"] {
            layer += VectorTileFixture.message(4, VectorTileFixture.message(1, Array(name.utf8)))
        }
        return try VectorTile(VectorTileFixture.message(3, layer + field(15, 2)))
    }

    @Test func `features are matched by id even if both shape and attributes differ`() throws {
        let found = try VectorTile.differences(
            points([(1, 2, 0), (2, 4, 0), (3, 6, 0)]), points([(2, 8, 1), (1, 2, 0), (4, 6, 1)]))
        let features = try #require(found.first).features
        #expect(features.map(\.kind) == [.changed, .removed, .added])
        #expect(features.map(\.id) == [2, 3, 4])
        #expect(features[0].fields == ["name"] && features[0].hasOtherShape)
    }

    @Test func `layers and tiles that only one side has are added or removed`() throws {
        let roads = try tile([("roads", [road(9)])]),
            both = try tile([("roads", [road(9)]), ("lakes", [road(5)])])
        let added = try VectorTile.differences(roads, both)
        #expect(added.map(\.name) == ["lakes"] && added[0].features.map(\.kind) == [.added])
        #expect(try VectorTile.differences(both, nil).map(\.name) == ["roads", "lakes"])
        #expect(try VectorTile.differences(nil, both)[1].features.map(\.kind) == [.added])
        #expect(try VectorTile.differences(nil, nil).isEmpty)
    }
}
