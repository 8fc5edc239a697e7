import RhumbCore
import RhumbTestSupport
import Testing

struct GeometryTests {
    /// Returns the points of each part of a feature with the commands; nil if it is rejected.
    static func parts(_ kind: VectorFeature.Kind, _ commands: [UInt32]) throws -> [[[Int]]]? {
        let bytes = VectorTileFixture([("l", [.init(kind, commands)])]).bytes
        let layer = try #require(try VectorTile(bytes).layer(named: "l"))
        var reader = GeometryReader()
        guard reader.read(layer.features[0], of: layer) else { return nil }
        let geometry = reader.geometry
        return (0..<geometry.partCount).map { part in
            geometry.points[geometry.part(part)].map { [Int($0.x), Int($0.y)] }
        }
    }

    @Test(
        arguments: [
            (.point, [9, 50, 34], [[[25, 17]]]),
            (.point, [17, 10, 14, 3, 9], [[[5, 7]], [[3, 2]]]),
            (.line, [9, 4, 4, 18, 0, 16, 16, 0], [[[2, 2], [2, 10], [10, 10]]]),
            (
                .line, [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8],
                [[[2, 2], [2, 10], [10, 10]], [[1, 1], [3, 5]]]
            ),
            (.polygon, [9, 6, 12, 18, 10, 12, 24, 44, 15], [[[3, 6], [8, 12], [20, 34]]]),
        ] as [(VectorFeature.Kind, [UInt32], [[[Int]]])])
    func `the examples of the specification are read`(
        kind: VectorFeature.Kind, commands: [UInt32], expected: [[[Int]]]
    ) throws {
        #expect(try Self.parts(kind, commands) == expected)
    }

    @Test func `rings are grouped into polygons by their direction`() throws {
        let commands: [UInt32] = [
            9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15, 9, 22, 2, 26, 18, 0, 0, 18, 17, 0, 15, 9, 4, 13, 26, 0, 8,
            8, 0,
            0, 7, 15,
        ]
        let bytes = VectorTileFixture([("l", [.init(.polygon, commands)])]).bytes
        let layer = try #require(try VectorTile(bytes).layer(named: "l"))
        var reader = GeometryReader()
        let isRead = reader.read(layer.features[0], of: layer)
        try #require(isRead)
        let geometry = reader.geometry
        #expect((0..<3).map(geometry.doubleArea(ofPart:)) == [200, 162, -32])
        #expect(geometry.polygons == [[0..<4], [4..<8, 8..<12]])
    }

    @Test(
        arguments: [
            (.unknown, [9, 0, 0]), (.point, [9, 0]), (.point, [0xFFFF_FFF9, 0, 0]), (.point, [10, 0, 0]),
            (.point, [12, 0, 0]), (.line, [18, 0, 0, 0, 0]), (.line, [17, 0, 0, 0, 0]),
            (.line, [9, 0, 0, 15]),
            (.polygon, [9, 0, 0, 18, 2, 2, 2, 2, 23]), (.point, [9, 0xFFFF_FFFF, 0]),
            (.point, [9, 1 << 26, 0]),
            (.line, [9, 1 << 25, 0, 10, 1 << 25, 0]),
        ] as [(VectorFeature.Kind, [UInt32])])
    func `damaged commands discard the feature`(kind: VectorFeature.Kind, commands: [UInt32]) throws {
        #expect(try Self.parts(kind, commands) == nil)
    }

    @Test(
        arguments: [
            (.line, [9, 4, 4]), (.line, [9, 4, 4, 9, 2, 2, 10, 2, 2]), (.polygon, [9, 0, 0, 10, 2, 2, 15]),
            (.polygon, [9, 0, 0, 18, 2, 2, 2, 0]), (.polygon, [15]), (.point, []),
        ] as [(VectorFeature.Kind, [UInt32])])
    func `parts that are too short are omitted`(kind: VectorFeature.Kind, commands: [UInt32]) throws {
        let parts = try #require(try Self.parts(kind, commands))
        #expect(parts.allSatisfy { $0 == [[3, 3], [4, 4]] })
    }
}
