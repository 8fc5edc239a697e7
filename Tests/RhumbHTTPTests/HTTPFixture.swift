import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
import RhumbTestSupport

/// A loopback server, and a client whose timeouts are suitable for tests.
struct HTTPFixture {
    let server: LoopbackServer
    let client: HTTPClient

    /// - Parameter clock: The clock of the client's pauses.
    init(
        _ change: (inout ClientOptions) -> Void = { _ in }, clock: EngineClock = .machine,
        _ script: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) throws {
        server = try LoopbackServer(script)
        client = try HTTPClient.forTests(change, clock: clock)
    }

    func request(
        _ target: String, expecting expected: ExpectedContent = .imageTile,
        priority: HTTPPriority = .visible(view: 0), connections: Int = 6, source: String = "test"
    ) -> HTTPRequest {
        HTTPRequest(
            HTTPAddress(server.url(target)), expecting: expected, priority: priority,
            rules: SourceRules(id: source, connections: connections))
    }

    func send(_ target: String) async throws(HTTPFailure) -> HTTPResponse {
        try await client.send(request(target))
    }

    /// Returns the failure of a request; nil if it succeeded.
    func failure(_ request: HTTPRequest) async -> HTTPFailure? {
        do throws(HTTPFailure) {
            _ = try await client.send(request)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the body of the response to a request; nil if it failed.
    func body(_ request: HTTPRequest) async -> [UInt8]? { try? await client.send(request).body }

    func failure(_ target: String) async -> HTTPFailure? { await failure(request(target)) }
}

extension HTTPClient {
    /// Returns a client whose timeout is much longer than the machine can take to run a test.
    static func forTests(
        _ change: (inout ClientOptions) -> Void = { _ in }, clock: EngineClock = .machine
    ) throws -> HTTPClient {
        var options = ClientOptions(userAgent: try UserAgent("RhumbTests/1.0 (+https://rhumb.example)"))
        options.timeout = .seconds(600)
        options.idleTimeout = .seconds(600)
        options.connectTimeout = .seconds(600)
        change(&options)
        return HTTPClient(options, clock: clock)
    }
}

/// Returns bytes that begin like a PNG file.
func picture(_ count: Int = 100, seed: UInt8 = 7) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47] + [UInt8](repeating: seed, count: max(0, count - 4))
}
