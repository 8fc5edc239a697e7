import Glibc
import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbTestSupport
import Synchronization
import Testing

/// Tests that the rules of a host apply to each request sent to it.
struct PolicyTests {
    /// Returns a fixture with two names for one server: a provider with rules at "localhost", and none at
    /// 127.0.0.1.
    private func fixture(
        _ policy: String,
        _ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply = { _ in
            LoopbackReply(200, picture())
        }
    ) throws -> HTTPFixture {
        let list = #"{"sources":[{"id":"p","url":"https://localhost/{z}/{x}/{y}.png","policy":\#(policy)}]}"#
        let shipped = try SourceList.parse(Array(list.utf8))
        return try HTTPFixture({ $0.providers = Providers(shipped: shipped) }, script)
    }

    private func request(_ url: String, _ priority: HTTPPriority, source: String = "mine") -> HTTPRequest {
        HTTPRequest(HTTPAddress(url), priority: priority, rules: SourceRules(id: source, connections: 12))
    }

    private static let download = HTTPPriority.download, ahead = HTTPPriority.prefetch,
        view = HTTPPriority.visible(view: 1)

    @Test(arguments: [
        (#"{"offline":"denied","lookAhead":true}"#, download, false),
        (#"{"offline":"denied","lookAhead":true}"#, ahead, true),
        (#"{"offline":"denied"}"#, view, true), (#"{"lookAhead":false}"#, ahead, false),
        (#"{"offline":"ask"}"#, download, true),
        (#"{"offline":"allowed"}"#, download, true),
    ])
    func `requests to a host are limited to what its provider allows`(
        policy: String, priority: HTTPPriority, isSent: Bool
    ) async throws {
        let fixture = try fixture(policy)
        let failure = await fixture.failure(request(fixture.server.url("/1", host: "localhost"), priority))
        #expect((failure == nil) == isSent && (fixture.server.requestCount == 1) == isSent)
        #expect(
            isSent || failure?.failureClass == .refused && failure?.message.contains("does not allow") == true
        )
    }

    @Test(arguments: ["LOCALHOST", "localhost.", "a.localhost", "me:pw@localhost", "local%68ost"])
    func `a provider's rules apply however its host name is spelled`(host: String) async throws {
        let fixture = try fixture(#"{"offline":"denied"}"#)
        let failure = await fixture.failure(request(fixture.server.url("/1", host: host), .download))
        #expect(failure?.message.contains("does not allow") == true && fixture.server.requestCount == 0)
    }

    @Test(arguments: [
        (#"{"offline":"denied"}"#, download, false), (#"{"offline":"ask"}"#, download, false),
        (#"{"offline":"allowed"}"#, download, true),
        (#"{"offline":"denied","lookAhead":false}"#, ahead, false), (#"{"offline":"denied"}"#, view, true),
    ])
    func `a redirect is followed only if the next host's provider allows the request`(
        policy: String, priority: HTTPPriority, isFollowed: Bool
    ) async throws {
        let fixture = try fixture(policy) { request in
            request.target == "/1"
                ? .redirect("http://localhost:\(request.header("Host")?.split(separator: ":").last ?? "")/2")
                : LoopbackReply(200, picture())
        }
        let failure = await fixture.failure(request(fixture.server.url("/1"), priority))
        #expect((failure == nil) == isFollowed && fixture.server.count("/2") == (isFollowed ? 1 : 0))
    }

    @Test func `viewing continues where downloading is denied`() async throws {
        let gate = LoopbackGate()
        let fixture = try fixture(#"{"offline":"denied"}"#) { request in
            guard request.target == "/1" else { return LoopbackReply(200, picture()) }
            return .redirect("http://localhost:\(request.header("Host")?.split(separator: ":").last ?? "")/2")
                .with { $0.gate = gate }
        }
        async let downloaded = fixture.failure(request(fixture.server.url("/1"), .download))
        #expect(await eventually { fixture.server.count("/1") > 0 })
        async let viewed = fixture.failure(request(fixture.server.url("/1"), Self.view))
        try await Task.sleep(for: .milliseconds(50))
        gate.open()
        #expect(await viewed == nil)
        #expect(await downloaded?.failureClass == .refused)
    }

    @Test(arguments: [false, true])
    func `all hosts of a provider share its connection limit, also after redirects`(
        isRedirected: Bool
    ) async throws {
        let count = AtOnce()
        let fixture = try fixture(#"{"connections":2,"offline":"allowed"}"#) { request in
            guard request.target.hasPrefix("/to") else {
                return .redirect(
                    "http://localhost:\(request.header("Host")?.split(separator: ":").last ?? "")/to\(request.target)"
                )
            }
            count.during { usleep(20_000) }
            return LoopbackReply(200, picture())
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                let host = number.isMultiple(of: 2) ? "LOCALHOST" : "localhost"
                let url =
                    isRedirected
                    ? fixture.server.url("/\(number)") : fixture.server.url("/to/\(number)", host: host)
                let request = request(url, Self.view, source: "s\(number)")
                group.addTask { _ = await fixture.failure(request) }
            }
        }
        #expect(fixture.server.record.requests.count { $0.target.hasPrefix("/to") } == 16)
        #expect(count.most <= 2)
    }
}

/// Records the largest number of simultaneous requests.
private final class AtOnce: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var most: Int { counts.withLock { $0.most } }

    func during(_ body: () -> Void) {
        counts.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
        body()
        counts.withLock { $0.now -= 1 }
    }
}
