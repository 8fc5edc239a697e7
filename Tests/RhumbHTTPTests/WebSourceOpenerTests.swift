import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbStore
import RhumbTestSupport
import Testing

struct WebSourceOpenerTests {
    private static let tileJSON = #"""
        {"tilejson":"3.0.0","name":"Town","tiles":["tiles/{z}/{x}/{y}.png"],"minzoom":2,"maxzoom":9,
         "attribution":"<a href='x'>&copy; Town</a>","bounds":[20,60,30,65]}
        """#

    private func fixture(
        _ body: String = tileJSON, status: Int = 200
    ) throws -> (HTTPFixture, MemoryStore, WebSourceOpener) {
        let http = try HTTPFixture(clock: .machine) { _ in LoopbackReply(status, Array(body.utf8)) }
        let store = MemoryStore()
        let opener = WebSourceOpener(
            loader: DocumentLoader(http.client, store: store),
            environment: { $0 == "TOWN_KEY" ? "MARKER" : nil }, probe: imageProbe)
        return (http, store, opener)
    }

    private func failure(_ opener: WebSourceOpener, _ source: SourceDefinition) async -> WebSourceFailure? {
        do throws(WebSourceFailure) {
            _ = try await opener.layer(of: source, id: "x")
            return nil
        } catch {
            return error
        }
    }

    @Test func `a template needs no requests, and its layer has feature and policy`() throws {
        let (http, _, opener) = try fixture()
        var source = try SourceDefinition(address: http.server.url("/{z}/{x}/{y}.png"))
        source.feature = .terrain
        source.policy.offline = .denied
        guard case .none = try opener.need(of: source) else {
            Issue.record("a document for a template")
            return
        }
        let layer = try opener.layer(ofTemplates: source, id: "x")
        #expect(layer.feature == .terrain && layer.policy.offline == .denied)
        #expect(layer.source.url(for: .world) == http.server.url("/0/0/0.png"))
        #expect(http.server.requestCount == 0)
    }

    @Test func `a TileJSON document is fetched once, and opens the source again offline`() async throws {
        let (http, _, opener) = try fixture()
        let source = try SourceDefinition(address: http.server.url("/maps/town.json"))
        guard case .fetch = try opener.need(of: source) else {
            Issue.record("kept before it came")
            return
        }
        _ = try await opener.layer(of: source, id: "x")
        http.client.isOffline = true
        guard case .stored = try opener.need(of: source) else {
            Issue.record("not kept")
            return
        }
        let layer = try await opener.layer(of: source, id: "x", prefersStored: true)
        #expect(layer.info.name == "Town" && layer.info.zooms == 2...9 && layer.info.attribution == "© Town")
        #expect(layer.source.url(for: .world) == http.server.url("/maps/tiles/0/0/0.png"))
        #expect(http.server.requestCount == 1)
    }

    @Test func `a definition adds its key to the document's address`() async throws {
        let (http, store, opener) = try fixture()
        let list =
            #"{"sources":[{"id":"town","kind":"tilejson","url":"\#(http.server.url("/t.json"))?key={key}","#
            + #""keys":{"key":{"environment":"TOWN_KEY"}},"policy":{"connections":1}}]}"#
        let source = try #require(try SourceList.parse(Array(list.utf8)).first)
        let layer = try await opener.layer(of: source, id: "x")
        #expect(http.server.record.requests[0].target == "/t.json?key=MARKER")
        #expect(!store.responses.keys.contains { "\($0)".contains("MARKER") })
        #expect((layer.source as? WebTileSource)?.rules.connections == 1)
        let keyless = WebSourceOpener(loader: DocumentLoader(http.client), environment: { _ in nil })
        #expect(
            await failure(keyless, source)
                == .source(.missingKey(source: "town", environment: "TOWN_KEY", configuration: "town")))
    }

    @Test(arguments: [
        (#"{"version":8,"sources":{},"layers":[]}"#, "style"), ("{}", "TileJSON"), ("{", "JSON"),
        ("<html>", "an HTML page"), (#"{"type":"FeatureCollection","features":[]}"#, "as features:http"),
        ("name,lat,lon\nTurku,60.4,22.3\n", "as features:http"),
    ])
    func `a document that is not a raster source is described`(body: String, hint: String) async throws {
        let (http, _, opener) = try fixture(body)
        let failure = await failure(opener, try SourceDefinition(address: http.server.url("/a.json")))
        #expect(failure?.description.contains(hint) == true, "\(String(describing: failure))")
    }

    @Test(
        arguments: [
            (#"{"tilejson":"3.0.0","tiles":["/{z}/{x}/{y}.pbf"],"vector_layers":[]}"#, [], 0...14),
            (#"{"tilejson":"2.2.0","tiles":["/{z}/{x}/{y}"],"format":"pbf","maxzoom":11}"#, [], 0...11),
            (
                #"{"tilejson":"3.0.0","tiles":["/{z}/{x}/{y}"],"vector_layers":[{"id":"water"},{}]}"#,
                ["water"], 0...14
            ),
            (#"{"tilejson":"3.0.0","tiles":["/{z}/{x}/{y}.png"],"vector_layers":[]}"#, nil, 0...30),
        ] as [(String, [String]?, ClosedRange<Int>)])
    func `a document states whether tiles are vectors, and which layers they have`(
        body: String, names: [String]?, zooms: ClosedRange<Int>
    ) async throws {
        let (http, _, opener) = try fixture(body)
        let layer = try await opener.layer(of: SourceDefinition(address: http.server.url("/a.json")), id: "x")
        #expect(layer.vectorLayerNames == names && layer.info.zooms == zooms)
    }

    @Test func `an archive opens by its address`() async throws {
        let fixture = try RemoteArchiveFixture(PMTilesFixture(zooms: 0...2))
        let opener = WebSourceOpener(
            loader: DocumentLoader(fixture.http.client, store: fixture.store), environment: { _ in nil },
            probe: imageProbe)
        let source = try SourceDefinition(address: "pmtiles://" + fixture.http.server.url("/town.pmtiles"))
        let layer = try await opener.layer(of: source, id: "x")
        #expect(layer.info.name == "A map" && layer.source is RemoteArchive)
        guard case .stored = try opener.need(of: source) else {
            Issue.record("not kept")
            return
        }
    }
}
