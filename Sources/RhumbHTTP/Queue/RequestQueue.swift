internal import RhumbCore
internal import RhumbEngine

/// Selects the next request: a value without clock or network.
///
/// The next request is the most urgent one whose host and source have room, aren't paused and are within
/// their rate. Times are in seconds on any monotonic clock.
struct RequestQueue {
    /// A waiting or running request.
    struct Ticket {
        let number: UInt64
        let origin: String
        let rules: SourceRules
        var urgency: HTTPPriority
    }

    /// The position of a request in its lane: by urgency, then by order of arrival.
    private struct Entry: Comparable {
        let number: UInt64
        let urgency: HTTPPriority
        let order: UInt64

        static func < (a: Entry, b: Entry) -> Bool {
            a.urgency == b.urgency ? a.order < b.order : a.urgency > b.urgency
        }
    }

    private struct Lane: Hashable {
        let origin: String
        let source: String
    }

    /// The limit of concurrent requests.
    let limit: Int
    private var waiting: [UInt64: Ticket] = [:]
    private var lanes: [Lane: Heap<Entry>] = [:]
    private var running: [UInt64: Ticket] = [:]
    private var runningByOrigin: [String: Int] = [:]
    private var runningBySource: [String: Int] = [:]
    private var hostPauses: [String: Pause] = [:]
    private var outages: [String: Outage] = [:]
    private var sourcePauses: [String: Pause] = [:]
    private var buckets: [String: TokenBucket] = [:]
    private var downloads: DownloadBudget?
    private let downloadRate: Int?
    private var order: UInt64 = 0

    /// - Parameter downloadRate: The rate of all downloads together in bytes per second; nil for no limit.
    init(limit: Int, downloadRate: Int? = nil) {
        self.limit = max(1, limit)
        self.downloadRate = downloadRate
    }

    var waitingCount: Int { waiting.count }
    var runningCount: Int { running.count }
    /// True if no request may start before another ends.
    var isFull: Bool { running.count >= limit }

    /// Returns the seconds until the host and the source may get requests again; 0 if now.
    func pause(origin: String, source: String, now: Double) -> (host: Double, source: Double) {
        (hostPauses[origin]?.remaining(at: now) ?? 0, sourcePauses[source]?.remaining(at: now) ?? 0)
    }

    mutating func add(_ ticket: Ticket) {
        waiting[ticket.number] = ticket
        enqueue(ticket)
    }

    /// Raises the priority of a waiting request; it never lowers it.
    mutating func raise(_ number: UInt64, to urgency: HTTPPriority) {
        guard var ticket = waiting[number], ticket.urgency < urgency else { return }
        ticket.urgency = urgency
        waiting[number] = ticket
        enqueue(ticket)
    }

    /// Removes a request that has ended or is no longer wanted, and frees its slot.
    mutating func remove(_ number: UInt64) {
        waiting[number] = nil
        guard let ticket = running.removeValue(forKey: number) else { return }
        runningByOrigin[ticket.origin, default: 1] -= 1
        runningBySource[ticket.rules.id, default: 1] -= 1
    }

    /// Deducts the bytes of a download so far.
    /// - Returns: False if the rate of downloads does not allow more bytes yet.
    mutating func receive(_ number: UInt64, bytes: Int, now: Double) -> Bool {
        downloads?.receive(number, bytes: bytes, now: now) ?? true
    }

    /// Returns the seconds until a download may receive more bytes; 0 if now.
    func downloadWait(now: Double) -> Double { downloads?.wait(now: now) ?? 0 }

    /// Corrects the budget by the size of a download that has ended.
    mutating func settle(_ number: UInt64, bytes: Int, now: Double) {
        downloads?.end(number, bytes: bytes, now: now)
    }

    /// Returns the next request to send, which then counts as running; nil if none may start.
    mutating func next(now: Double) -> Ticket? {
        guard !isFull, !waiting.isEmpty else { return nil }
        var best: (lane: Lane, entry: Entry)?
        for lane in Array(lanes.keys) {
            guard let entry = head(of: lane), isOpen(entry.number, now) else { continue }
            if best.map({ entry < $0.entry }) ?? true { best = (lane, entry) }
        }
        guard let best, let ticket = waiting.removeValue(forKey: best.entry.number) else { return nil }
        lanes[best.lane]?.popFirst()
        start(ticket, now)
        return ticket
    }

    /// Returns the seconds until a request held back by a pause or a rate may start; nil if there is none.
    func wait(now: Double) -> Double? {
        var shortest: Double?
        for heap in lanes.values {
            guard let number = heap.first?.number, let ticket = waiting[number] else { continue }
            let wait = hold(ticket, now)
            if wait > 0 { shortest = min(shortest ?? wait, wait) }
        }
        return shortest
    }

    /// Pauses a host that reported too many requests.
    /// - Parameter retryAfter: The seconds requested by the host; nil for 5, growing.
    /// - Returns: The seconds until the next request.
    mutating func pauseHost(_ origin: String, retryAfter: Double?, now: Double) -> Double {
        hostPauses[origin, default: Pause()].begin(
            at: now, first: 5, cap: Double(RetryHint.longest), retryAfter: retryAfter)
    }

    /// Counts a failure of a host. After `Outage.limit` successive ones the host is paused for 5 seconds,
    /// growing to 30, and then gets one request at a time until it works again.
    /// - Parameter cause: The failure in words.
    mutating func failed(_ origin: String, status: Int?, _ cause: String, now: Double) {
        outages[origin, default: Outage()].add(status, cause)
        guard isDown(origin) else { return }
        _ = hostPauses[origin, default: Pause()].begin(at: now, first: 5, cap: 30, status: status)
    }

    /// Returns the outage of a host that is paused because it fails; nil for others.
    func outage(of origin: String) -> Outage? { isDown(origin) ? outages[origin] : nil }

    private func isDown(_ origin: String) -> Bool { outages[origin, default: Outage()].isDown }

    /// Pauses a source whose key was refused: for a minute, growing to ten.
    /// - Returns: The seconds until the next request.
    mutating func pauseSource(_ source: String, status: Int, now: Double) -> Double {
        sourcePauses[source, default: Pause()].begin(at: now, first: 60, cap: 600, status: status)
    }

    /// Returns the status with which a paused source refused the key.
    func refusal(ofSource source: String) -> Int? { sourcePauses[source]?.status }

    /// Records a successful response. Pauses that are over no longer lengthen the next one.
    mutating func succeeded(origin: String, source: String, now: Double) {
        outages[origin] = nil
        if hostPauses[origin]?.remaining(at: now) == 0 { hostPauses[origin] = nil }
        if sourcePauses[source]?.remaining(at: now) == 0 { sourcePauses[source] = nil }
    }

    /// Ends the pause of a source, for example because it has a new key.
    mutating func endPause(ofSource source: String) { sourcePauses[source] = nil }

    private mutating func enqueue(_ ticket: Ticket) {
        order += 1
        let lane = Lane(origin: ticket.origin, source: ticket.rules.id)
        lanes[lane, default: Heap()].insert(
            Entry(number: ticket.number, urgency: ticket.urgency, order: order))
    }

    /// Returns the most urgent valid entry of a lane; nil if there is none. Drops entries of requests that
    /// have gone or become more urgent, and an empty lane with them.
    private mutating func head(of lane: Lane) -> Entry? {
        while let entry = lanes[lane]?.first {
            if waiting[entry.number]?.urgency == entry.urgency { return entry }
            lanes[lane]?.popFirst()
        }
        lanes[lane] = nil
        return nil
    }

    private func isOpen(_ number: UInt64, _ now: Double) -> Bool {
        guard let ticket = waiting[number] else { return false }
        let room = isDown(ticket.origin) ? 1 : ticket.rules.connections
        return runningByOrigin[ticket.origin, default: 0] < room
            && runningBySource[ticket.rules.id, default: 0] < ticket.rules.connections
            && hold(ticket, now) == 0
    }

    private func hold(_ ticket: Ticket, _ now: Double) -> Double {
        let pauses = pause(origin: ticket.origin, source: ticket.rules.id, now: now)
        let budget = ticket.urgency == .download ? downloadWait(now: now) : 0
        return max(pauses.host, pauses.source, buckets[ticket.rules.id]?.wait(now: now) ?? 0, budget)
    }

    private mutating func start(_ ticket: Ticket, _ now: Double) {
        running[ticket.number] = ticket
        runningByOrigin[ticket.origin, default: 0] += 1
        runningBySource[ticket.rules.id, default: 0] += 1
        if ticket.urgency == .download {
            downloads = downloads ?? DownloadBudget(bytesPerSecond: downloadRate, now: now)
            downloads?.begin(ticket.number, now: now)
        }
        guard let rate = ticket.rules.requestsPerSecond else { return }
        var bucket = buckets[ticket.rules.id] ?? TokenBucket(rate: rate, now: now)
        if bucket?.rate != rate { bucket = TokenBucket(rate: rate, now: now) }
        _ = bucket?.take(now: now)
        buckets[ticket.rules.id] = bucket
    }
}

/// A limit on the bytes per second of all downloads together, with bursts of up to a second. A download pays
/// in advance for the mean size of earlier ones, for every byte beyond that as it arrives, and is refunded at
/// its end.
struct DownloadBudget {
    private var bucket: TokenBucket
    /// The running mean of the sizes of downloads in bytes.
    private var usual = 20_000.0
    /// The bytes that each download in flight has paid for.
    private var paid: [UInt64: Double] = [:]

    /// Creates a budget; nil without a rate.
    init?(bytesPerSecond: Int?, now: Double) {
        guard let bucket = bytesPerSecond.flatMap({ TokenBucket(rate: Double($0), now: now) }) else {
            return nil
        }
        self.bucket = bucket
    }

    /// Returns the seconds until another download may begin; 0 if one may begin now.
    func wait(now: Double) -> Double { bucket.wait(now: now) }

    mutating func begin(_ number: UInt64, now: Double) {
        paid[number] = usual
        bucket.spend(usual, now: now)
    }

    /// Deducts the bytes of a download so far.
    /// - Returns: False if it must wait.
    mutating func receive(_ number: UInt64, bytes: Int, now: Double) -> Bool {
        guard let paid = paid[number], Double(bytes) > paid else { return true }
        guard bucket.wait(now: now) <= 0 else { return false }
        bucket.spend(Double(bytes) - paid, now: now)
        self.paid[number] = Double(bytes)
        return true
    }

    mutating func end(_ number: UInt64, bytes: Int, now: Double) {
        guard let paid = paid.removeValue(forKey: number) else { return }
        bucket.spend(Double(bytes) - paid, now: now)
        usual += (Double(bytes) - usual) / 8
    }
}
