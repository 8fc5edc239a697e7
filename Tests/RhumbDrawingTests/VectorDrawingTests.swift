import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

/// A source with a single vector tile that counts how often it is read.
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
        guard tile == id else { return .absent }
        reads.add(1, ordering: .relaxed)
        return .bitmap(.encoded(bytes))
    }
}

/// Fetches and stores nothing.
private struct NoFetcher: TileFetcher {
    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        throw TileFailure(.offline, "not here")
    }
}

struct VectorDrawingTests {
    private static func painters(_ colour: String) throws -> [TileSchema: VectorPainter] {
        let style = try Style([
            "version": 8, "sources": ["v": ["type": "vector"]],
            "layers": [
                ["id": "b", "type": "background", "paint": ["background-color": .string(colour)]],
                [
                    "id": "n", "type": "symbol", "source": "v", "source-layer": "l",
                    "layout": ["text-field": "{name}"],
                ],
            ],
        ])
        return [.other: VectorPainter(style, source: "v")]
    }

    private static let id = TileID.world.children[0].children[0].children[3]
    private static let bytes = VectorTileFixture([
        ("l", [.init(.point, through: [(10, 10)], [("name", .string("Turku"))])])
    ]).bytes

    private static func layer(_ data: OneTile) throws -> TileLayer {
        let info = TileSourceInfo(name: "test", zooms: 2...3)
        return TileLayer(id: "test", source: data, info: info)
            .drawn(by: VectorDrawing(info, painters: try painters("#102030")))
    }

    /// Returns a view within the tile, this many zooms deeper.
    private static func view(deeper: Double) -> Viewport {
        let middle = Mercator.coordinate(WorldPoint(x: (Double(id.x) + 0.3) / 8, y: (Double(id.y) + 0.3) / 8))
        return Viewport(camera: Camera(center: middle, zoom: 4 + deeper), columns: 8, rows: 4)
    }

    @Test func `a tile is a picture of the layer's size`() async throws {
        let layer = try Self.layer(OneTile(Self.id, Self.bytes)), harness = EngineHarness()
        await harness.show(Self.view(deeper: 0), [layer])
        guard case .ready(let raster) = harness.state(layer, Self.id) else {
            Issue.record("no picture")
            return
        }
        #expect(layer.tileSize == .pixels512 && raster.width == 512 && raster.isOpaque)
        #expect(Array(raster.pixels[0..<3]) == [0x10, 0x20, 0x30])
    }

    @Test func `a tile is a failure with a reason if none of its layers can be read`() async throws {
        var fixture = VectorTileFixture([("l", [.init(.point, through: [(10, 10)])])])
        fixture.extent = 1 << 30
        let layer = try Self.layer(OneTile(Self.id, fixture.bytes)), harness = EngineHarness()
        await harness.show(Self.view(deeper: 0), [layer])
        guard case .failed(let failure) = harness.state(layer, Self.id) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.reason == .badContent && failure.message.contains("an extent of 1073741824"))
    }

    @Test func `missing data is absent`() async throws {
        let layer = try Self.layer(OneTile(.world.children[3], Self.bytes)), harness = EngineHarness()
        await harness.show(Self.view(deeper: 0), [layer])
        #expect(harness.state(layer, Self.id) == .absent)
        #expect(try LayerFeatures(layer, NoFetcher())?.labels(of: Self.id, at: 3, in: .local) == nil)
    }

    @Test func `pictures of all zooms, labels and features come from a tile that is read once`() async throws
    {
        let data = OneTile(Self.id, Self.bytes), layer = try Self.layer(data), harness = EngineHarness()
        for deeper in [0.0, 1, 3, 2] {
            let view = Self.view(deeper: deeper)
            await harness.show(view, [layer])
            #expect(
                harness.engine.board.scene(of: view, layers: [layer]).layers.allSatisfy { $0.gaps.isEmpty })
        }
        let described = try #require(LayerFeatures(layer, NoFetcher()))
        #expect(try described.labels(of: Self.id, at: 3, in: .local)?.map(\.text) == ["Turku"])
        let corner = WorldPoint(x: Double(Self.id.x) / 8, y: Double(Self.id.y) / 8)
        #expect(try described.features(at: corner, zoom: 5, reach: 0.01).map(\.styleLayers) == [["n"]])
        #expect(data.reads.load(ordering: .relaxed) == 1)
    }

    @Test func `a reloaded layer is read again`() async throws {
        let data = OneTile(Self.id, Self.bytes), layer = try Self.layer(data), harness = EngineHarness()
        await harness.show(Self.view(deeper: 0), [layer])
        await harness.engine.reload(layer: layer.id)
        await harness.show(Self.view(deeper: 0), [layer])
        #expect(data.reads.load(ordering: .relaxed) == 2)
    }

    @Test(arguments: [[0x1A], [0xFF, 0xFF], Array("<html>".utf8)] as [[UInt8]])
    func `bytes that are no vector tile fail by name`(bytes: [UInt8]) async throws {
        let layer = try Self.layer(OneTile(Self.id, bytes)), harness = EngineHarness()
        await harness.show(Self.view(deeper: 0), [layer])
        guard case .failed(let failure) = harness.state(layer, Self.id) else {
            Issue.record("no failure")
            return
        }
        #expect(failure.reason == .badContent && failure.message.hasPrefix("test \(Self.id): "))
    }

    @Test func `another style draws the same tiles without reading them again`() async throws {
        let data = OneTile(Self.id, Self.bytes), harness = EngineHarness()
        var layer = try Self.layer(data)
        await harness.show(Self.view(deeper: 0), [layer])
        let drawing = try #require(layer.drawing as? VectorDrawing)
        layer = layer.named("other")
        layer.drawing = drawing.restyled(try Self.painters("#AABBCC"))
        await harness.show(Self.view(deeper: 0), [layer])
        guard case .ready(let raster) = harness.state(layer, Self.id) else { return }
        #expect(
            Array(raster.pixels[0..<3]) == [0xAA, 0xBB, 0xCC] && data.reads.load(ordering: .relaxed) == 1)
    }
}
