import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
import RhumbTestSupport
import Synchronization

/// A deterministic network: takes the place of libcurl and its loop. The bytes of a simulated origin pass the
/// client's own checks. Each fault depends only on the seed, the address and the number of the request for
/// that address. Waits advance the clock.
final class FaultyTransport: Transport {
    /// The faults to inject.
    struct Plan: Sendable {
        let seed: UInt64
        /// The share of the requests that fail, from 0 to 1.
        var share = 0.4
        /// The maximum number of faults for an address.
        var limit = Int.max
        /// The faults that are not injected into requests for ranges that the caller repeats itself.
        var rangeExceptions: Set<NetworkFault> = []
        var exceptions: Set<NetworkFault> = []
        /// True to set the client's clock forward and back.
        var setsClock = false
        /// The number of times that a request lets other tasks run.
        var yields = 0
    }

    /// A request that was sent, and its response.
    struct Exchange: Sendable, CustomStringConvertible {
        let request: HTTPRequest
        let fault: NetworkFault?
        /// The response as it arrived, possibly damaged; nil if none did.
        let response: WireResponse?
        /// The fault below HTTP.
        let end: TransportFault?
        /// The times by the client's clock.
        let sentAt: UnixSeconds, receivedAt: UnixSeconds
        /// The total time that the client's clock had been set back before.
        let setBack: Duration
        /// True if the client accepted the response.
        var isUsable = false

        var url: String { request.address.url }
        var description: String {
            let end = fault.map { "\($0)" } ?? "ok", range = request.range.map { " \($0.header)" } ?? ""
            return "\(url)\(range) \(request.validators.conditions.lines.map(\.value)): "
                + "\(response?.status ?? 0) v\(response?.version ?? 0) \(end)"
        }

        /// True if an incomplete body arrived whose length was not announced.
        var isDamaged: Bool { fault == .shortUnannounced && response?.status == 200 && isUsable }

        /// True if a whole resource or its confirmation arrived, so that the client must use it.
        var isAccepted: Bool {
            guard let response, end == nil, fault?.isHarmless ?? true else { return false }
            switch response.status {
            case 200: return fault != .shortUnannounced || isUsable
            case 304: return !request.validators.isEmpty && response.confirms(request.validators)
            default: return response.status == 404
            }
        }
    }

    private struct State {
        var plan: Plan
        var exchanges: [Exchange] = []
        var counts: [String: Int] = [:]
        var faults: [String: Int] = [:]
        var earlier: [String: WireResponse] = [:]
        var queue = RequestQueue(limit: 16)
        var isOffline = false
        var offlineCalls = 0, refusals = 0
        var setBack = Duration.zero
        var started = 0, running = 0, peak = 0
        var onRequest: @Sendable (Int) -> Void = { _ in }
    }
    private let state: Mutex<State>
    let origin: SimulatedOrigin
    let clock: ManualClock

    init(_ origin: SimulatedOrigin, _ clock: ManualClock, _ plan: Plan) {
        self.origin = origin
        self.clock = clock
        state = Mutex(State(plan: plan))
    }

    /// The requests that were sent.
    var exchanges: [Exchange] { state.withLock { $0.exchanges } }
    /// The number of requests by callers while offline. None of them was sent.
    var offlineCalls: Int { state.withLock { $0.offlineCalls } }
    /// The number of requests that were not sent, because the server or the source was paused.
    var refusals: Int { state.withLock { $0.refusals } }
    /// The number of requests so far.
    var started: Int { state.withLock { $0.started } }
    /// The maximum number of concurrent requests.
    var peak: Int { state.withLock { $0.peak } }
    /// The total time that the client's clock was set back.
    var setBack: Duration { state.withLock { $0.setBack } }

    var isOffline: Bool {
        get { state.withLock { $0.isOffline } }
        set { state.withLock { $0.isOffline = newValue } }
    }

    /// Ends all faults.
    func behave() { state.withLock { $0.plan.share = 0 } }

    /// True until `behave` is called.
    var isFaulty: Bool { state.withLock { $0.plan.share > 0 } }

    /// Calls a function with the number of each request, just before its response arrives.
    func onRequest(_ body: @escaping @Sendable (Int) -> Void) { state.withLock { $0.onRequest = body } }

    // MARK: The transport

    func load(_ request: HTTPRequest, retrying rule: RetryRule?) async throws(HTTPFailure) -> HTTPResponse {
        let rule = rule ?? RetryRule(for: request.priority)
        var failures = 0
        while true {
            let failure: HTTPFailure
            do throws(HTTPFailure) { return try await send(request) } catch { failure = error }
            failures += 1
            guard let failureClass = failure.failureClass,
                let wait = rule.delay(after: failureClass, failures: failures, random: 0.5)
            else { throw failure }
            clock.advance(by: .seconds(wait))
        }
    }

    func parts(of request: HTTPRequest) -> AsyncThrowingStream<HTTPResponse, any Error> {
        parts(of: request, sending: send)
    }

    private func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard !isOffline else {
            state.withLock { $0.offlineCalls += 1 }
            throw .offline(request.address)
        }
        if let refusal = refusal(of: request) {
            state.withLock { $0.refusals += 1 }
            throw refusal
        }
        let (plan, number) = begin(request)
        for _ in 0..<plan.yields { await Task.yield() }
        state.withLock { $0.onRequest }(number)
        let outcome = await withCheckedContinuation { continuation in
            let waiter = Waiter(number: 1, request: request, continuation: continuation)
            let transfer = Transfer(waiter, request.identity, SecretMask([]), SecretMask([]), inbox: Inbox())
            continuation.resume(returning: self.outcome(of: transfer, plan))
        }
        state.withLock { $0.running -= 1 }
        guard !Task.isCancelled else { throw .cancelled }
        return try outcome.get()
    }

    private func begin(_ request: HTTPRequest) -> (Plan, number: Int) {
        state.withLock { state in
            state.running += 1
            state.peak = max(state.peak, state.running)
            state.started += 1
            return (state.plan, state.started)
        }
    }

    // MARK: Pauses

    private var now: Double { clock.now.inSeconds }

    /// Refuses requests to a host or a source that is paused, as the client's loop does.
    private func refusal(of request: HTTPRequest) -> HTTPFailure? {
        let now = now
        let pause = state.withLock {
            $0.queue.pause(origin: request.address.origin, source: request.rules.id, now: now)
        }
        if pause.source > 0 {
            return HTTPFailure(.failed(.refused), retryAfter: .seconds(pause.source), "paused")
        }
        return pause.host > 0
            ? HTTPFailure(.failed(.rate), retryAfter: .seconds(pause.host), "paused") : nil
    }

    private func fail(
        _ transfer: Transfer, _ failureClass: FailureClass, _ status: Int, _ text: String
    ) -> HTTPFailure {
        let now = now, request = transfer.request, lane = request.address.origin
        let hint = RetryHint.seconds(in: transfer.headers, now: clock.date).map(Double.init)
        let wait: Double? = state.withLock { state in
            switch failureClass {
            case .rate: state.queue.pauseHost(lane, retryAfter: hint, now: now)
            case .refused: state.queue.pauseSource(request.rules.id, status: status, now: now)
            default: nil
            }
        }
        return HTTPFailure(
            .failed(failureClass), status: status, retryAfter: wait.map { .seconds($0) }, text)
    }

    // MARK: A request

    /// Sends a request, and receives its response.
    private func outcome(of transfer: Transfer, _ plan: Plan) -> Result<HTTPResponse, HTTPFailure> {
        let request = transfer.request, url = request.address.url, honest = origin.respond(to: request)
        let (count, faults, earlier) = state.withLock { state in
            state.counts[url, default: 0] += 1
            defer { state.earlier[url] = honest }
            return (state.counts[url] ?? 1, state.faults[url] ?? 0, state.earlier[url])
        }
        var generator = SplitMix(
            seed: plan.seed ^ FNV1a.hash(url.utf8) &+ UInt64(count) &* 0x9E37_79B9_7F4A_7C15)
        let fault = faults < plan.limit ? plan.fault(in: request, using: &generator) : nil
        if fault != nil { state.withLock { $0.faults[url, default: 0] += 1 } }
        let delivery = Delivery(fault, of: honest, to: request, earlier: earlier, using: &generator)
        let sentAt = clock.date, setBack = setBack
        transfer.begin(at: sentAt)
        clock.advance(by: delivery.delay)
        if plan.setsClock, Int.random(in: 0..<6, using: &generator) == 0 { setClock(using: &generator) }
        // The caller may continue once the first part has arrived.
        let exchange = Exchange(
            request: request, fault: fault, response: delivery.response, end: delivery.end, sentAt: sentAt,
            receivedAt: clock.date, setBack: setBack)
        let place = state.withLock { state in
            state.exchanges.append(exchange)
            return state.exchanges.count - 1
        }
        let outcome = receive(delivery, by: transfer, using: &generator)
        if case .success = outcome { state.withLock { $0.exchanges[place].isUsable = true } }
        return outcome
    }

    /// Sets the client's clock forward or back, by up to three hours.
    func setClock(using generator: inout SplitMix) {
        let jump = Duration.seconds(Int.random(in: -10_000...10_000, using: &generator))
        clock.setDate(off: jump)
        if jump < .zero { state.withLock { $0.setBack -= jump } }
    }

    private func receive(
        _ delivery: Delivery, by transfer: Transfer, using generator: inout SplitMix
    ) -> Result<HTTPResponse, HTTPFailure> {
        let address = transfer.request.address
        if let response = delivery.response {
            let fault = transfer.receive(response, delivery.bytes, using: &generator)
            if let fault = transfer.ownFault ?? delivery.end ?? fault {
                return .failure(.fault(fault, address))
            }
            do throws(TransportFault) { try transfer.decodeBody() } catch {
                return .failure(.fault(error, address))
            }
            return conclude(transfer, response.status)
        }
        return .failure(.fault(delivery.end ?? .connectionLost, address))
    }

    private func conclude(_ transfer: Transfer, _ status: Int) -> Result<HTTPResponse, HTTPFailure> {
        let request = transfer.request, now = now
        let verdict = ResponseValidator.verdict(
            request, status: status, headers: transfer.headers, body: transfer.body,
            delivered: transfer.delivered)
        guard verdict == .usable else {
            guard case .failed(let failureClass, let text) = verdict else { return .failure(.cancelled) }
            return .failure(fail(transfer, failureClass, status, text))
        }
        state.withLock {
            $0.queue.succeeded(origin: request.address.origin, source: request.rules.id, now: now)
        }
        return .success(
            HTTPResponse(
                status: status, headers: transfer.maskedHeaders, body: transfer.body,
                requestedAt: transfer.requestedAt, receivedAt: clock.date,
                wireBytes: transfer.received - transfer.delivered, redirects: []))
    }
}

extension FaultyTransport.Plan {
    /// Returns the fault of the next response; nil for none.
    fileprivate func fault(in request: HTTPRequest, using generator: inout SplitMix) -> NetworkFault? {
        guard Double.random(in: 0..<1, using: &generator) < share else { return nil }
        let isRepeated = request.receiver != nil && request.priority > .prefetch
        return NetworkFault.all(for: request).filter {
            !exceptions.contains($0) && !(isRepeated && rangeExceptions.contains($0))
        }.randomElement(using: &generator)
    }
}

extension Transfer {
    /// Receives a response in pieces, as from libcurl.
    /// - Parameter count: The number of bytes of the body that arrive; nil for all.
    /// - Returns: The fault if fewer bytes arrive than announced.
    fileprivate func receive(
        _ response: WireResponse, _ count: Int?, using generator: inout SplitMix
    ) -> TransportFault? {
        let lines = response.headers.lines.map { "\($0.name): \($0.value)\r\n" }
        for line in ["HTTP/1.1 \(response.status) Reply\r\n"] + lines {
            Array(line.utf8).withUnsafeBytes { receive(header: $0) }
        }
        guard response.status != 304 else { return nil }
        let announced = response.headers.first("Content-Length").flatMap { Int($0) }
        var rest = response.body.prefix(count ?? .max).prefix(announced ?? .max)
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...4000, using: &generator))
            rest = rest.dropFirst(piece.count)
            guard piece.withUnsafeBytes({ receive(body: $0) }) else { return nil }
        }
        return received < announced ?? 0 ? .truncated : nil
    }
}
