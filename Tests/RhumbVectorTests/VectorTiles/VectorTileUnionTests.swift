import RhumbTestSupport
@testable import RhumbVector
import Testing

/// Tests the union of vector tiles.
struct VectorTileUnionTests {
    private typealias Feature = VectorTileFixture.Feature

    private func point(_ x: Int, _ attributes: [(String, VectorValue)] = [], id: UInt64? = nil) -> Feature {
        Feature(.point, [9, UInt32(2 * x), 0], attributes, id: id)
    }

    private func features(_ tile: [UInt8], _ name: String) throws -> [[String: VectorValue]] {
        let layer = try #require(try VectorTile(tile).layer(named: name))
        return layer.features.compactMap { layer.attributes(of: $0) }
    }

    @Test func `layers of different names are copied byte for byte`() throws {
        let a = VectorTileFixture([("a", [point(1)])]).bytes, b = VectorTileFixture([("b", [point(2)])]).bytes
        #expect(try VectorTile.union([a, b]) == a + b)
        #expect(try VectorTile.union([a, []]) == a)
    }

    @Test func `features of one layer keep their attributes, and equal ones are united`() throws {
        let name = ("name", VectorValue.string("Quay")), lanes = ("lanes", VectorValue.number(2))
        let a = VectorTileFixture([("roads", [point(1, [name], id: 7), point(2)])])
        let b = VectorTileFixture([("roads", [point(3, [lanes, name]), point(1, [name], id: 7)])])
        let united = try VectorTile.union([a.bytes, b.bytes])
        #expect(try VectorTile(united).layerNames == ["roads"])
        let found = try features(united, "roads")
        #expect(found == [["name": .string("Quay")], [:], ["lanes": .number(2), "name": .string("Quay")]])
        let layer = try #require(try VectorTile(united).layer(named: "roads"))
        #expect(layer.keys == ["name", "lanes"] && layer.values.count == 2 && layer.version == 2)
        #expect(layer.features.map(\.id) == [7, nil, nil])
    }

    @Test func `coordinates are converted to the extent of the first layer`() throws {
        var fine = VectorTileFixture([("l", [Feature(.line, through: [(0, 0), (4096, 2048)])])])
        var coarse = VectorTileFixture([("l", [Feature(.polygon, through: [(0, 0), (8, 0), (8, 8)])])])
        fine.extent = 4096
        coarse.extent = 16
        let layer = try #require(
            try VectorTile(VectorTile.union([fine.bytes, coarse.bytes])).layer(named: "l"))
        var reader = GeometryReader()
        #expect(layer.extent == 4096 && layer.features.map(\.kind) == [.line, .polygon])
        let isRead = reader.read(layer.features[1], of: layer)
        #expect(isRead)
        #expect(reader.geometry.points == [.init(0, 0), .init(2048, 0), .init(2048, 2048)])
    }

    @Test func `a damaged tile is an error`() {
        #expect(throws: VectorTileFailure.self) { try VectorTile.union([[0x1A, 0x7F], []]) }
    }
}
