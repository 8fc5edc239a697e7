import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// A source of one vector tile that counts how often it is read.
private final class OneTile: TileLayerDataSource {
    let id: TileID
    let bytes: [UInt8]
    let reads = Atomic(0)

    init(_ id: TileID, _ bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }

    func hasTile(_ tile: TileID) -> Bool { tile.zoom <= 3 }

    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        reads.add(1, ordering: .relaxed)
        return tile == id ? .bitmap(.encoded(bytes)) : .absent
    }
}

struct VectorTileSourceTests {
    private static func painter(_ colour: String) throws -> VectorPainter {
        let style = try Style([
            "version": 8, "sources": ["v": ["type": "vector"]],
            "layers": [
                ["id": "b", "type": "background", "paint": ["background-color": .string(colour)]],
                [
                    "id": "n", "type": "symbol", "source": "v", "source-layer": "l", "layout": ["text-field": "{name}"],
                ],
            ],
        ])
        return VectorPainter(style, source: "v")
    }

    private static let id = TileID.world.children[0].children[0].children[3]
    private static let bytes = VectorTileFixture([
        ("l", [.init(.point, through: [(10, 10)], [("name", .string("Turku"))])])
    ]).bytes

    private static func source(_ data: any TileLayerDataSource) throws -> VectorTileSource {
        VectorTileSource(
            data, info: TileSourceInfo(name: "test", zooms: 2...3), painter: try painter("#102030"), schema: .other)
    }

    @Test func `a tile is a picture of the layer's size`() throws {
        let source = try Self.source(OneTile(Self.id, Self.bytes))
        guard case .bitmap(.raster(let raster)) = try source.tile(Self.id) else {
            Issue.record("no picture")
            return
        }
        #expect(source.info.tileSize == .pixels512 && raster.width == 512 && raster.isOpaque)
        #expect(Array(raster.pixels[0..<3]) == [0x10, 0x20, 0x30])
    }

    @Test func `what the data has not is absent`() throws {
        let source = try Self.source(OneTile(Self.id, Self.bytes))
        let other = try #require(TileID(zoom: 3, x: 7, y: 7))
        #expect(try source.tile(other) == .absent)
        #expect(try source.names(of: other, at: 3, in: .local)?.isEmpty != false)
    }

    @Test func `deeper zooms are drawn from the deepest data, read once`() throws {
        let data = OneTile(Self.id, Self.bytes)
        let source = try Self.source(data)
        #expect(source.info.zooms == 2...20 && source.hasTile(Self.id.children[0]))
        for child in Self.id.children + Self.id.children.flatMap(\.children) {
            guard case .bitmap(.raster) = try source.tile(child) else {
                Issue.record("no picture of \(child)")
                continue
            }
        }
        #expect(data.reads.load(ordering: .relaxed) == 1)
    }

    @Test(arguments: [[0x1A], [0xFF, 0xFF], Array("<html>".utf8)] as [[UInt8]])
    func `bytes that are no vector tile fail by name`(bytes: [UInt8]) throws {
        let source = try Self.source(OneTile(Self.id, bytes))
        let failure = #expect(throws: TileFailure.self) { try source.tile(Self.id) }
        #expect(failure?.reason == .badContent && failure?.message.hasPrefix("test \(Self.id): ") == true)
    }

    @Test func `another style draws the same tiles without reading them again`() throws {
        let data = OneTile(Self.id, Self.bytes)
        let source = try Self.source(data)
        _ = try source.tile(Self.id)
        let other = source.restyled(try Self.painter("#AABBCC"))
        guard case .bitmap(.raster(let raster)) = try other.tile(Self.id) else { return }
        #expect(Array(raster.pixels[0..<3]) == [0xAA, 0xBB, 0xCC] && data.reads.load(ordering: .relaxed) == 1)
    }

    @Test func `labels come with the tile`() throws {
        let source = try Self.source(OneTile(Self.id, Self.bytes))
        #expect(try source.names(of: Self.id, at: 3, in: .local)?.map(\.text) == ["Turku"])
    }
}
