import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbTestSupport
import Synchronization
import Testing

/// Tests features at web addresses, through a response store.
struct OverlayAddressTests {
    /// The current content of a server.
    private final class Board: Sendable {
        private let state = Mutex((names: ["first"], isGone: false))
        private let headers: [(name: String, value: String)]

        init(_ cacheControl: String?) { headers = cacheControl.map { [("Cache-Control", $0)] } ?? [] }

        func post(_ names: [String]) { state.withLock { $0 = (names, false) } }
        func remove() { state.withLock { $0.isGone = true } }

        func reply(_ request: LoopbackRequest) -> LoopbackReply {
            let (names, isGone) = state.withLock { $0 }
            guard !isGone else { return LoopbackReply(404) }
            let lines = names.map { "60,22,\($0)\n" }.joined()
            return LoopbackReply.validated(request, etag: "\"\(names.joined())\"", body: Array(lines.utf8))
                .with { $0.headers += headers }
        }
    }

    private struct Fixture {
        let board: Board
        let http: HTTPFixture
        let store: MemoryStore

        init(_ cacheControl: String? = "max-age=0", store: MemoryStore = MemoryStore()) throws {
            let board = Board(cacheControl)
            self.board = board
            self.store = store
            http = try HTTPFixture(clock: .machine) { board.reply($0) }
        }

        func feed(
            renewals: ClosedRange<Double> = 0.05...0.1, query: String = "",
            variables: @escaping @Sendable (String) -> String? = { _ in nil }
        ) -> OverlayFeed {
            var loader = DocumentLoader(http.client, store: store)
            // Failures are reported immediately, without pauses for retries.
            loader.priority = .prefetch
            let address = http.server.url("/places.csv") + query,
                web = WebSourceOpener(loader: loader, environment: variables)
            return OverlayFeed(
                .address(address), number: 0, overlayTheme: LiveLayer.OverlayTheme(),
                load: OverlayDocument.loading(web, renewals: renewals))
        }
    }

    private func names(_ feed: OverlayFeed) -> [String] { feed.live.index.features.map(\.name) }

    @Test func `a document may be packed as KMZ or with gzip`() async throws {
        let kml =
            "<kml><Placemark><name>A</name><Point><coordinates>1,2</coordinates></Point></Placemark></kml>"
        let files = [
            "/a.kmz": ZipFixture([("doc.kml", kml)]).bytes, "/a.kml.gz": Gzip.packed(Array(kml.utf8)),
        ]
        let http = try HTTPFixture(clock: .machine) { LoopbackReply(200, files[$0.target] ?? []) }
        for path in files.keys.sorted() {
            let web = WebSourceOpener(
                loader: DocumentLoader(http.client, store: MemoryStore()), environment: { _ in nil })
            let origin = try #require(OverlayOrigin(http.server.url(path)))
            let feed = OverlayFeed(
                origin, number: 0, overlayTheme: LiveLayer.OverlayTheme(), load: OverlayDocument.loading(web))
            let status = await feed.whole(within: .seconds(60))
            feed.stop()
            #expect(names(feed) == ["A"], "\(path): \(status)")
        }
    }

    @Test func `a document is renewed, and an unchanged one is only confirmed`() async throws {
        let fixture = try Fixture(), feed = fixture.feed()
        feed.begin { _, _ in }
        defer { feed.stop() }
        #expect(await eventually { names(feed) == ["first"] })
        #expect(await eventually { fixture.http.server.requestCount > 2 })
        #expect(
            fixture.http.server.record.requests.dropFirst().allSatisfy {
                $0.header("If-None-Match") == "\"first\""
            })
        fixture.board.post(["second", "third"])
        #expect(await eventually { names(feed) == ["second", "third"] })
        #expect(feed.current.problem == nil)
    }

    @Test func `a key in an address is sent only to the server`() async throws {
        let keys = URLCredentials(), fixture = try Fixture("max-age=600")
        let query =
            keys.take(fixture.http.server.url("/places.csv") + "?key=b1946ac92492d234").split(separator: "?")
            .last.map { "?\($0)" } ?? ""
        let feed = fixture.feed(query: query) { keys.all[$0] }
        #expect(await feed.whole(within: .seconds(60)).problem == nil)
        feed.stop()
        #expect(names(feed) == ["first"])
        #expect(fixture.http.server.record.requests.first?.target.contains("key=b1946ac92492d234") == true)
        #expect(feed.layer.openedBy?.contains("b1946ac92492d234") == false)
    }

    @Test func `a document that its server declares fresh is not requested again`() async throws {
        let fixture = try Fixture("max-age=600"), feed = fixture.feed()
        feed.begin { _, _ in }
        #expect(await eventually { names(feed) == ["first"] })
        feed.stop()
        let again = fixture.feed()
        #expect(await again.whole(within: .seconds(60)).problem == nil)
        again.stop()
        #expect(names(again) == ["first"] && fixture.http.server.requestCount == 1)
    }

    @Test func `a server that states no lifetime is contacted each time`() async throws {
        let fixture = try Fixture(nil), feed = fixture.feed()
        feed.begin { _, _ in }
        defer { feed.stop() }
        #expect(await eventually { fixture.http.server.requestCount > 2 })
    }

    @Test(arguments: [("max-age=7", 5...7.0), ("max-age=1", 5...5), ("no-cache", 60...60), (nil, 60...60)])
    func `a document is requested again as its server says, at most every 5 seconds`(
        control: String?, pause: ClosedRange<Double>
    ) async throws {
        let fixture = try Fixture(control)
        let web = WebSourceOpener(
            loader: DocumentLoader(fixture.http.client, store: fixture.store), environment: { _ in nil })
        let load = OverlayDocument.loading(web), address = fixture.http.server.url("/places.csv")
        #expect(pause.contains(await load(address, false).renewal))
        fixture.board.remove()
        #expect(await load(address + "?other", false).renewal == 60)
    }

    @Test func `a document that is too large is reported with the limit and a remedy`() async throws {
        let http = try HTTPFixture(clock: .machine) { _ in
            LoopbackReply(200, [UInt8](repeating: 0x20, count: (10 << 20) + 1))
        }
        let web = WebSourceOpener(
            loader: DocumentLoader(http.client, store: MemoryStore()), environment: { _ in nil })
        let problem = await OverlayDocument.loading(web)(http.server.url("/a.csv"), false).problem
        #expect(problem?.contains("10 MiB") == true && problem?.contains("download it") == true)
    }

    @Test func `a missing document is reported, and a removed one is kept until it returns`()
        async throws
    {
        let fixture = try Fixture()
        fixture.board.remove()
        let feed = fixture.feed()
        feed.begin { _, _ in }
        defer { feed.stop() }
        #expect(await eventually { feed.current.problem?.contains("no such document") == true })
        #expect(names(feed).isEmpty && feed.current.silence == nil)
        fixture.board.post(["here"])
        #expect(await eventually { names(feed) == ["here"] && feed.current.problem == nil })
        fixture.board.remove()
        #expect(await eventually { feed.current.problem?.contains("the server no longer has it") == true })
        #expect(names(feed) == ["here"])
    }

    @Test func `without a network the stored document is shown with its age`() async throws {
        let fixture = try Fixture(), first = fixture.feed()
        _ = await first.whole(within: .seconds(60))
        first.stop()
        fixture.http.client.isOffline = true
        let feed = fixture.feed(), status = await feed.whole(within: .seconds(60))
        feed.stop()
        #expect(names(feed) == ["first"])
        #expect(
            await eventually { feed.current.problem?.contains("showing the cached copy") == true },
            "\(status)")
        #expect(feed.current.silence != nil)
        let bare = try Fixture()
        bare.http.client.isOffline = true
        let none = bare.feed()
        #expect(await none.whole(within: .seconds(60)).problem != nil)
        none.stop()
        #expect(names(none).isEmpty && bare.http.server.requestCount == 0)
    }
}
