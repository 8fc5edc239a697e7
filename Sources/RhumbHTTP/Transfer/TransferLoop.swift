internal import CCurl
internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// All transfers of a client: one of curl's multi handles, driven by one thread.
final class TransferLoop {
    let options: ClientOptions
    let inbox: Inbox
    var queue: RequestQueue
    var failures = AddressFailures()
    /// The failures that the user's processes share; nil if they share none.
    var sharedFailures: SharedFailures?
    var objectStores: S3Client
    var teamCache: TeamCache
    var transfers: [UInt64: Transfer] = [:]
    /// The transfer of each waiter.
    var waiters: [UInt64: UInt64] = [:]
    private var numberOfIdentity: [HTTPRequest.Identity: UInt64] = [:]
    private var numberOfHandle: [UnsafeMutableRawPointer: UInt64] = [:]
    private var spareHandles: [EasyHandle] = []
    /// The masks of the secrets in recent requests.
    private var masks: [[String]: SecretMask] = [:]
    /// The downloads that wait for the shared rate, the longest paused first.
    var paused: [UInt64] = []
    let clock: EngineClock
    private let multi: UnsafeMutableRawPointer
    private var network = NetworkState.reachable
    /// The time of the last response of a host other than this machine; nil if there was none.
    var lastResponse: Double?
    /// The time in seconds for which a response proves that there is a network, so that a name that is not
    /// found is that of no host.
    private static let proofTime = 30.0
    var silences = SilenceWatch()
    private var reportedSilence: ServerSilence?
    private var isStopping = false

    /// Creates a loop; nil if memory is exhausted.
    init?(options: ClientOptions, inbox: Inbox, clock: EngineClock) {
        guard let multi = rhumb_curl_multi_init() else { return nil }
        self.options = options
        self.inbox = inbox
        self.clock = clock
        self.multi = multi
        objectStores = S3Client(options.objectStores)
        sharedFailures = options.failureFile.map {
            SharedFailures(path: $0) { options.objectStores.credentials(for: $0.url)?.parts ?? [] }
        }
        teamCache = TeamCache(options.cacheProxy, onProblem: options.onServerProblem)
        queue = RequestQueue(limit: options.connections, downloadRate: options.downloadRate)
        _ = rhumb_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(16, 2 * options.connections))
        let address = UInt(bitPattern: multi)
        inbox.setWake {
            guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
            rhumb_curl_multi_wakeup(multi)
        }
    }

    deinit {
        spareHandles = []
        rhumb_curl_multi_cleanup(multi)
    }

    /// Runs until it is stopped. Afterwards no caller waits.
    func run() {
        while true {
            for command in inbox.takeAll() { obey(command) }
            if isStopping { break }
            resumeDownloads()
            startTransfers()
            var count: Int32 = 0
            rhumb_curl_multi_perform(multi, &count)
            noteBytes()
            if finishTransfers() { continue }
            reportSilence()
            if inbox.mayFallAsleep(wakingFor: wakeCondition) {
                rhumb_curl_multi_poll(multi, pollMilliseconds)
            }
        }
        for command in inbox.close() { obey(command) }
        for number in Array(transfers.keys) { end(number, with: .failure(.cancelled)) }
    }

    /// The time in seconds on a monotonic clock.
    var now: Double { clock.now().inSeconds }

    private var wakeCondition: Inbox.WakeCondition { queue.isFull ? .anyButBegin : .anyCommand }

    /// The poll timeout. While the thread is not woken for new requests, those rejected at once wait at most
    /// a second.
    private var pollMilliseconds: Int32 {
        let longest = queue.isFull ? 1.0 : 60.0
        let waits = [
            queue.wait(now: now), silences.wait(at: now), paused.isEmpty ? nil : queue.downloadWait(now: now),
        ]
        let wait = waits.compactMap(\.self).min() ?? longest
        return Int32(min(max(wait, 0), longest) * 1000) + 1
    }

    /// Records the servers that sent something since the last call.
    private func noteBytes() {
        for number in numberOfHandle.values {
            guard let transfer = transfers[number], transfer.hasNewBytes else { continue }
            transfer.hasNewBytes = false
            silences.receive(transfer.address.host, at: now)
        }
    }

    private func reportSilence() {
        let silence = silences.longest(at: now)
        guard silence != reportedSilence else { return }
        reportedSilence = silence
        options.onSilence?(silence)
    }

    private func obey(_ command: TransferCommand) {
        switch command {
        case .begin(let waiter): begin(waiter)
        case .cancel(let number): cancel(number)
        case .goOffline: failOffline()
        case .goMetered: failMetered()
        case .endPause(let source): queue.endPause(ofSource: source)
        case .stop: isStopping = true
        }
    }

    private func begin(_ waiter: Waiter) {
        if let refusal = policyRefusal(of: waiter.request, at: waiter.request.address, isRedirected: false) {
            return waiter.continuation.resume(returning: .failure(refusal))
        }
        let identity = waiter.request.identity
        // A late caller would miss the parts that were already passed on.
        if let number = numberOfIdentity[identity], let transfer = transfers[number], transfer.delivered == 0
        {
            transfer.waiters.append(waiter)
            waiters[waiter.number] = number
            queue.raise(number, to: waiter.request.priority)
            if !transfer.isDownload { resume(transfer) }
            return
        }
        let isStored = S3Client.isAddress(waiter.request.address.url)
        let stores = isStored ? options.objectStores.secrets : []
        let transfer = Transfer(
            waiter, identity, mask(of: waiter.request, and: stores), mask(of: stores), inbox: inbox)
        if let refusal = refusal(of: transfer) {
            waiter.continuation.resume(returning: .failure(refusal))
            return
        }
        transfers[transfer.number] = transfer
        waiters[waiter.number] = transfer.number
        numberOfIdentity[identity] = transfer.number
        enqueue(transfer)
    }

    private func mask(of request: HTTPRequest, and more: [String]) -> SecretMask {
        mask(of: SecretMask.secrets(request.address, request.headers) + more)
    }

    private func mask(of secrets: [String]) -> SecretMask {
        if let cached = masks[secrets] { return cached }
        if masks.count >= 20 { masks = [:] }
        let mask = SecretMask(secrets)
        masks[secrets] = mask
        return mask
    }

    /// Queues a transfer for its next server.
    func enqueue(_ transfer: Transfer) {
        queue.remove(transfer.number)
        queue.add(
            RequestQueue.Ticket(
                number: transfer.number, origin: lane(of: transfer),
                rules: transfer.request.rules.joined(
                    with: options.providers.policy(ofOrigin: transfer.address.origin)),
                urgency: transfer.waiters.map(\.request.priority).max() ?? transfer.request.priority))
    }

    /// Ends the wait of one caller, while others still wait for the same request.
    func dismiss(_ waiter: Waiter, from transfer: Transfer, _ failure: HTTPFailure) {
        transfer.waiters.removeAll { $0.number == waiter.number }
        waiters[waiter.number] = nil
        waiter.continuation.resume(returning: .failure(failure))
    }

    private func cancel(_ waiterNumber: UInt64) {
        guard let number = waiters.removeValue(forKey: waiterNumber), let transfer = transfers[number],
            let index = transfer.waiters.firstIndex(where: { $0.number == waiterNumber })
        else { return }
        let waiter = transfer.waiters.remove(at: index)
        if transfer.waiters.isEmpty { end(number, with: .failure(.cancelled)) }
        waiter.continuation.resume(returning: .failure(.cancelled))
    }

    private func startTransfers() {
        while let ticket = queue.next(now: now) {
            guard let transfer = transfers[ticket.number] else { continue }
            start(transfer)
        }
    }

    func start(_ transfer: Transfer) {
        guard transfer.mayOpenSocket else {
            return end(transfer.number, with: .failure(.offline(transfer.address)))
        }
        guard chooseProxy(for: transfer) else {
            return end(transfer.number, with: .failure(.withoutProxy(transfer.address)))
        }
        guard let handle = spareHandles.popLast() ?? EasyHandle(options: options) else {
            return end(transfer.number, with: .failure(.fault(.badAnswer, transfer.address)))
        }
        transfer.begin(at: clock.date())
        pace(transfer)
        transfer.configure(
            handle, options: options,
            stored: objectStores.request(for: transfer.address, at: transfer.requestedAt))
        numberOfHandle[handle.pointer] = transfer.number
        rhumb_curl_multi_add_handle(multi, handle.pointer)
        silences.begin(transfer.address.host, at: now)
    }

    /// - Returns: True if any transfer ended, so that others may start.
    private func finishTransfers() -> Bool {
        var hasFinished = false
        var left: Int32 = 0
        while let message = rhumb_curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle,
                let number = numberOfHandle[pointer], let transfer = transfers[number]
            else { continue }
            hasFinished = true
            let code = rhumb_curl_result(message)
            finish(transfer, code)
        }
        return hasFinished
    }

    /// Removes a transfer's handle. A connection in the middle of a response is closed.
    func release(_ transfer: Transfer) {
        guard let handle = transfer.handle else { return }
        transfer.handle = nil
        silences.end(transfer.address.host, at: now)
        queue.settle(transfer.number, bytes: transfer.received, now: now)
        numberOfHandle[handle.pointer] = nil
        rhumb_curl_multi_remove_handle(multi, handle.pointer)
        if paused.contains(transfer.number) {
            paused.removeAll { $0 == transfer.number }
        } else {
            spareHandles.append(handle)
        }
    }

    /// Ends a transfer, and resumes all callers.
    func end(_ number: UInt64, with outcome: Result<HTTPResponse, HTTPFailure>) {
        guard let transfer = transfers.removeValue(forKey: number) else { return }
        release(transfer)
        queue.remove(number)
        numberOfIdentity[transfer.identity] = nil
        for waiter in transfer.waiters {
            waiters[waiter.number] = nil
            waiter.continuation.resume(returning: outcome)
        }
    }

    /// True if no other host has responded recently, so that a name may not be found for lack of a network.
    var lacksResponses: Bool { lastResponse.map { now - $0 > Self.proofTime } ?? true }

    /// Reports once that the network is gone or back.
    func note(_ state: NetworkState) {
        guard state != network else { return }
        network = state
        if state == .reachable { failures.endAll() }
        options.onNetworkChange?(state)
    }
}

/// The shared rate of all downloads.
extension TransferLoop {
    /// Pauses a download whenever the rate is used up.
    func pace(_ transfer: Transfer) {
        guard options.downloadRate != nil, transfer.isDownload else {
            transfer.mayReceive = nil
            return
        }
        transfer.mayReceive = { [unowned self, unowned transfer] count in
            guard transfer.isDownload else { return true }
            if queue.receive(transfer.number, bytes: transfer.received + count, now: now) { return true }
            paused.append(transfer.number)
            return false
        }
    }

    /// Resumes paused downloads while the rate allows, the longest paused first.
    func resumeDownloads() {
        var waiting = paused[...]
        paused = []
        while let number = waiting.first, queue.downloadWait(now: now) <= 0 {
            waiting.removeFirst()
            if let handle = transfers[number]?.handle { rhumb_curl_easy_resume(handle.pointer) }
        }
        paused.insert(contentsOf: waiting, at: 0)
    }

    /// Resumes a paused transfer at once.
    func resume(_ transfer: Transfer) {
        guard let handle = transfer.handle, paused.contains(transfer.number) else { return }
        paused.removeAll { $0 == transfer.number }
        rhumb_curl_easy_resume(handle.pointer)
    }
}

/// The rules of the providers of the requested hosts, also after redirects.
extension TransferLoop {
    /// Returns the name by which requests take turns: the provider, regardless of its hosts, or else the
    /// server.
    func lane(of transfer: Transfer) -> String {
        options.providers.domain(ofOrigin: transfer.address.origin) ?? transfer.address.origin
    }

    /// Returns the refusal of a request to an address by a policy; nil if it is allowed.
    func policyRefusal(of request: HTTPRequest, at address: HTTPAddress, isRedirected: Bool) -> HTTPFailure? {
        if request.priority == .download, inbox.isMetered { return .fault(.metered, address) }
        guard let policy = options.providers.policy(ofOrigin: address.origin),
            let reason = policy.refusal(of: request.priority, isRedirected: isRedirected)
        else { return nil }
        let rules = policy.policyURL.map { " (\($0))" } ?? ""
        return HTTPFailure(
            .failed(.refused), retryAfter: .seconds(600),
            "\(address): \(reason)\(rules); use a source that allows it")
    }
}

extension SourcePolicy {
    /// Returns the reason to refuse a request; nil if it is allowed. The user's statement about downloads
    /// from one host does not apply to another.
    fileprivate func refusal(of priority: HTTPPriority, isRedirected: Bool) -> String? {
        switch priority {
        case .visible: nil
        case .prefetch: lookAhead ? nil : "its provider does not allow prefetching"
        case .download:
            offline == .denied || offline == .ask && isRedirected
                ? "its provider does not allow downloading areas" : nil
        }
    }
}
