import RhumbCore
import RhumbHTTP
import RhumbTestSupport
import Testing

struct ConditionalTests {
    @Test(arguments: ["\"v1\"", "W/\"v1\"", "unquoted-v1"])
    func `what has not changed is not sent again`(etag: String) async throws {
        let fixture = try HTTPFixture { .validated($0, etag: etag, body: picture()) }
        var request = fixture.request("/1")
        let first = try await fixture.client.send(request)
        request.validators = first.validators
        let second = try await fixture.client.send(request)
        #expect(first.status == 200 && second.isNotModified && second.body.isEmpty)
        #expect(fixture.server.record.bytes == 100)
    }

    @Test func `what has changed comes whole`() async throws {
        let fixture = try HTTPFixture { request in
            .validated(request, etag: "\"\(request.time)\"", body: picture(100, seed: UInt8(request.time)))
        }
        var request = fixture.request("/1")
        request.validators = try await fixture.client.send(request).validators
        #expect(try await fixture.client.send(request).body == picture(100, seed: 2))
    }

    @Test func `a server that ignores conditions is no harm`() async throws {
        let fixture = try HTTPFixture { _ in LoopbackReply(200, picture(), headers: ["ETag": "\"1\""]) }
        var request = fixture.request("/1")
        request.validators = Validators(etag: "\"1\"")
        #expect(try await fixture.client.send(request).status == 200)
    }

    @Test func `not-modified lengthens the life of what is stored`() async throws {
        let fixture = try HTTPFixture { _ in
            LoopbackReply(304, headers: ["Cache-Control": "max-age=70", "Content-Type": "text/html"])
        }
        var request = fixture.request("/1")
        request.validators = Validators(etag: "\"1\"")
        let stored: HTTPHeaders = ["Cache-Control": "max-age=5", "ETag": "\"1\"", "Content-Type": "image/png"]
        let response = try await fixture.client.send(request)
        #expect(response.freshness(.tiles(), updating: stored, status: 200).lifetime == 70)
        #expect(stored.updated(by: response.headers)["Content-Type"] == "image/png")
    }

    @Test func `a validator that could break a request apart is not sent`() async throws {
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
    func `a part of a file is what was asked for`(offset: UInt64, count: UInt64, arrives: Int) async throws {
        let fixture = try fixture()
        let body = try await fixture.client.send(request(fixture, offset, count)).body
        #expect(body == Array(Self.file[Int(offset)..<Int(offset) + arrives]))
        #expect(fixture.server.record.requests.first?.header("Accept-Encoding") == nil)
    }

    @Test func `a server that sends the whole file is told apart`() async throws {
        let fixture = try fixture { $0.status = 200 }
        let failure = await fixture.failure(request(fixture, 0, 10))
        #expect(failure?.failureClass == .permanent && failure?.message.contains("whole") == true)
    }

    @Test(arguments: ["bytes 5-14/1000", "bytes 0-99/1000", "nonsense"])
    func `other bytes than those asked for are refused`(header: String) async throws {
        let fixture = try fixture { $0.headers = [("Content-Range", header)] }
        #expect(await fixture.failure(request(fixture, 0, 10))?.failureClass == .badContent)
    }

    @Test func `a file that changed in between is told by status 412`() async throws {
        let fixture = try HTTPFixture { request in
            LoopbackReply(request.header("If-Match") == "\"old\"" ? 412 : 206)
        }
        var request = request(fixture, 0, 10)
        request.headers = ["If-Match": "\"old\""]
        #expect(await fixture.failure(request)?.status == 412)
    }
}
