import RhumbCore
import RhumbHTTP
import RhumbTestSupport
import Testing

struct ConditionalTests {
    @Test(arguments: ["\"v1\"", "W/\"v1\"", "unquoted-v1"])
    func `an unchanged document is not sent again`(etag: String) async throws {
        let fixture = try HTTPFixture { .validated($0, etag: etag, body: picture()) }
        var request = fixture.request("/1")
        let first = try await fixture.client.send(request)
        request.validators = first.validators
        let second = try await fixture.client.send(request)
        #expect(first.status == 200 && second.isNotModified && second.body.isEmpty)
        #expect(fixture.server.record.bytes == 100)
    }

    @Test func `a changed document arrives whole`() async throws {
        let fixture = try HTTPFixture { request in
            .validated(request, etag: "\"\(request.time)\"", body: picture(100, seed: UInt8(request.time)))
        }
        var request = fixture.request("/1")
        request.validators = try await fixture.client.send(request).validators
        #expect(try await fixture.client.send(request).body == picture(100, seed: 2))
    }

    @Test func `a server that ignores conditions is handled`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture(), headers: ["ETag": "\"1\""]) }
        var request = fixture.request("/1")
        request.validators = Validators(etag: "\"1\"")
        #expect(try await fixture.client.send(request).status == 200)
    }

    @Test func `a 304 freshens the stored response`() async throws {
        let fixture = try HTTPFixture { _ in
            LoopbackReply(304, headers: ["Cache-Control": "max-age=70", "Content-Type": "text/html"])
        }
        var request = fixture.request("/1")
        request.validators = Validators(etag: "\"1\"")
        let stored: HTTPHeaders = [
            "Cache-Control": "max-age=5", "ETag": "\"1\"", "Content-Type": "image/png",
        ]
        let response = try await fixture.client.send(request)
        #expect(response.freshness(.tiles(), updating: stored, status: 200).lifetime == 70)
        #expect(stored.updated(by: response.headers)["Content-Type"] == "image/png")
    }

    @Test func `a validator that could break up a request is not sent`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture()) }
        var request = fixture.request("/1")
        request.validators = Validators(etag: "x\r\nX-Evil: 1")
        _ = try await fixture.client.send(request)
        let sent = try #require(fixture.server.record.requests.first)
        #expect(sent.header("X-Evil") == nil && sent.header("If-None-Match") == nil)
    }
}

struct RangeTests {
    private static let file = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }

    private func fixture(
        _ change: @escaping @Sendable (inout LoopbackReply) -> Void = { _ in }
    ) throws -> HTTPFixture {
        try HTTPFixture { LoopbackReply.part(of: Self.file, $0, etag: nil).with(change) }
    }

    private func request(_ fixture: HTTPFixture, _ offset: UInt64, _ count: UInt64) -> HTTPRequest {
        var request = fixture.request("/a.pmtiles", expecting: .archiveRange)
        request.range = ByteRange(offset: offset, count: count)
        return request
    }

    @Test(arguments: [(0, 10, 10), (990, 10, 10), (990, 500, 10), (999, 1, 1)] as [(UInt64, UInt64, Int)])
    func `a part of a file is the requested one`(offset: UInt64, count: UInt64, arrives: Int) async throws {
        let fixture = try fixture()
        let body = try await fixture.client.send(request(fixture, offset, count)).body
        #expect(body == Array(Self.file[Int(offset)..<Int(offset) + arrives]))
        #expect(fixture.server.record.requests.first?.header("Accept-Encoding") == nil)
    }

    @Test func `a server that sends the whole file is detected`() async throws {
        let fixture = try fixture { $0.status = 200 }
        let failure = await fixture.failure(request(fixture, 0, 10))
        #expect(failure?.failureClass == .permanent && failure?.message.contains("range requests") == true)
    }

    @Test(arguments: ["bytes 5-14/1000", "bytes 0-99/1000", "nonsense"])
    func `bytes other than those requested are rejected`(header: String) async throws {
        let fixture = try fixture { $0.headers = [("Content-Range", header)] }
        #expect(await fixture.failure(request(fixture, 0, 10))?.failureClass == .badContent)
    }

    /// Returns the received bytes of a partial request, and the failure with which it ends.
    private func parts(_ fixture: HTTPFixture, _ request: HTTPRequest) async throws -> ([UInt8], HTTPFailure?)
    {
        var bytes: [UInt8] = []
        do {
            for try await part in fixture.client.parts(of: request) { bytes += part.body }
        } catch {
            return (bytes, try #require(error as? HTTPFailure))
        }
        return (bytes, nil)
    }

    @Test func `a part of a file is delivered piece by piece before its end has arrived`() async throws {
        let gate = LoopbackGate()
        let fixture = try fixture { $0.ending = .pause(after: 100, gate) }
        var bytes: [UInt8] = []
        for try await part in fixture.client.parts(of: request(fixture, 0, 500)) {
            bytes += part.body
            #expect(part.headers["Content-Range"] == "bytes 0-499/1000")
            if bytes.count == 100 { gate.open() }
        }
        #expect(bytes == Array(Self.file[..<500]))
    }

    @Test func `two readers of the same part each receive all of it`() async throws {
        let gate = LoopbackGate(), fixture = try fixture { $0.gate = gate },
            request = request(fixture, 0, 500)
        async let one = parts(fixture, request)
        async let two = parts(fixture, request)
        let server = fixture.server
        #expect(await eventually { server.requestCount > 0 })
        gate.open()
        #expect(try await (one.0, two.0) == (Array(Self.file[..<500]), Array(Self.file[..<500])))
    }

    @Test func `a reader that starts after the first bytes also receives all of them`() async throws {
        let gate = LoopbackGate(), fixture = try fixture { $0.ending = .pause(after: 100, gate) }
        var bytes: [UInt8] = [], others: [[UInt8]] = []
        let request = request(fixture, 0, 500)
        for try await part in fixture.client.parts(of: request) {
            bytes += part.body
            guard bytes.count == 100 else { continue }
            async let other = parts(fixture, request)
            let server = fixture.server
            #expect(await eventually { server.requestCount == 2 })
            gate.open()
            others.append(try await other.0)
        }
        #expect(bytes == Array(Self.file[..<500]) && others == [bytes])
    }

    @Test(arguments: [LoopbackReply.Ending.close(after: 70), .reset(after: 70), .close(after: 0)])
    func `the received bytes of an aborted part are kept`(ending: LoopbackReply.Ending) async throws {
        let fixture = try fixture { $0.ending = ending }
        let (bytes, failure) = try await parts(fixture, request(fixture, 0, 500))
        #expect(bytes == Array(Self.file[..<bytes.count]) && bytes.count <= 70)
        #expect(failure?.failureClass == .transient)
    }

    @Test(
        arguments: [
            (200, [("Content-Range", "bytes 0-499/1000")]), (206, [("Content-Range", "bytes 5-504/1000")]),
            (206, []),
            (206, [("Content-Range", "bytes 0-999/1000")]),
            (206, [("Content-Range", "bytes 0-499/1000"), ("Content-Encoding", "gzip")]),
            (500, []), (404, []),
        ] as [(Int, [(String, String)])])
    func `no byte of a response for another part is passed on`(
        status: Int, headers: [(String, String)]
    ) async throws {
        let fixture = try fixture { reply in
            reply.status = status
            reply.headers = headers.map { (name: $0.0, value: $0.1) }
        }
        let (bytes, failure) = try await parts(fixture, request(fixture, 0, 500))
        #expect(status == 404 || failure != nil && bytes == [])
    }

    @Test func `a file that changed in between is detected by status 412`() async throws {
        let fixture = try HTTPFixture { request in
            LoopbackReply(request.header("If-Match") == "\"old\"" ? 412 : 206)
        }
        var request = request(fixture, 0, 10)
        request.headers = ["If-Match": "\"old\""]
        #expect(await fixture.failure(request)?.status == 412)
    }
}
