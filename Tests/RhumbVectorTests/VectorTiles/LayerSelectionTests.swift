import RhumbCore
import RhumbTestSupport
import Testing

struct LayerSelectionTests {
    private static func layer(_ name: String) -> [UInt8] {
        VectorTileFixture([(name, [.init(.point, through: [(1, 2)])])]).bytes
    }

    @Test func `layers are removed, and the rest is preserved byte for byte`() throws {
        let unknown: [UInt8] = [0x50, 7]
        let bytes = Self.layer("a") + unknown + Self.layer("b") + Self.layer("a") + Self.layer("c")
        #expect(try VectorTile.bytes(bytes) { $0 == "a" } == unknown + Self.layer("b") + Self.layer("c"))
        #expect(try VectorTile.bytes(bytes) { _ in true } == unknown)
        #expect(try VectorTile.bytes(bytes) { $0 == "d" } == nil)
        #expect(try VectorTile.bytes([]) { _ in true } == nil)
    }

    @Test func `data that is not a tile is rejected at any length`() {
        let bytes = Self.layer("a") + Self.layer("b")
        for count in 1..<bytes.count where count != Self.layer("a").count {
            #expect(throws: VectorTileFailure.self) {
                try VectorTile.bytes(Array(bytes.prefix(count))) { _ in false }
            }
        }
    }

    @Test func `the sizes of layers are reported`() throws {
        let tile = try VectorTile(Self.layer("a") + Self.layer("long"))
        #expect(
            tile.layerSizes.map(\.name) == ["a", "long"]
                && tile.layerSizes[1].bytes == tile.layerSizes[0].bytes + 3)
    }

    @Test func `a server's header can't claim that something was omitted`() {
        let freshness = Freshness(receivedAt: UnixSeconds(0), initialAge: 0, lifetime: 60)
        var response = StoredResponse(
            body: [1], freshness: freshness, headers: ["Rhumb-Omits": "terrain", "ETag": "\"1\""])
        #expect(response.omits == [])
        response.omits = ["terrain", "detailRendering"]
        #expect(response.omits == ["terrain", "detailRendering"] && response.headers["ETag"] == "\"1\"")
        response.omits = []
        #expect(response.headers["Rhumb-Omits"] == nil)
    }
}
