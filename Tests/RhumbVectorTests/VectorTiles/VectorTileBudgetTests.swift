import RhumbCore
import RhumbTestSupport
import Testing

/// Tests vector tiles that would take far more memory than they have bytes.
struct VectorTileBudgetTests {
    private func layer(_ name: String, _ parts: [UInt8]) -> [UInt8] {
        VectorTileFixture.message(3, VectorTileFixture.message(1, Array(name.utf8)) + parts)
    }

    /// Returns a number of empty features, keys or values.
    private func empty(_ field: UInt8, _ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in [field << 3 | 2, 0] }
    }

    @Test(arguments: [2, 3, 4] as [UInt8])
    func `a tile that lists too much is rejected before its layers are decoded`(
        field: UInt8
    ) throws {
        let half = VectorTile.itemLimit / 2
        let most = layer("a", empty(field, half)) + layer("b", empty(field, half))
        #expect(try VectorTile(most).itemCount == VectorTile.itemLimit)
        #expect(throws: VectorTileFailure.self) { try VectorTile(most + layer("c", empty(field, 1))) }
    }

    @Test func `a tile with more bytes than the limit is rejected`() {
        let padding = VectorTileFixture.message(9, [UInt8](repeating: 0, count: VectorTile.sizeLimit))
        #expect(throws: VectorTileFailure.self) { try VectorTile(padding) }
    }

    @Test func `damage after a layer's name affects only that layer`() throws {
        let tile = try VectorTile(layer("bad", [2 << 3 | 2, 9, 0]) + layer("good", []))
        #expect(tile.layerNames == ["bad", "good"])
        #expect(throws: VectorTileFailure.self) { try tile.layer(named: "bad") }
        #expect(try tile.layer(named: "good") != nil)
    }

    @Test func `a feature with more numbers than the limit has no shape`() throws {
        let moves = [UInt8](repeating: 2, count: 6 << 20)
        let feature = VectorTileFixture.message(2, [3 << 3, 2] + VectorTileFixture.message(4, moves))
        let tile = try VectorTile(layer("a", feature))
        let layer = try #require(try tile.layer(named: "a"))
        var reader = GeometryReader()
        let isRead = reader.read(layer.features[0], of: layer)
        #expect(!isRead && reader.geometry.points.isEmpty)
    }
}
