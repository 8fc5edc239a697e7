import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbStore
import RhumbTestSupport

/// A server of vector tiles at zooms 0 to 2 behind the client, the shared cache and the engine. The western
/// half of each tile is a square in the layer "land".
struct VectorFixture {
    enum Packing: CaseIterable {
        case none, gzip, coded
    }

    let server: LoopbackServer
    let client: HTTPClient
    let folder = TemporaryFolder()
    let store: SharedCache
    let fetcher: CachedTileFetcher
    let layer: TileLayer
    let drawing: VectorDrawing
    /// A view deeper than the source's deepest zoom, within one of its tiles. It shows four tiles.
    let view = Viewport.small(45, 41, zoom: 7)

    static let tile = VectorTileFixture([
        ("land", [.init(.polygon, through: [(0, 0), (2048, 0), (2048, 4096), (0, 4096)])])
    ]).bytes

    init(_ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply) throws {
        server = try LoopbackServer(script)
        client = try .forTests()
        store = try SharedCache.open(folder.path + "/tiles.db")
        fetcher = CachedTileFetcher(client, store: store)
        let definition = try VectorFixture.definition(server)
        let source = try WebTileSource(definition)
        drawing = .unpacking(definition.info, layerNames: [], painters: try VectorFixture.painters("#FF0000"))
        layer = source.layer(id: "web").drawn(by: drawing)
    }

    init(_ packing: Packing = .none) throws {
        try self.init { _ in VectorFixture.reply(packing) }
    }

    static func reply(_ packing: Packing) -> LoopbackReply {
        var reply = LoopbackReply(
            200, packing == .none ? tile : Gzip.packed(tile), headers: ["Cache-Control": "max-age=600"])
        if packing == .coded { reply.headers.append(("Content-Encoding", "gzip")) }
        return reply
    }

    static func definition(_ server: LoopbackServer) throws -> SourceDefinition {
        let list: JSON = [
            "sources": [["id": "web", "url": .string(server.url("/{z}/{x}/{y}.pbf")), "maxzoom": 2]]
        ]
        guard let definition = try SourceList.read(list).first else { throw SourceFailure.document("none") }
        return definition
    }

    static func painters(_ colour: String) throws -> [TileSchema: VectorPainter] {
        let style = try Style([
            "version": 8, "sources": ["v": ["type": "vector"]],
            "layers": [
                ["id": "sea", "type": "background", "paint": ["background-color": "#0000FF"]],
                [
                    "id": "land", "type": "fill", "source": "v", "source-layer": "land",
                    "paint": ["fill-color": .string(colour)],
                ],
            ],
        ])
        return [.other: VectorPainter(style, source: "v")]
    }

    /// Returns an engine as after a new start of the program.
    func engine() -> EngineHarness { EngineHarness(fetcher: fetcher) }

    /// Shows the view, and returns the colours of the pictures' first pixels.
    func show(_ layer: TileLayer, _ harness: EngineHarness? = nil) async -> Set<RGB> {
        let harness = harness ?? engine()
        await harness.show(view, [layer])
        let pictures = harness.engine.board.scene(of: view, layers: [layer]).layers.first?.pictures ?? []
        return Set(
            pictures.map {
                RGB(
                    UInt32($0.raster.pixels[0]) << 16 | UInt32($0.raster.pixels[1]) << 8
                        | UInt32($0.raster.pixels[2]))
            })
    }

    /// The cached copy of the tile from which the view is drawn.
    var stored: [UInt8]? {
        let tile = TileID(zoom: 2, containing: view.camera.center)
        return ResourceKey(WantedTile(layer: layer, tile: tile)).flatMap { store.response(for: $0) }?.body
    }

    func failures(_ harness: EngineHarness) -> [TileFailure] {
        harness.engine.board.scene(of: view, layers: [layer]).layers.flatMap(\.gaps).compactMap { gap in
            if case .failed(let failure) = gap.reason { failure } else { nil }
        }
    }
}
