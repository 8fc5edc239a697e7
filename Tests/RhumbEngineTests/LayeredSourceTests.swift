import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Synchronization
import Testing

/// A source whose response depends on the layer.
private final class ByLayer: TileLayerDataSource {
    let told = Mutex<[String: Set<TileLayer.ID>]>([:])

    private func note(_ method: String, _ layer: TileLayer) {
        told.withLock { _ = $0[method, default: []].insert(layer.id) }
    }

    func hasTile(_ tile: TileID, of layer: TileLayer) -> Bool {
        note("has", layer)
        return layer.id != "none"
    }

    func tile(_ tile: TileID, of layer: TileLayer) throws(TileFailure) -> TileAnswer? {
        note("tile", layer)
        return layer.id == "now" ? .flat(tile) : nil
    }

    func begin(_ request: TileRequest) -> Bool {
        note("begin", request.layer)
        guard request.layer.id == "later" else { return false }
        return request.complete(.flat(request.tile))
    }

    func url(for tile: TileID, of layer: TileLayer) -> String? {
        note("url", layer)
        return layer.id == "address" ? "stub" : nil
    }
}

private struct Stub: TileFetcher {
    func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
        .new(.flat(want.tile), .current)
    }
}

struct LayeredSourceTests {
    @Test func `each method receives the layer of the request`() async {
        let view = Viewport.small(10, 50, zoom: 5), tile = TileID(zoom: 5, containing: view.camera.center)
        let source = ByLayer(), harness = EngineHarness(fetcher: Stub())
        let layers = ["none", "now", "later", "address"].map { TileLayer.test(source, id: $0) }
        await harness.show(view, layers)
        #expect(harness.state(layers[0], tile) == .absent)
        for layer in layers.dropFirst() { #expect(harness.state(layer, tile) == .ready(.flat(tile))) }
        let told = source.told.withLock { $0 }
        #expect(
            told["has"] == ["none", "now", "later", "address"] && told["tile"] == ["now", "later", "address"])
        #expect(told["begin"] == ["later", "address"] && told["url"]?.contains("address") == true)
    }
}
