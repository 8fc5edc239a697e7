import Dispatch
import Glibc
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

/// A fetcher with a few stored tiles that fetches nothing.
private struct Memory: TileFetcher {
    var tiles: [TileID: TileAnswer] = [:]

    func stored(_ want: WantedTile) -> CachedTile? { tiles[want.tile].map { CachedTile($0, .current) } }

    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        throw TileFailure(.offline, "not here")
    }
}

/// A source with URLs.
private struct WebSource: TileLayerDataSource {
    func hasTile(_ tile: TileID) -> Bool { tile.zoom <= 3 }
    func url(for tile: TileID) -> String? { "http://tiles.example/\(tile)" }
}

/// A slow local source that counts its requests.
private final class SlowArchive: TileLayerDataSource {
    let bytes: [UInt8]
    let reads = Mutex(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hasTile(_ tile: TileID) -> Bool { tile.zoom <= 3 }

    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        reads.withLock { $0 += 1 }
        usleep(20_000)
        return .bitmap(.encoded(bytes))
    }
}

struct VectorNamesTests {
    private static let tile = TileID.world.children[0].children[0].children[3]
    private static let bytes = VectorTileFixture([
        (
            "l",
            [
                .init(
                    .point, through: [(2048, 2048)],
                    [("name", .string("Turku")), ("name:en", .string("Abo"))])
            ]
        )
    ]).bytes

    private static func layer(symbols: Bool = true) throws -> TileLayer {
        let symbol: JSON = [
            "id": "n", "type": "symbol", "source": "v", "source-layer": "l",
            "layout": ["text-field": "{name}"],
        ]
        let style = try Style([
            "version": 8, "sources": ["v": ["type": "vector"]], "layers": symbols ? [symbol] : [],
        ])
        let info = TileSourceInfo(name: "web", zooms: 0...3)
        let drawing = VectorDrawing(info, painters: [.other: VectorPainter(style, source: "v")])
        return TileLayer(id: "web", source: WebSource(), info: info).drawn(by: drawing)
    }

    @Test func `a tile of an archive is read once for simultaneous requests for its labels`() throws {
        let archive = SlowArchive(Self.bytes)
        let layer = TileLayer(id: "a", source: archive, info: TileSourceInfo(name: "a", zooms: 0...3))
            .drawn(by: try #require(Self.layer().drawing))
        let described = try #require(LayerFeatures(layer, Memory())), found = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let names = (try? described.labels(of: Self.tile, at: 5, in: .local)) ?? []
            found.withLock { $0 += names.count }
        }
        #expect(archive.reads.withLock(\.self) == 1 && found.withLock(\.self) == 4)
    }

    private static let kept = Memory(tiles: [tile: .bitmap(.encoded(bytes))])

    @Test func `a layer drawn from fetched tiles has names where its style has symbols`() throws {
        #expect(try Self.layer().writesLabels && Self.layer().dataZooms == 0...3)
        #expect(try !Self.layer(symbols: false).writesLabels)
        #expect(LayerFeatures(TileLayer.test(WebSource()), Memory()) == nil)
    }

    @Test(arguments: [(NameLanguage.local, "Turku"), (.english, "Abo")])
    func `labels are read from stored tiles`(language: NameLanguage, name: String) throws {
        let described = try #require(LayerFeatures(Self.layer(), Self.kept))
        #expect(try described.labels(of: Self.tile, at: 5, in: language)?.map(\.text) == [name])
    }

    @Test func `a tile that is not stored is distinguished from a missing one`() throws {
        let other = try #require(TileID(zoom: 3, x: 7, y: 7))
        let described = try #require(LayerFeatures(Self.layer(), Memory(tiles: [other: .absent])))
        #expect(throws: TileFailure.self) { try described.labels(of: Self.tile, at: 3, in: .local) }
        #expect(try described.labels(of: other, at: 3, in: .local) == nil)
    }

    @Test(arguments: [3, 7]) func `features are found at a place, even beyond the deepest tiles`(
        zoom: Int
    ) throws {
        let described = try #require(LayerFeatures(Self.layer(), Self.kept))
        let middle = WorldPoint(x: (Double(Self.tile.x) + 0.5) / 8, y: (Double(Self.tile.y) + 0.5) / 8)
        #expect(
            try described.features(at: middle, zoom: zoom, reach: 1e-6).map(\.attributes.first?.value) == [
                "Turku"
            ])
        let aside = WorldPoint(x: middle.x + 0.01, y: middle.y)
        #expect(try described.features(at: aside, zoom: zoom, reach: 1e-6).isEmpty)
    }
}
