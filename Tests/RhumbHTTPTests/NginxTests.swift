import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
import RhumbStore
import RhumbTestSupport
import Testing

@Suite(.enabled(if: NginxServer.program != nil, "nginx is not installed"))
struct NginxTests {
    @Test func `a thousand tiles arrive completely over few connections`() async throws {
        let files = Dictionary(
            uniqueKeysWithValues: (0..<50).map { ("\($0).png", picture(18_000, seed: UInt8($0))) })
        let server = try #require(NginxServer(files: files))
        let client = try HTTPClient.forTests()
        let whole = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let address = HTTPAddress(server.url("\(number % 50).png?\(number)"))
                    let body = try? await client.send(HTTPRequest(address)).body
                    return body == picture(18_000, seed: UInt8(number % 50))
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(whole == 1000)
    }

    @Test func `nginx confirms unchanged files and sends ranges`() async throws {
        let server = try #require(NginxServer(files: ["a.png": picture(5000), "b.pmtiles": Array(0...255)]))
        let client = try HTTPClient.forTests()
        var request = HTTPRequest(HTTPAddress(server.url("a.png")))
        request.validators = try await client.send(request).validators
        #expect(try await client.send(request).isNotModified)
        request.validators.lastModified = nil
        #expect(try await client.send(request).isNotModified)
        var part = HTTPRequest(HTTPAddress(server.url("b.pmtiles")), expecting: .archiveRange)
        part.range = ByteRange(offset: 10, count: 5)
        #expect(try await client.send(part).body == [10, 11, 12, 13, 14])
        part.range = ByteRange(offset: 5000, count: 5)
        await #expect { try await client.send(part) } throws: { ($0 as? HTTPFailure)?.status == 416 }
    }

    @Test func `a cache in front of nginx revalidates by date and tag, and replaces changed tiles`()
        async throws
    {
        let server = try #require(
            NginxServer(files: ["0/0/0.png": picture(5000)], extra: "add_header Cache-Control max-age=100;"))
        let clock = ManualClock(), folder = TemporaryFolder()
        let dates = EngineClock(
            now: EngineClock.machine.now, sleep: EngineClock.machine.sleep, date: { clock.date })
        let store = try SharedCache.open(folder.path + "/tiles.db", SharedCache.Options(now: { clock.date }))
        let fetcher = CachedTileFetcher(
            try HTTPClient.forTests(clock: dates), store: store, date: { clock.date })
        let source = try WebTileSource(
            SourceDefinition(id: "nginx", name: "nginx", addresses: [server.url("{z}/{x}/{y}.png")]))
        let want = WantedTile(layer: source.layer(id: "nginx"), tile: .world)
        func fetch(_ holdsStored: Bool) async throws -> FetchedTile {
            try await fetcher.fetch(want, holdsStored: holdsStored)
        }
        guard case .new(.bitmap(.encoded(let body)), .fresh) = try await fetch(false), body == picture(5000)
        else {
            Issue.record("the tile did not come")
            return
        }
        clock.advance(by: .seconds(200))
        // nginx dates its responses by its own clock, so their freshness isn't tested here.
        guard case .unchanged = try await fetch(true) else {
            Issue.record("not confirmed")
            return
        }
        clock.advance(by: .seconds(200))
        server.replace("0/0/0.png", by: picture(400, seed: 9))
        guard case .new(.bitmap(.encoded(let changed)), _) = try await fetch(true) else {
            Issue.record("not replaced")
            return
        }
        #expect(changed == picture(400, seed: 9))
        #expect(store.statistics().session == [.download: 2, .revalidation: 1, .bytes: 5400])
    }

    @Test func `compressed documents are decompressed, and absent tiles are absent`() async throws {
        let json = Array(#"{"tilejson":"3.0.0","pad":"\#(String(repeating: "x", count: 5000))"}"#.utf8)
        let server = try #require(
            NginxServer(
                files: ["t.json": json], extra: "gzip on; gzip_types application/json; gzip_min_length 10;"))
        let client = try HTTPClient.forTests()
        let document = HTTPRequest(HTTPAddress(server.url("t.json")), expecting: .document)
        let response = try await client.send(document)
        #expect(response.body == json && response.wireBytes < 500)
        #expect(try await client.send(HTTPRequest(HTTPAddress(server.url("none.png")))).isAbsent)
    }

    @Test func `a server without TLS is reported as such`() async throws {
        let server = try #require(NginxServer(files: ["a.png": picture()]))
        let client = try HTTPClient.forTests()
        let request = HTTPRequest(HTTPAddress("https://127.0.0.1:\(server.port)/a.png"))
        await #expect { try await client.send(request) } throws: { ($0 as? HTTPFailure)?.fault == .tlsFailed }
    }
}
