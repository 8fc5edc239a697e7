internal import CCurl
internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// The consequences of a transfer's end for itself, its host and its source.
extension TransferLoop {
    /// Returns the reason why a request can't be queued; nil if it can.
    func refusal(of transfer: Transfer) -> HTTPFailure? {
        guard transfer.address.isWeb else {
            return .fault(.badAddress, transfer.address)
        }
        guard transfer.mayOpenSocket else { return .offline(transfer.address) }
        return pauseRefusal(of: transfer) ?? failures.refusal(of: transfer.request.part, now: now)
            ?? sharedFailures?.refusal(of: transfer.request, beyond: options.pauseLimit, at: clock.date())
    }

    private func pauseRefusal(of transfer: Transfer) -> HTTPFailure? {
        let source = transfer.request.rules.id
        let pause = queue.pause(origin: lane(of: transfer), source: source, now: now)
        if pause.source > 0 { return refused(transfer, status: nil, pause.source) }
        guard pause.host > options.pauseLimit.inSeconds else { return nil }
        if let outage = queue.outage(of: lane(of: transfer)) { return down(transfer, outage, pause.host) }
        return tooOften(transfer, status: nil, pause.host)
    }

    func failOffline() {
        for transfer in transfers.values where !transfer.mayOpenSocket {
            end(transfer.number, with: .failure(.offline(transfer.address)))
        }
    }

    /// Fails the callers of downloads that have not begun, because the connection is metered.
    func failMetered() {
        for transfer in transfers.values where transfer.handle == nil {
            for waiter in transfer.waiters where waiter.request.priority == .download {
                dismiss(waiter, from: transfer, .fault(.metered, transfer.address))
            }
            if transfer.waiters.isEmpty { end(transfer.number, with: .failure(.cancelled)) }
        }
    }

    func finish(_ transfer: Transfer, _ code: CURLcode) {
        guard let handle = transfer.handle else { return }
        let status = handle.status
        transfer.proxyStatus = handle.proxyStatus
        let fault = transfer.ownFault ?? Self.fault(code, transfer, handle)
        if fault != .timedOut { silences.receive(transfer.address.host, at: now) }
        release(transfer)
        if avoidsProxy(transfer, fault, status) { return enqueue(transfer) }
        if let fault { return fail(transfer, fault) }
        if !transfer.address.isLoopback {
            note(.reachable)
            lastResponse = now
        }
        if !transfer.hasChangedRegion,
            objectStores.notesRegion(
                of: transfer.address, expected: transfer.region, status, transfer.headers,
                transfer.maskedComplaint)
        {
            transfer.hasChangedRegion = true
            return enqueue(transfer)
        }
        if [301, 302, 303, 307, 308].contains(status), let target = transfer.headers.first("Location") {
            return follow(target, transfer)
        }
        do throws(TransportFault) {
            try transfer.decodeBody()
        } catch {
            return fail(transfer, error)
        }
        conclude(transfer, status)
    }

    private static func fault(
        _ code: CURLcode, _ transfer: Transfer, _ handle: EasyHandle
    ) -> TransportFault? {
        if code != CURLE_OK { return TransportFault(code, handle) }
        return transfer.hasAllHeaders ? nil : .truncated
    }

    private func fail(_ transfer: Transfer, _ fault: TransportFault) {
        if !transfer.mayOpenSocket {
            return end(transfer.number, with: .failure(.offline(transfer.address)))
        }
        if fault == .noNetwork || fault == .nameNotFound && lacksResponses { note(.unreachable) }
        let failure = failure(of: transfer, fault)
        count(failure, of: transfer)
        end(transfer.number, with: .failure(failure))
        if [.connectionLost, .timedOut, .truncated, .redirects].contains(fault) {
            noteFailure(of: transfer, status: nil, String(fault.explanation.prefix { $0 != ";" }))
        }
    }

    private func failure(of transfer: Transfer, _ fault: TransportFault) -> HTTPFailure {
        guard let proxy = transfer.systemProxy, transfer.proxy == nil else {
            return .fault(fault, transfer.address)
        }
        switch fault {
        case .proxy where transfer.proxyStatus > 0:
            return .proxy(proxy, "refused the request with HTTP \(transfer.proxyStatus)", transfer.address)
        case .proxy: return .proxy(proxy, "is unknown", transfer.address)
        // curl connects to the proxy only.
        case .connectionRefused: return .proxy(proxy, "can't be reached", transfer.address)
        default: return .fault(fault, transfer.address)
        }
    }

    /// Counts a failure of the requested address.
    private func count(_ failure: HTTPFailure, of transfer: Transfer) {
        guard failure.failureClass == .transient || failure.failureClass == .badContent else { return }
        failures.add(failure, of: transfer.request.part, now: now)
        sharedFailures?.add(failure, of: transfer.request, at: clock.date())
    }

    /// Counts a failure of the host; if it is paused, callers get a failure at once. Downloads have limits of
    /// their own.
    private func noteFailure(of transfer: Transfer, status: Int?, _ cause: String) {
        guard !transfer.isDownload else { return }
        let lane = lane(of: transfer)
        queue.failed(lane, status: status, cause, now: now)
        if queue.outage(of: lane) != nil { failPaused { self.lane(of: $0) == lane } }
    }

    private func follow(_ location: String, _ transfer: Transfer) {
        if let fault = transfer.follow(location) { return fail(transfer, fault) }
        for waiter in transfer.waiters {
            guard let refusal = policyRefusal(of: waiter.request, at: transfer.address, isRedirected: true)
            else { continue }
            dismiss(waiter, from: transfer, refusal)
        }
        if transfer.waiters.isEmpty { return end(transfer.number, with: .failure(.cancelled)) }
        if let refusal = pauseRefusal(of: transfer) { return end(transfer.number, with: .failure(refusal)) }
        enqueue(transfer)
    }

    private func conclude(_ transfer: Transfer, _ status: Int) {
        let verdict = ResponseValidator.verdict(
            transfer.request, status: status, headers: transfer.headers, body: transfer.body,
            delivered: transfer.delivered, complaint: transfer.maskedComplaint)
        switch verdict {
        case .usable:
            queue.succeeded(origin: lane(of: transfer), source: transfer.request.rules.id, now: now)
            failures.end(of: transfer.request.part)
            sharedFailures?.end(of: transfer.request, at: clock.date())
            let response = HTTPResponse(
                status: status, headers: transfer.maskedHeaders, body: transfer.body,
                requestedAt: transfer.requestedAt, receivedAt: clock.date(),
                wireBytes: transfer.received - transfer.delivered,
                redirects: transfer.redirects, packedBody: transfer.packedBody)
            end(transfer.number, with: .success(response))
        case .failed where status == 407 && transfer.systemProxy != nil:
            let proxy = transfer.systemProxy ?? ""
            end(transfer, with: .proxy(proxy, "requires a user and a password (HTTP 407)", transfer.address))
        case .failed(.rate, _): slowDown(transfer, status)
        case .failed(.refused, _): pauseSource(of: transfer, status)
        case .failed(let failureClass, let text):
            let redirect = S3Problem.redirect(status, transfer.headers, transfer.maskedComplaint)
            let problem =
                (redirect
                ?? objectStores.problem(of: transfer.address, transfer.maskedComplaint, now: clock.date()))
                .map { "\(code(status, transfer))\($0)" }
            let text = text.replacing("HTTP \(status), ", with: code(status, transfer))
            let failure = HTTPFailure(
                .failed(failureClass), status: status, "\(transfer.address): \(problem ?? text)")
            count(failure, of: transfer)
            end(transfer, with: failure)
            if failureClass == .transient {
                noteFailure(of: transfer, status: status, "HTTP \(status), server error")
            }
        }
    }

    /// Ends a transfer with a failure that was received as a response.
    private func end(_ transfer: Transfer, with failure: HTTPFailure) {
        var failure = failure
        failure.headers = transfer.maskedHeaders
        failure.body = transfer.maskedComplaint
        end(transfer.number, with: .failure(failure))
    }

    /// Pauses the host; callers that would wait too long get a failure at once.
    private func slowDown(_ transfer: Transfer, _ status: Int) {
        let retryAfter = RetryHint.seconds(in: transfer.headers, now: clock.date()).map(Double.init)
        let lane = lane(of: transfer), wait = queue.pauseHost(lane, retryAfter: retryAfter, now: now)
        let failure = tooOften(transfer, status: status, wait)
        sharedFailures?.add(failure, of: transfer.request, at: clock.date())
        end(transfer, with: failure)
        failPaused { self.lane(of: $0) == lane }
    }

    /// Pauses a source whose key was rejected.
    private func pauseSource(of transfer: Transfer, _ status: Int) {
        let wait = queue.pauseSource(transfer.request.rules.id, status: status, now: now)
        let failure = refused(transfer, status: status, wait)
        sharedFailures?.add(failure, of: transfer.request, at: clock.date())
        end(transfer, with: failure)
        failPaused { $0.request.rules.id == transfer.request.rules.id }
    }

    private func failPaused(_ isConcerned: (Transfer) -> Bool) {
        for transfer in transfers.values where transfer.handle == nil && isConcerned(transfer) {
            guard let failure = pauseRefusal(of: transfer) else { continue }
            end(transfer.number, with: .failure(failure))
        }
    }

    private func tooOften(_ transfer: Transfer, status: Int?, _ wait: Double) -> HTTPFailure {
        let cause = status == 503 ? "the server is unavailable" : FailureClass.rateLimit(of: "the server")
        return HTTPFailure(
            .failed(.rate), status: status, retryAfter: .seconds(wait),
            "\(transfer.address): \(code(status, transfer))\(cause)"
                + "\(HTTPFailure.pauseText)\(Int(clamping: wait.rounded(.up))) s")
    }

    private func down(_ transfer: Transfer, _ outage: Outage, _ wait: Double) -> HTTPFailure {
        HTTPFailure(
            .failed(.rate), status: outage.status, retryAfter: .seconds(wait),
            "\(transfer.address): \(outage.cause); the server failed \(outage.failures) times in a row"
                + "\(HTTPFailure.pauseText)\(Int(clamping: wait.rounded(.up))) s")
    }

    private func refused(_ transfer: Transfer, status: Int?, _ wait: Double) -> HTTPFailure {
        let hasKey = !SecretMask.secrets(transfer.request.address, transfer.request.headers).isEmpty
        let answer = status ?? queue.refusal(ofSource: transfer.request.rules.id),
            problem =
                objectStores.problem(of: transfer.address, transfer.maskedComplaint, now: clock.date())
                ?? (hasKey
                    ? "key refused or used up, or not allowed by the source; check the key"
                    : "refused by the server; check the URL, and whether the source needs a key")
        return HTTPFailure(
            .failed(.refused), status: status, retryAfter: .seconds(wait),
            "\(transfer.address): \(code(answer, transfer))\(problem)\(HTTPFailure.pauseText)\(Int(clamping: wait.rounded(.up))) s"
        )
    }

    /// Returns the status in words. Without a tunnel, it may be that of a proxy.
    private func code(_ status: Int?, _ transfer: Transfer) -> String {
        let isPlain = transfer.address.url.hasPrefix("http:") && transfer.proxy == nil
        let way = isPlain ? transfer.systemProxy.map { " through the proxy \($0)" } : nil
        return status.map { "HTTP \($0)\(way ?? ""), " } ?? ""
    }
}

extension TransportFault {
    /// Creates the fault for an error code of curl.
    /// - Parameter handle: The handle with the system's error of the connection and the proxy's response.
    init(_ code: CURLcode, _ handle: EasyHandle) {
        switch code {
        case _ where handle.proxyStatus >= 300: self = .proxy
        case CURLE_COULDNT_CONNECT: self = TransportFault(systemError: handle.systemError)
        case CURLE_COULDNT_RESOLVE_HOST: self = .nameNotFound
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxy
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING: self = .truncated
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .connectionLost
        case CURLE_SSL_CONNECT_ERROR: self = .tlsFailed
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
            self = .certificate
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge
        case CURLE_URL_MALFORMAT: self = .badAddress
        default: self = .badAnswer
        }
    }

    private init(systemError: Int32) {
        switch systemError {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: self = .noNetwork
        case ETIMEDOUT: self = .timedOut
        default: self = .connectionRefused
        }
    }
}
