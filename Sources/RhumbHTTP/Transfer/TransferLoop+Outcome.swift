internal import CCurl
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
        return pauseRefusal(of: transfer)
    }

    private func pauseRefusal(of transfer: Transfer) -> HTTPFailure? {
        let source = transfer.request.rules.id
        let pause = queue.pause(origin: lane(of: transfer), source: source, now: now)
        if pause.source > 0 { return refused(transfer, status: nil, pause.source) }
        guard pause.host > options.patience.inSeconds else { return nil }
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
        let fault = transfer.ownFault ?? (code == CURLE_OK ? nil : TransportFault(code, handle))
        if fault != .timedOut { silences.receive(transfer.address.host, at: now) }
        release(transfer)
        if avoidsProxy(transfer, fault, status) { return enqueue(transfer) }
        if let fault { return fail(transfer, fault) }
        note(.reachable)
        if !transfer.hasChangedRegion,
            objectStores.notesRegion(
                of: transfer.address, expected: transfer.region, status, transfer.headers, transfer.complaint)
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

    private func fail(_ transfer: Transfer, _ fault: TransportFault) {
        if !transfer.mayOpenSocket {
            return end(transfer.number, with: .failure(.offline(transfer.address)))
        }
        if fault == .noNetwork { note(.unreachable) }
        end(transfer.number, with: .failure(.fault(fault, transfer.address)))
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
        let verdict = ResponseValidator.judge(
            transfer.request, status: status, headers: transfer.headers, body: transfer.body,
            delivered: transfer.delivered)
        switch verdict {
        case .usable:
            queue.succeeded(origin: lane(of: transfer), source: transfer.request.rules.id, now: now)
            let response = HTTPResponse(
                status: status, headers: transfer.maskedHeaders, body: transfer.body,
                requestedAt: transfer.requestedAt, receivedAt: clock.date(),
                wireBytes: transfer.received - transfer.delivered,
                redirects: transfer.redirects)
            end(transfer.number, with: .success(response))
        case .failed(.rate, _): slowDown(transfer, status)
        case .failed(.refused, _): pauseSource(of: transfer, status)
        case .failed(let failureClass, let text):
            let failure = HTTPFailure(
                .failed(failureClass), status: status, "\(transfer.address): \(text)")
            end(transfer, with: failure)
        }
    }

    /// Ends a transfer with a failure that was received as a response.
    private func end(_ transfer: Transfer, with failure: HTTPFailure) {
        var failure = failure
        failure.headers = transfer.headers
        let coding = transfer.headers["Content-Encoding"]
        failure.body = (try? ContentCoding.decoded(transfer.complaint, coding: coding)) ?? []
        end(transfer.number, with: .failure(failure))
    }

    /// Pauses the host; callers that would wait too long get a failure at once.
    private func slowDown(_ transfer: Transfer, _ status: Int) {
        let retryAfter = RetryHint.seconds(in: transfer.headers, now: clock.date()).map(Double.init)
        let lane = lane(of: transfer), wait = queue.pauseHost(lane, retryAfter: retryAfter, now: now)
        end(transfer, with: tooOften(transfer, status: status, wait))
        failPaused { self.lane(of: $0) == lane }
    }

    /// Pauses a source whose key was rejected.
    private func pauseSource(of transfer: Transfer, _ status: Int) {
        let wait = queue.pauseSource(transfer.request.rules.id, status: status, now: now)
        end(transfer, with: refused(transfer, status: status, wait))
        failPaused { $0.request.rules.id == transfer.request.rules.id }
    }

    private func failPaused(_ isConcerned: (Transfer) -> Bool) {
        for transfer in transfers.values where transfer.handle == nil && isConcerned(transfer) {
            guard let failure = pauseRefusal(of: transfer) else { continue }
            end(transfer.number, with: .failure(failure))
        }
    }

    private func tooOften(_ transfer: Transfer, status: Int?, _ wait: Double) -> HTTPFailure {
        HTTPFailure(
            .failed(.rate), status: status, retryAfter: .seconds(wait),
            "\(transfer.address): \(code(status))rate-limited by the server; "
                + "retrying in \(Int(wait.rounded(.up))) s")
    }

    private func refused(_ transfer: Transfer, status: Int?, _ wait: Double) -> HTTPFailure {
        let answer = status ?? queue.refusal(ofSource: transfer.request.rules.id),
            problem =
                objectStores.problem(of: transfer.address, transfer.complaint, now: clock.date())
                ?? "key refused or used up, or not allowed by the source; check the key"
        return HTTPFailure(
            .failed(.refused), status: status, retryAfter: .seconds(wait),
            "\(transfer.address): \(code(answer))\(problem); retrying in \(Int(wait.rounded(.up))) s")
    }

    private func code(_ status: Int?) -> String { status.map { "HTTP \($0), " } ?? "" }
}
