import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests that tiles of a web archive are fetched, stored and withheld like all others.
struct RemoteArchiveFetchTests {
    private struct Box {
        let archive: RemoteArchiveFixture
        let layer: TileLayer
        let fetcher: CachedTileFetcher

        init(_ change: (inout LayerConfiguration) -> Void = { _ in }) async throws {
            var layout = PMTilesFixture(zooms: 0...4)
            layout.leafSize = 16
            archive = try RemoteArchiveFixture(layout)
            let source = try await archive.open()
            var layer = TileLayer(id: "archive", source: source, info: source.info)
            layer.policy.lookAhead = true
            var configuration = LayerConfiguration()
            change(&configuration)
            self.layer = layer
            fetcher = CachedTileFetcher(
                archive.http.client, store: archive.store, configuration: configuration)
        }

        func want(_ tile: TileID, _ urgency: WantedTile.Urgency = .visible(view: 1)) -> WantedTile {
            WantedTile(layer: layer, tile: tile, urgency: urgency)
        }

        func fetch(
            _ tile: TileID, _ urgency: WantedTile.Urgency = .visible(view: 1)
        ) async throws -> FetchedTile {
            try await fetcher.fetch(want(tile, urgency), holdsStored: false)
        }
    }

    private static let deep = TileID(zoom: 4, x: 9, y: 9) ?? .world

    @Test func `a fetched tile is stored under its own key, as fresh as the archive`() async throws {
        let box = try await Box()
        #expect(box.fetcher.stored(box.want(Self.deep)) == nil)
        guard case .new(.bitmap(.encoded(let body)), .fresh) = try await box.fetch(Self.deep) else {
            Issue.record("no fresh tile")
            return
        }
        #expect(body == fakePicture(Self.deep))
        let kept = try #require(box.fetcher.stored(box.want(Self.deep)))
        #expect(kept.answer == .bitmap(.encoded(body)) && !kept.standing.isStale)
        #expect(
            ResourceKey(box.want(Self.deep)).flatMap { box.archive.store.response(for: $0) }?.body == body)
    }

    @Test func `a slow store blocks no thread of the shared pool`() async throws {
        let box = try await Box()
        for tile in [Self.deep, .world, TileID(zoom: 4, x: 1, y: 14) ?? .world] {
            _ = try await box.fetch(tile)
        }
        #expect(box.archive.store.readsOnSharedThreads == 0 && box.archive.store.counted(.download) > 2)
    }

    @Test func `tiles ahead are fetched if the policy allows it, and counted as prefetched`() async throws {
        let box = try await Box()
        #expect(box.fetcher.mayPrefetch(box.layer))
        _ = try await box.fetch(Self.deep, .prefetch)
        #expect(box.fetcher.stored(box.want(Self.deep)) != nil)
        let none = try await Box { $0.implicitlyPrefetchedFeatures = [] }
        #expect(!none.fetcher.mayPrefetch(none.layer))
    }

    @Test func `tiles of a disabled feature are not prefetched, whatever other settings say`()
        async throws
    {
        for isEnabled in [true, false] {
            let box = try await Box {
                $0.implicitlyPrefetchedFeatures = [.rendering, .terrain]
                try? $0.enable(exactly: isEnabled ? [.rendering, .terrain] : [.rendering])
            }
            var layer = box.layer
            layer.feature = .terrain
            #expect(box.fetcher.mayPrefetch(layer) == isEnabled)
        }
    }

    private struct Addresses: TileLayerDataSource {
        func url(for tile: TileID) -> String? { "http://tiles.example/\(tile)" }
    }

    @Test func `tiles with an address can be cached, and so prefetched`() async throws {
        let box = try await Box()
        var layer = TileLayer.test(Addresses())
        layer.policy.lookAhead = true
        #expect(box.fetcher.mayPrefetch(layer))
    }

    @Test func `tiles that are never fetched over the network are not prefetched`() async throws {
        let box = try await Box { $0.neverOverTheAir = [.rendering] }
        let asked = box.archive.http.server.requestCount
        await #expect { try await box.fetch(Self.deep) } throws: { ($0 as? TileFailure)?.reason == .refused }
        #expect(box.archive.http.server.requestCount == asked)
    }

    @Test func `a tile that is not in the archive is known to be absent`() async throws {
        let box = try await Box()
        let nowhere = TileID(zoom: 5, x: 0, y: 0) ?? .world
        #expect(try await box.layer.source.asArchive?.body(of: nowhere) == .some(nil))
        #expect(box.fetcher.stored(box.want(nowhere))?.answer == .absent)
    }
}

extension TileLayerDataSource {
    fileprivate var asArchive: RemoteArchive? { self as? RemoteArchive }
}
