import RhumbCore
@testable import RhumbHTTP
import Synchronization

/// A transport that responds from a script, in memory.
final class ScriptedTransport: Transport {
    /// Returns the outcome of a request. The first request has the number 1.
    typealias Script = @Sendable (HTTPRequest, Int) -> Result<HTTPResponse, HTTPFailure>

    private struct State {
        var requests: [HTTPRequest] = []
        var isOffline = false
    }
    private let state = Mutex(State())
    private let script: Script

    init(_ script: @escaping Script) { self.script = script }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    var isOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    func load(_ request: HTTPRequest, retrying rule: RetryRule?) async throws(HTTPFailure) -> HTTPResponse {
        let number = state.withLock { state in
            state.requests.append(request)
            return state.requests.count
        }
        return try script(request, number).get()
    }
}

extension HTTPResponse {
    /// Returns a response that arrived immediately.
    static func scripted(
        _ status: Int = 200, _ body: [UInt8] = [], headers: HTTPHeaders = [:], at now: UnixSeconds
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers, body: body, requestedAt: now, receivedAt: now,
            wireBytes: body.count,
            redirects: [])
    }
}
