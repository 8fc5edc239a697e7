import RhumbCore
import RhumbHTTP
import RhumbTestSupport
import Testing

struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is followed, and its lifetime counts`(status: Int) async throws {
        let fixture = try HTTPFixture { request in
            guard request.target == "/from" else {
                return LoopbackReply(200, picture(), headers: ["Cache-Control": "max-age=500"])
            }
            return .redirect("to?x=1", status: status).with {
                $0.headers.append(("Cache-Control", "max-age=20"))
            }
        }
        let response = try await fixture.send("/from")
        #expect(response.body == picture())
        #expect(fixture.server.record.requests.map(\.target) == ["/from", "/to?x=1"])
        #expect(response.freshness(.tiles()).lifetime == 20)
    }

    @Test(arguments: [(5, true), (6, false)])
    func `at most five redirects are followed`(count: Int, arrives: Bool) async throws {
        let fixture = try HTTPFixture { request in
            let step = Int(request.target.dropFirst()) ?? 0
            return step == 0 ? LoopbackReply(200, picture()) : .redirect("/\(step - 1)")
        }
        let failure = await fixture.failure("/\(count)")
        #expect((failure == nil) == arrives)
        if !arrives { #expect(failure?.fault == .redirects && fixture.server.requestCount == 6) }
    }

    @Test func `a redirect loop ends before the sixth request of an address`() async throws {
        let fixture = try HTTPFixture { _ in .redirect("/1") }
        #expect(await fixture.failure("/1")?.fault == .redirects)
        #expect(fixture.server.requestCount == 5)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"])
    func `a redirect to another scheme is rejected`(target: String) async throws {
        let fixture = try HTTPFixture { _ in .redirect(target) }
        #expect(await fixture.failure("/1")?.fault == .badAddress)
    }

    @Test func `a redirect can't send a key to another server`() async throws {
        let other = try LoopbackServer { _ in LoopbackReply(200, picture()) }
        let fixture = try HTTPFixture { request in
            request.target.hasPrefix("/same")
                ? LoopbackReply(200, picture())
                : request.target.hasPrefix("/near")
                    ? .redirect("/same?key=MARKER")
                    : .redirect(other.url("/elsewhere?key=MARKER&x=1", host: "localhost"))
        }
        for target in ["/near?key=MARKER", "/far?key=MARKER"] {
            var request = fixture.request(target)
            request.headers = ["Authorization": "Bearer MARKER", "X-Key": "MARKER", "X-Plain": "1"]
            request.secretHeaders = ["x-key"]
            _ = try await fixture.client.send(request)
        }
        let near = try #require(fixture.server.record.requests.first { $0.target.hasPrefix("/same") })
        #expect(near.target == "/same?key=MARKER")
        #expect(near.header("Authorization") == "Bearer MARKER" && near.header("X-Key") == "MARKER")
        let far = try #require(other.record.requests.first)
        #expect(far.target == "/elsewhere?x=1" && far.header("X-Plain") == "1")
        #expect(far.header("Authorization") == nil && far.header("X-Key") == nil)
    }

    @Test func `a no-store redirect forbids storing its target`() async throws {
        let fixture = try HTTPFixture { request in
            request.target == "/to"
                ? LoopbackReply(200, picture())
                : .redirect("/to").with { $0.headers.append(("Cache-Control", "no-store")) }
        }
        let request = fixture.request("/from")
        #expect(try await fixture.client.send(request).verdict(for: request) == .no(.noStore))
    }
}

/// Tests responses that the sentence of a failure must describe.
struct ResponseSentenceTests {
    private func message(_ reply: LoopbackReply, range: ByteRange? = nil) async throws -> String {
        let fixture = try HTTPFixture { _ in reply }
        var request = fixture.request("/1")
        request.range = range
        do {
            _ = try await fixture.client.send(request)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `the failure of a redirect by S3 names the region and its endpoint`() async throws {
        let body = """
            <Error><Code>PermanentRedirect</Code><Endpoint>b.s3.eu-west-1.amazonaws.com</Endpoint></Error>
            """
        let reply = LoopbackReply(
            301, Array(body.utf8), headers: ["x-amz-bucket-region": "eu-west-1"])
        #expect(
            try await message(reply).hasSuffix(
                "the bucket is in the region eu-west-1; use the endpoint b.s3.eu-west-1.amazonaws.com"))
        let bare = LoopbackReply(301, [], headers: ["x-amz-bucket-region": "eu-west-1"])
        #expect(try await message(bare).hasSuffix("use the endpoint s3.eu-west-1.amazonaws.com"))
        #expect(try await message(LoopbackReply(301, [])).contains("a redirect without a new address"))
    }

    @Test func `a part that is shorter than requested is described`() async throws {
        let range = try #require(ByteRange(offset: 0, count: 100))
        let short = LoopbackReply(
            206, [UInt8](repeating: 0, count: 7), headers: ["Content-Range": "bytes 0-99/1000"])
        #expect(try await message(short, range: range).hasSuffix("it sent only 7 of 100 bytes"))
    }

    @Test func `a rejected request names the content that was requested`() async throws {
        #expect(try await message(LoopbackReply(400, [])).contains("rejected the request for an image"))
    }
}
