import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbTestSupport
import Synchronization
import Testing

/// A loader with a date that the test sets.
private struct LoaderFixture {
    let http: HTTPFixture
    let store = MemoryStore()
    let date = Date()

    final class Date: Sendable {
        private let value = Mutex(UnixSeconds.now)
        var now: UnixSeconds { value.withLock { $0 } }
        func pass(_ seconds: Int64) { value.withLock { $0 = $0.adding(seconds) } }
    }

    init(_ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply) throws {
        let machine = EngineClock.machine
        http = try HTTPFixture(
            clock: EngineClock(now: machine.now, sleep: machine.sleep, date: { [date] in date.now }), script)
    }

    var loader: DocumentLoader {
        var loader = DocumentLoader(http.client, store: store) { [date] in date.now }
        // Failures are reported immediately, without pauses for retries.
        loader.priority = .prefetch
        return loader
    }

    func resource(_ target: String) -> WebResource {
        WebResource(document: HTTPAddress(http.server.url(target)))
    }

    func load(_ target: String, isReload: Bool = false) async throws -> Document {
        try await loader.load(resource(target), isReload: isReload)
    }
}

struct DocumentLoaderTests {
    private static let body = Array(#"{"a":1}"#.utf8)

    @Test func `a fresh document is not requested again`() async throws {
        let fixture = try LoaderFixture { _ in
            LoopbackReply(200, Self.body, headers: ["Cache-Control": "max-age=60"])
        }
        #expect(try await fixture.load("/a").standing == .sent)
        fixture.date.pass(30)
        let second = try await fixture.load("/a")
        #expect(second.standing == .fresh && second.age >= 30 && second.body == Self.body)
        #expect(fixture.http.server.requestCount == 1)
        #expect(try await fixture.load("/a", isReload: true).standing == .sent)
    }

    @Test func `a document without a lifetime is fresh for an hour`() async throws {
        let fixture = try LoaderFixture { _ in LoopbackReply(200, Self.body) }
        _ = try await fixture.load("/a")
        fixture.date.pass(3500)
        #expect(try await fixture.load("/a").standing == .fresh)
        fixture.date.pass(200)
        #expect(try await fixture.load("/a").standing == .sent)
    }

    @Test func `a stale document is revalidated, and a 304 freshens it`() async throws {
        let fixture = try LoaderFixture { request in
            .validated(request, etag: "W/odd", body: Self.body).with {
                $0.headers.append(("Cache-Control", "max-age=60"))
            }
        }
        _ = try await fixture.load("/a")
        fixture.date.pass(100)
        let second = try await fixture.load("/a")
        #expect(second.standing == .confirmed && second.body == Self.body)
        #expect(fixture.http.server.record.requests.last?.header("If-None-Match") == "W/odd")
        #expect(fixture.store.counted(.revalidation) == 1)
        #expect(fixture.http.server.requestCount == 2)
    }

    @Test func `a stale document that may be used while it is revalidated is used at once`() async throws {
        let gate = LoopbackGate()
        let fixture = try LoaderFixture { request in
            guard request.header("If-None-Match") != nil else {
                let control = "max-age=60, stale-while-revalidate=600"
                return LoopbackReply(200, Self.body, headers: ["Cache-Control": control, "ETag": "\"1\""])
            }
            var reply = LoopbackReply(200, Array("{}".utf8), headers: ["Cache-Control": "max-age=60"])
            reply.gate = gate
            return reply
        }
        _ = try await fixture.load("/a")
        fixture.date.pass(100)
        // The server's next response waits for the gate.
        #expect(try await fixture.load("/a").body == Self.body)
        gate.open()
        let key = try #require(fixture.resource("/a").key)
        #expect(await eventually { fixture.store.response(for: key)?.body == Array("{}".utf8) })
        #expect(fixture.http.server.requestCount == 2)
    }

    @Test func `while offline a stored document of any age is used, and this is reported`() async throws {
        let fixture = try LoaderFixture { _ in
            LoopbackReply(200, Self.body, headers: ["Cache-Control": "no-cache"])
        }
        _ = try await fixture.load("/a")
        fixture.date.pass(864_000)
        fixture.http.client.isOffline = true
        let kept = try await fixture.load("/a")
        #expect(kept.body == Self.body && kept.age >= 864_000)
        guard case .outdated(let failure?) = kept.standing else {
            Issue.record("\(kept.standing)")
            return
        }
        #expect(failure.failureClass == .offline)
        #expect(fixture.loader.stored(fixture.resource("/a"))?.standing == .outdated(nil))
        #expect(fixture.http.server.requestCount == 1)
    }

    @Test(arguments: [500, 404, 403, 429])
    func `a server error doesn't remove the stored document`(status: Int) async throws {
        let fixture = try LoaderFixture { request in
            request.time == 1
                ? LoopbackReply(200, Self.body, headers: ["Cache-Control": "max-age=1"])
                : LoopbackReply(status)
        }
        _ = try await fixture.load("/a")
        fixture.date.pass(10)
        let kept = try await fixture.load("/a")
        #expect(kept.body == Self.body)
        guard case .outdated(.some) = kept.standing else {
            Issue.record("\(kept.standing)")
            return
        }
        #expect(fixture.store.responses.count == 1)
    }

    @Test func `a document without a copy waits for a server that names a short pause`() async throws {
        let fixture = try LoaderFixture { request in
            request.time == 1
                ? LoopbackReply(429, headers: ["Retry-After": "1"]) : LoopbackReply(200, Self.body)
        }
        var loader = fixture.loader
        loader.priority = .visible(view: 0)
        #expect(try await loader.load(fixture.resource("/a")).body == Self.body)
        #expect(fixture.http.server.requestCount == 2)
    }

    @Test func `a document does not wait for a server that names a long pause`() async throws {
        let fixture = try LoaderFixture { _ in LoopbackReply(429, headers: ["Retry-After": "60"]) }
        await #expect(throws: DocumentFailure.self) { _ = try await fixture.load("/a") }
        #expect(fixture.http.server.requestCount == 1)
    }

    @Test func `a no-store document is never stored, and removes the stored one`() async throws {
        let fixture = try LoaderFixture { request in
            LoopbackReply(
                200, Self.body, headers: ["Cache-Control": request.time == 1 ? "max-age=1" : "no-store"])
        }
        _ = try await fixture.load("/a")
        #expect(fixture.store.responses.count == 1)
        fixture.date.pass(10)
        #expect(try await fixture.load("/a").body == Self.body)
        #expect(fixture.store.responses.isEmpty)
    }

    @Test(arguments: ["/a?key=MARKER&b=1", "/a?b=1&access_token=MARKER", "/a?b=1&t=77"])
    func `neither secrets nor volatile parts are in the key`(target: String) async throws {
        let fixture = try LoaderFixture { _ in LoopbackReply(200, Self.body) }
        let document = try await fixture.load(target)
        #expect(fixture.http.server.record.requests[0].target == target)
        let key = try #require(fixture.store.responses.keys.first)
        #expect(key == .document(fixture.http.server.url("/a?b=1")) && document.address == key.description)
    }

    @Test func `a secret repeated in the document is not stored, and a new one replaces it`() async throws {
        let fixture = try LoaderFixture { _ in
            LoopbackReply(200, Array(#"{"tiles":["/{z}?token=MARKER-1"]}"#.utf8))
        }
        let first = try await fixture.load("/a?token=MARKER-1")
        #expect(try first.json()["tiles"]?.array?.first == "/{z}?token=MARKER-1")
        let kept = try #require(fixture.store.responses.values.first?.body)
        #expect(!String(decoding: kept, as: UTF8.self).contains("MARKER"))
        let second = try await fixture.load("/a?token=MARKER-2")
        #expect(second.standing == .fresh)
        #expect(try second.json()["tiles"]?.array?.first == "/{z}?token=MARKER-2")
    }

    /// Echoes of the key `Ab/Cd+KEYMARKER"&9=`, and the text that the document then contains.
    private static let echoes =
        [
            (address, address), (plain, plain), ("Ab%2fCd+KEYMARKER%22&9=", address),
            (#"Ab\/Cd\u002bKEYMARKER\"\u00269="#, #"Ab/Cd+KEYMARKER\"&9="#),
            ("Ab&#47;Cd&#x2B;KEYMARKER&quot;&amp;9=", "Ab/Cd+KEYMARKER&#34;&#38;9="),
        ]
        + ["", "m", "me", "me:"].flatMap { before in
            let text = base64(before + plain),
                inAddresses = text.replacing("+", with: "-").replacing("/", with: "_")
            return [
                (text, text), (inAddresses, inAddresses),
                (text.replacing("+", with: "%2B").replacing("/", with: "%2F"), text),
            ]
        }
    private static let address = "Ab%2FCd%2BKEYMARKER%22%269%3D", plain = #"Ab/Cd+KEYMARKER"&9="#

    private static func base64(_ text: String) -> String { Base64.encoded(Array((text + ", or so").utf8)) }

    @Test(arguments: echoes)
    func `a key that the document repeats in any encoding is shown, but not stored`(
        echo: String, shown: String
    ) async throws {
        let fixture = try LoaderFixture { _ in LoopbackReply(200, Array("{\"a\":\"\(echo)\"}".utf8)) }
        _ = try await fixture.load("/a?token=\(Self.address)")
        let stored = String(decoding: try #require(fixture.store.responses.values.first?.body), as: UTF8.self)
        #expect(!stored.contains("KEYMARKER") && !stored.contains(echo.dropFirst(8).prefix(8)), "\(stored)")
        let again = try await fixture.load("/a?token=\(Self.address)")
        let text = String(decoding: again.body, as: UTF8.self).replacing("%2B", with: "+").replacing(
            "%2F", with: "/")
        #expect(
            again.standing == .fresh
                && text == "{\"a\":\"\(shown)\"}".replacing("%2B", with: "+").replacing("%2F", with: "/"))
    }

    @Test(
        arguments: [
            ("/a?token=KEYMARKER", [:]), ("/a", ["X-Api-Key": "KEYMARKER"]),
            ("/a", ["Authorization": "Bearer KEYMARKER"]),
        ]
            as [(String, HTTPHeaders)])
    func `a key that the server repeats in header fields is not stored, and is sent back to it`(
        target: String, headers: HTTPHeaders
    ) async throws {
        let fixture = try LoaderFixture { request in
            .validated(request, etag: "\"1-KEYMARKER\"", body: Self.body).with {
                $0.headers.append(("Cache-Control", "max-age=1, key=\"KEYMARKER\""))
            }
        }
        let resource = WebResource(document: HTTPAddress(fixture.http.server.url(target)), headers: headers)
        _ = try await fixture.loader.load(resource)
        fixture.date.pass(10)
        #expect(try await fixture.loader.load(resource).standing == .confirmed)
        for response in fixture.store.responses.values {
            #expect(
                response.headers.first("ETag") != nil
                    && !response.headers.lines.contains { $0.value.contains("KEYMARKER") })
        }
    }

    @Test func `a secret anywhere in the address is omitted from the key`() {
        let address = HTTPAddress("https://me:pw@h.example/x/MARKER/a.json#here", secrets: ["MARKER"])
        #expect(address.canonical == "https://h.example/x/…/a.json")
    }

    @Test(arguments: [(404, "no such document"), (500, "HTTP 500"), (200, "an HTML page")])
    func `without a stored copy the failure is reported without the key`(
        status: Int, hint: String
    ) async throws {
        let fixture = try LoaderFixture { _ in LoopbackReply(status, Array("<html>login".utf8)) }
        do throws(DocumentFailure) {
            _ = try await fixture.loader.load(fixture.resource("/a?key=MARKER"))
            Issue.record("no failure")
        } catch {
            #expect("\(error)".contains(hint) && !"\(error)".contains("MARKER"), "\(error)")
        }
        #expect(fixture.store.responses.isEmpty)
    }

    @Test func `a part of a file is stored under its range`() async throws {
        let fixture = try LoaderFixture { _ in
            LoopbackReply(206, [1, 2], headers: ["Content-Range": "bytes 3-4/9", "ETag": "\"1\""])
        }
        let part = WebResource(
            document: HTTPAddress(fixture.http.server.url("/a")), range: ByteRange(offset: 3, count: 2))
        #expect(try await fixture.loader.load(part).body == [1, 2])
        #expect(try await fixture.loader.load(part).standing == .fresh)
        #expect(fixture.store.responses.keys.first == .document(fixture.http.server.url("/a#bytes=3-4")))
    }

    @Test func `a document that is not JSON is rejected with its address`() async throws {
        let fixture = try LoaderFixture { _ in LoopbackReply(200, Array("{".utf8)) }
        let document = try await fixture.load("/a")
        #expect(throws: DocumentFailure.self) { try document.json() }
    }
}
