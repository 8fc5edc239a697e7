import RhumbCore
import RhumbTestSupport
import Testing

struct FieldSizeTests {
    private typealias Feature = VectorTileFixture.Feature

    private func sizes(_ features: [Feature]) throws -> (fields: [String: FieldSize], whole: LayerSize) {
        let tile = try VectorTile(VectorTileFixture([("roads", features)]).bytes)
        return (try tile.fieldSizes(ofLayer: 0), try tile.size(ofLayer: 0))
    }

    @Test func `each feature counts, and each value once`() throws {
        let (fields, whole) = try sizes([
            Feature(.point, [9, 0, 0], [("name", .string("Quay")), ("lanes", .number(2))]),
            Feature(.point, [9, 0, 0], [("name", .string("Quay"))]),
            Feature(.point, [9, 0, 0], [("name", .string("Pier"))]),
        ])
        let name = try #require(fields["name"]), lanes = try #require(fields["lanes"])
        #expect(name.features == 3 && name.values.count == 2)
        #expect(lanes.features == 1 && lanes.values.count == 1)
        // A name of 4 bytes with 2 of header, two values of 4 with 2 + 2 of headers, and two references of a
        // byte in three features.
        #expect(name.bytes == 6 + 2 * 8 + 3 * 2)
        // The headers of the lists of references belong to no field.
        #expect(name.bytes + lanes.bytes == whole.attributeBytes - 3 * 2)
    }

    @Test func `a shared value counts for its first field, and is equal in other tiles`() throws {
        let shared = try sizes([Feature(.point, [9, 0, 0], [("a", .bool(true)), ("b", .bool(true))])]).fields
        let alone = try sizes([Feature(.point, [9, 0, 0], [("b", .bool(true))])]).fields
        let a = try #require(shared["a"]), b = try #require(shared["b"])
        #expect(a.bytes > b.bytes && a.values == b.values && alone["b"]?.values == b.values)
        let other = try sizes([Feature(.point, [9, 0, 0], [("b", .bool(false))])]).fields
        #expect(other["b"]?.values.isDisjoint(with: b.values) == true)
    }
}
