public import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// The HTTP client of the whole program. It has one thread and shared connections, uses HTTP/2 if the server
/// supports it, and takes proxies and certificates from the environment like curl.
///
/// Visible requests come first, the rules of each source are obeyed, and equal requests in flight share one
/// response. The client stores nothing and uses no cache. A local file is read at once, even offline.
public final class HTTPClient: Sendable {
    /// True if libcurl is available. The first access loads it.
    public static var isAvailable: Bool { TransferThread.curlIsReady }
    /// The options it was created with.
    public let options: ClientOptions
    private let inbox = Inbox()
    private let clock: EngineClock
    /// The thread, which starts with the first request, because many maps need no server.
    private let thread = Mutex<TransferThread?>(nil)
    private let problems = Mutex<Set<ServerProblem>>([])

    /// Creates a client with a thread of its own. The thread ends with the client, or before the process
    /// does.
    public convenience init(_ options: ClientOptions) {
        self.init(options, clock: .machine)
    }

    /// - Parameter clock: The clock of pauses and rates; tests pass their own.
    init(_ options: ClientOptions, clock: EngineClock) {
        self.options = options
        self.clock = clock
    }

    deinit { thread.withLock { $0?.stop() } }

    private func begunThread() -> TransferThread {
        thread.withLock { thread in
            if let thread { return thread }
            let begun = TransferThread(options, inbox, clock)
            thread = begun
            return begun
        }
    }

    /// True to open no socket, except for requests that pass through; requests in flight are cancelled.
    public var isOffline: Bool {
        get { inbox.isOffline }
        set { inbox.setOffline(newValue) }
    }

    /// True to download no regions; visible tiles are still fetched, and requests in flight are completed.
    public var isMetered: Bool {
        get { inbox.isMetered }
        set { inbox.setMetered(newValue) }
    }

    /// Reports a problem of a server to the options' receiver, once.
    public func note(_ problem: ServerProblem) {
        if problems.withLock({ $0.insert(problem).inserted }) { options.onServerProblem?(problem) }
    }

    /// Ends the pause of a source whose key was rejected. Call it when the key has changed.
    public func endPause(ofSource id: String) { inbox.post(.endPause(source: id)) }

    /// Sends a request once.
    /// - Returns: A complete response of the expected kind with status 200, 203, 204, 206, 304, 404 or 410.
    /// - Throws: `HTTPFailure`. If the task is cancelled, throws at once and frees the connection.
    public func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        if let path = request.address.localPath { return try LocalFile(path: path).answer(to: request) }
        guard request.passesThrough || !isOffline else { throw .offline(request.address) }
        if let fault = begunThread().fault { throw .fault(fault, request.address) }
        let number = inbox.nextNumber()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.post(.begin(Waiter(number: number, request: request, continuation: continuation)))
                // A cancellation before the line above found nothing to cancel.
                if Task.isCancelled { inbox.post(.cancel(number)) }
            }
        } onCancel: {
            inbox.post(.cancel(number))
        }
        return try outcome.get()
    }

    /// Sends a request, and repeats it after transient failures. The waits in between grow at random, and
    /// occupy no connection. While an address is paused because it fails, only downloads wait for it.
    /// - Parameter rule: The rule for retries; nil for the rule of the request's priority.
    /// - Throws: The `HTTPFailure` of the last request.
    public func load(
        _ request: HTTPRequest, retrying rule: RetryRule? = nil
    ) async throws(HTTPFailure) -> HTTPResponse {
        let rule = rule ?? RetryRule(for: request.priority)
        var failures = 0, last: HTTPFailure?
        while true {
            let failure: HTTPFailure
            do throws(HTTPFailure) {
                return try await send(request)
            } catch {
                failure = error
            }
            if failure.isPaused, request.priority != .download { throw last ?? failure }
            last = failure
            failures += 1
            guard var wait = rule.delay(after: failure, of: request, failures: failures) else {
                throw failure
            }
            if let pause = failure.retryAfter { wait = max(wait, pause.inSeconds) }
            guard (try? await Task.sleep(for: .seconds(wait))) != nil else { throw .cancelled }
        }
    }
}

extension RetryRule {
    /// Returns the seconds until a failed request is sent again; nil to give up. A map without a stored copy
    /// can't be opened without its documents, so they also wait for a server that limits its rate.
    fileprivate func delay(after failure: HTTPFailure, of request: HTTPRequest, failures: Int) -> Double? {
        guard let failureClass = failure.failureClass else { return nil }
        if failureClass == .rate, [.document, .archiveStart].contains(request.expected),
            request.validators.isEmpty,
            let pause = failure.retryAfter
        {
            return delay(afterPause: pause.inSeconds, failures: failures)
        }
        return delay(after: failureClass, failures: failures, random: .random(in: 0..<1))
    }

    /// The rule for requests of a priority.
    package init(for priority: HTTPPriority) {
        switch priority {
        case .visible: self = .interactive
        case .prefetch: self = .once
        case .download: self = .download
        }
    }
}

extension HTTPClient {
    /// Sends a request for a range once, and returns its bytes as they arrive.
    /// - Returns: Responses with a part of the body each, the last one usually with none. Throws
    ///   `HTTPFailure` if the response breaks off or is not for that range. The request is cancelled when the
    ///   iteration ends.
    public func parts(of request: HTTPRequest) -> AsyncThrowingStream<HTTPResponse, any Error> {
        parts(of: request, sending: send)
    }
}

/// Sends requests. The program uses libcurl; tests use a script.
public protocol Transport: Sendable {
    /// True while no request may be sent, except for those that pass through.
    var isOffline: Bool { get }

    /// Sends a request, and repeats it after transient failures.
    /// - Parameter rule: The rule for retries; nil for the rule of the request's priority.
    /// - Throws: The last `HTTPFailure`.
    func load(_ request: HTTPRequest, retrying rule: RetryRule?) async throws(HTTPFailure) -> HTTPResponse

    /// Sends a request for a range once, and returns its bytes as they arrive. By default they arrive
    /// together.
    /// - Returns: Responses with a part of the body each. Throws `HTTPFailure` if the response breaks off or
    ///   is not for that range.
    func parts(of request: HTTPRequest) -> AsyncThrowingStream<HTTPResponse, any Error>

    /// Notes a problem of a server. By default it is ignored.
    func note(_ problem: ServerProblem)
}

extension Transport {
    /// Ignores the problem.
    public func note(_ problem: ServerProblem) {}

    /// Loads the whole response first, and returns it as one part.
    public func parts(of request: HTTPRequest) -> AsyncThrowingStream<HTTPResponse, any Error> {
        parts(of: request) { request throws(HTTPFailure) in try await load(request, retrying: .once) }
    }

    /// Returns the parts that a request with a receiver passes on while it is sent, and its response last.
    /// - Parameter send: Sends the request.
    func parts(
        of request: HTTPRequest,
        sending send: @escaping @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
    ) -> AsyncThrowingStream<HTTPResponse, any Error> {
        AsyncThrowingStream { parts in
            let task = Task {
                var request = request
                request.receiver = PartReceiver(parts)
                do throws(HTTPFailure) {
                    parts.yield(try await send(request))
                    parts.finish()
                } catch {
                    parts.finish(throwing: error)
                }
            }
            parts.onTermination = { _ in task.cancel() }
        }
    }
}

extension HTTPClient: Transport {}
