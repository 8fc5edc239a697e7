import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests the cache with a reachable server.
struct CachedFetchTests {
    /// Returns a fixture that responds with this Cache-Control header and a picture that is new each time.
    private func aging(
        _ control: String, _ extra: KeyValuePairs<String, String> = [:]
    ) throws -> CachedFixture {
        try CachedFixture { request in
            LoopbackReply(200, picture(100, seed: UInt8(request.time)), headers: extra).with {
                $0.headers.append((name: "Cache-Control", value: control))
            }
        }
    }

    @Test func `a fresh tile is not revalidated`() async throws {
        let fixture = try aging("max-age=1000")
        for _ in 0..<3 { #expect(await fixture.showAnew() == 1) }
        fixture.clock.advance(by: .seconds(900))
        #expect(await fixture.showAnew() == 1)
        #expect(fixture.server.requestCount == 1)
        #expect(fixture.store.statistics().session == [.miss: 1, .download: 1, .bytes: 100, .hit: 3])
    }

    @Test(arguments: [("max-age=1000", 1), ("no-cache", nil)] as [(String, Int?)])
    func `an invalidated tile stays visible, as stale, while its server fails`(
        control: String, seen: Int?
    ) async throws {
        let isDown = Mutex(false)
        let fixture = try CachedFixture { _ in
            isDown.withLock {
                LoopbackReply($0 ? 503 : 200, picture(100, seed: 1), headers: ["Cache-Control": control])
            }
        }
        #expect(await fixture.showAnew() == 1)
        fixture.store.flush()
        #expect(try fixture.store.invalidate() == 1)
        isDown.withLock { $0 = true }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == seen)
        #expect(fixture.server.requestCount > 1)
        guard seen != nil else { return }
        #expect(fixture.mark(harness)?.standing.isStale == true)
        isDown.withLock { $0 = false }
        #expect(await fixture.showAnew() == seen)
        #expect(fixture.stored?.isInvalidated == false)
    }

    @Test func `a stale tile is shown at once and replaced in the background`() async throws {
        let gate = LoopbackGate()
        let fixture = try CachedFixture { request in
            LoopbackReply(
                200, picture(100, seed: UInt8(request.time)), headers: ["Cache-Control": "max-age=1000"]
            )
            .with { if request.time == 2 { $0.gate = gate } }
        }
        #expect(await fixture.showAnew() == 1)
        fixture.clock.advance(by: .seconds(2000))
        let harness = fixture.engine(), server = fixture.server
        harness.engine.show(fixture.view, layers: [fixture.layer])
        #expect(await eventually { server.requestCount == 2 })
        #expect(fixture.seed(harness) == 1 && fixture.mark(harness)?.standing.isStale == true)
        gate.open()
        #expect(await fixture.asked(2, harness))
        #expect(fixture.seed(harness) == 2 && fixture.mark(harness)?.standing.isStale == false)
        #expect(await fixture.showAnew() == 2)
        #expect(fixture.store.statistics().session[.staleHit] == 1)
    }

    @Test(arguments: ["\"v1\"", "W/\"v1\"", "unquoted-v1"])
    func `an unchanged tile is confirmed without being sent again`(etag: String) async throws {
        let fixture = try CachedFixture { request in
            .validated(request, etag: etag, body: picture()).with {
                $0.headers.append(("Cache-Control", "max-age=1000"))
            }
        }
        for asked in 1...3 {
            #expect(await fixture.showAnew() == 7)
            #expect(fixture.server.requestCount == asked)
            #expect(await fixture.showAnew() == 7)
            fixture.clock.advance(by: .seconds(1500))
        }
        #expect(fixture.server.record.requests.map { $0.header("If-None-Match") } == [nil, etag, etag])
        #expect(fixture.server.record.bytes == 100)
        #expect(fixture.store.statistics().session[.revalidation] == 2)
    }

    @Test func `revalidation also works with only the modification date`() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let fixture = try CachedFixture { request in
            let isKnown = request.header("If-Modified-Since") == date
            return LoopbackReply(
                isKnown ? 304 : 200, isKnown ? [] : picture(),
                headers: ["Last-Modified": date, "Cache-Control": "max-age=10"])
        }
        _ = await fixture.showAnew()
        fixture.clock.advance(by: .seconds(20))
        #expect(await fixture.showAnew() == 7)
        #expect(fixture.server.record.bytes == 100 && fixture.server.requestCount == 2)
    }

    @Test func `a response confirmed by an origin is not as old as it was in between`() async throws {
        let fixture = try CachedFixture { request in
            .validated(request, etag: "\"1\"", body: picture()).with {
                $0.headers.append(("Cache-Control", "max-age=1000"))
                if request.time == 1 { $0.headers.append(("Age", "990")) }
            }
        }
        _ = await fixture.showAnew()
        fixture.clock.advance(by: .seconds(100))
        _ = await fixture.showAnew()
        fixture.clock.advance(by: .seconds(100))
        _ = await fixture.showAnew()
        #expect(fixture.server.requestCount == 2)
    }

    @Test(arguments: [404, 410, 204])
    func `an absent tile is remembered for its lifetime, or a day`(status: Int) async throws {
        for (control, life) in [(nil, 86_400), ("max-age=500", 500)] as [(String?, Int)] {
            let fixture = try CachedFixture { _ in
                LoopbackReply(status, status == 204 ? [] : picture()).with { reply in
                    if let control { reply.headers.append(("Cache-Control", control)) }
                }
            }
            #expect(await fixture.showAnew() == -1)
            fixture.clock.advance(by: .seconds(life - 60))
            #expect(await fixture.showAnew() == -1)
            #expect(fixture.server.requestCount == 1)
            fixture.clock.advance(by: .seconds(120))
            #expect(await fixture.showAnew() == -1)
            #expect(fixture.server.requestCount == 2)
            #expect(fixture.stored?.body == nil && fixture.stored != nil)
        }
    }

    @Test(arguments: [400, 401, 403, 429, 500, 200])
    func `an error is not stored, and the stored tile stays and is shown`(status: Int) async throws {
        let page = Array("<html>log in</html>".utf8)
        let fixture = try CachedFixture { request in
            request.time == 1
                ? LoopbackReply(200, picture(), headers: ["Cache-Control": "max-age=10"])
                : LoopbackReply(status, page, headers: ["Cache-Control": "max-age=9999"])
        }
        #expect(await fixture.showAnew() == 7)
        let before = fixture.stored
        fixture.clock.advance(by: .seconds(50))
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == 7)
        #expect(fixture.mark(harness)?.trouble != nil && fixture.mark(harness)?.standing.isStale == true)
        #expect(fixture.stored == before)
        #expect(fixture.server.requestCount > 1)
    }

    @Test(arguments: [403, 500, 200])
    func `an error without a stored tile is reported and not stored`(status: Int) async throws {
        let fixture = try CachedFixture { _ in LoopbackReply(status, Array("<html>".utf8)) }
        let harness = fixture.engine()
        #expect(await fixture.show(harness) == nil)
        #expect(fixture.failure(harness) != nil && fixture.stored == nil)
    }

    @Test(arguments: ["no-cache", "max-age=0, must-revalidate", "no-cache=\"set-cookie\", max-age=99"])
    func `an archive that must be revalidated is revalidated before it is shown`(control: String) async throws
    {
        let gate = LoopbackGate()
        let fixture = try CachedFixture { request in
            .validated(request, etag: "\"1\"", body: picture()).with {
                $0.headers.append(("Cache-Control", control))
                if request.time == 2 { $0.gate = gate }
            }
        }
        #expect(await fixture.showAnew() == 7)
        let harness = fixture.engine(), server = fixture.server
        harness.engine.show(fixture.view, layers: [fixture.layer])
        #expect(await eventually { server.requestCount == 2 })
        #expect(fixture.seed(harness) == nil)
        gate.open()
        await harness.engine.settled()
        #expect(fixture.seed(harness) == 7)
        #expect(fixture.server.record.bytes == 100)
    }

    @Test func `responses marked no-store are shown, but never written to disk`() async throws {
        let body =
            Array("\u{89}PNG".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
            + Array("NOSTOREMARKER".utf8)
        let fixture = try CachedFixture { _ in
            LoopbackReply(200, body, headers: ["Cache-Control": "no-store, max-age=99"])
        }
        for _ in 0..<2 {
            guard case .new(.bitmap(.encoded(let bytes)), _) = try await fixture.fetch() else {
                Issue.record("no answer")
                return
            }
            #expect(bytes == body)
        }
        #expect(fixture.server.requestCount == 2 && fixture.stored == nil)
        fixture.store.flush()
        #expect(fixture.folder.everyFileContaining("NOSTOREMARKER") == [])
    }

    @Test func `a response with no-store removes the stored one`() async throws {
        let fixture = try CachedFixture { request in
            LoopbackReply(
                200, picture(100, seed: UInt8(request.time)),
                headers: ["Cache-Control": request.time == 1 ? "max-age=10" : "no-store"])
        }
        _ = await fixture.showAnew()
        fixture.clock.advance(by: .seconds(20))
        #expect(await fixture.showAnew() == 2)
        #expect(fixture.stored == nil)
    }

    /// The directive is in the 304 itself or in a redirect to it.
    @Test(arguments: [false, true])
    func `a confirmed tile that may no longer be stored is shown and removed from the cache`(
        isRedirected: Bool
    ) async throws {
        let fixture = try CachedFixture { request in
            if request.header("If-None-Match") == nil {
                return LoopbackReply(
                    200, picture(), headers: ["Cache-Control": "max-age=10", "ETag": "\"1\""])
            }
            if isRedirected, request.target != "/moved" {
                return .redirect("/moved").with { $0.headers.append(("Cache-Control", "no-store")) }
            }
            return LoopbackReply(304, headers: ["Cache-Control": isRedirected ? "max-age=10" : "no-store"])
        }
        #expect(await fixture.showAnew() == 7)
        fixture.clock.advance(by: .seconds(20))
        #expect(await fixture.showAnew() == 7)
        #expect(fixture.stored == nil)
    }

    @Test func `no file contains keys or secrets`() async throws {
        let fixture = try CachedFixture(headers: ["X-Key": "SECRETHEADER"]) { _ in
            LoopbackReply(
                200, picture(),
                headers: [
                    "Cache-Control": "max-age=10, by=KEYMARKER", "ETag": "\"SECRETHEADER\"",
                    "Set-Cookie": "id=SECRETCOOKIE",
                    "Vary": "Accept",
                ])
        }
        _ = await fixture.showAnew()
        fixture.store.flush()
        #expect(fixture.stored?.body == picture())
        for secret in ["SECRETHEADER", "SECRETCOOKIE", "KEYMARKER"] {
            #expect(fixture.folder.everyFileContaining(secret) == [])
        }
        #expect(fixture.folder.everyFileContaining("{z}/{x}/{y}") != [])
    }

    @Test func `a response that varies serves only requests like its own`() async throws {
        let fixture = try CachedFixture(headers: ["Accept-Language": "de"]) { request in
            LoopbackReply(
                200, picture(100, seed: UInt8(request.time)),
                headers: ["Vary": "Accept-Language", "Cache-Control": "max-age=99"])
        }
        _ = await fixture.showAnew()
        #expect(await fixture.showAnew() == 1)
        let other = try CachedFixture.source(fixture.server, ["Accept-Language": "en"]).layer(id: "web")
        #expect(fixture.fetcher.stored(WantedTile(layer: other, tile: .world)) == nil)
        let anything = try aging("max-age=99", ["Vary": "*"])
        _ = await anything.showAnew()
        #expect(await anything.showAnew() == 2)
    }

    @Test func `a response lives no longer than the redirect to it`() async throws {
        let fixture = try CachedFixture { request in
            request.target == "/there"
                ? LoopbackReply(
                    200, picture(100, seed: UInt8(request.time)), headers: ["Cache-Control": "max-age=9999"])
                : LoopbackReply.redirect("/there").with {
                    $0.headers.append(("Cache-Control", "max-age=100"))
                }
        }
        _ = await fixture.showAnew()
        fixture.clock.advance(by: .seconds(200))
        #expect(await fixture.showAnew() == 2)
    }

    @Test func `a corrupt picture in the cache is fetched again`() async throws {
        let fixture = try aging("max-age=9999")
        let key = try #require(ResourceKey(fixture.want))
        let life = Freshness(receivedAt: fixture.clock.date, initialAge: 0, lifetime: 9999)
        fixture.store.store(StoredResponse(body: picture(50, seed: 0), freshness: life), for: key)
        #expect(await fixture.showAnew() == 1)
        #expect(fixture.stored?.body == picture(100, seed: 1))
    }

    @Test func `a clock set back makes nothing stale, unless it is wrong by years`() async throws {
        let fixture = try aging("max-age=1000")
        _ = await fixture.showAnew()
        fixture.clock.setDate(off: .seconds(-86_400))
        #expect(await fixture.showAnew() == 1)
        #expect(fixture.server.requestCount == 1)
        fixture.clock.setDate(off: .seconds(-2 * 31_536_000))
        _ = await fixture.showAnew()
        #expect(fixture.server.requestCount == 2)
    }

    @Test(arguments: ["max-age=nonsense", "max-age=-5", "max-age=5, max-age=99999"])
    func `implausible lifetimes are ignored`(control: String) async throws {
        let fixture = try aging(control)
        _ = await fixture.showAnew()
        #expect(fixture.stored?.state(at: fixture.clock.date.adding(1)) == .staleUsable)
    }

    @Test func `a server that ignores validators sends the tile again`() async throws {
        let fixture = try aging("max-age=10", ["ETag": "\"same\""])
        _ = await fixture.showAnew()
        fixture.clock.advance(by: .seconds(20))
        #expect(await fixture.showAnew() == 2)
        #expect(fixture.server.record.requests.last?.header("If-None-Match") == "\"same\"")
    }
}
