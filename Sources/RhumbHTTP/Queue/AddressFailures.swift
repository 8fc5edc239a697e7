internal import RhumbCore
internal import RhumbEngine

/// The failures in a row of each address. After four within a minute, the address is not requested for 20
/// seconds, and then for 40 after each further one. So an address that fails is requested at most five times
/// within a minute, although an update asks for the first bytes of an archive when it opens it, when it
/// checks the version and for each batch of tiles, each with retries of its own. If a request was in flight
/// when the pause began, its failure counts like one after the pause, and adds the next 40 seconds.
struct AddressFailures {
    fileprivate struct Row {
        var count = 0
        var pause = Pause()
        var last: HTTPFailure
        var at: Double
    }

    fileprivate var rows: [String: Row] = [:]
    /// The number of addresses at which old ones are removed.
    private var room = 1024

    /// The number of failures in a row without a pause.
    static let limit = 4
    /// The seconds after which a failure is forgotten.
    fileprivate static let period = 60.0

    /// Counts a failure of a request that was sent.
    mutating func add(_ failure: HTTPFailure, of address: String, now: Double) {
        var row = rows[address] ?? Row(last: failure, at: now)
        if now - row.at > AddressFailures.period { row = Row(last: failure, at: now) }
        row.count += 1
        row.last = failure
        row.at = now
        let wait = row.pause.remaining(at: now)
        if wait > 0, row.count > AddressFailures.limit {
            row.pause.extend(to: now + min(wait + 40, AddressFailures.period))
        } else if row.count >= AddressFailures.limit {
            _ = row.pause.begin(at: now, first: 20, cap: 40)
        }
        rows[address] = row
        guard rows.count > room else { return }
        rows = rows.filter { now - $0.value.at <= AddressFailures.period }
        room = max(1024, rows.count * 2)
    }

    /// Forgets the failures of an address that responded.
    mutating func end(of address: String) { rows[address] = nil }

    /// Forgets all failures, because the network is back.
    mutating func endAll() { rows = [:] }

    /// Returns the failure of a request that would be sent too early; nil if it may be sent.
    func refusal(of address: String, now: Double) -> HTTPFailure? {
        guard let row = rows[address] else { return nil }
        let wait = row.pause.remaining(at: now)
        return wait > 0 ? row.last.repeated(retryAfter: wait) : nil
    }
}

/// The failures of addresses that the user's processes share, so that an address that fails is requested at
/// most five times within a minute by all of them together. Their times are seconds since 1970.
extension AddressFailures {
    /// The maximum number of addresses in the shared file; the oldest are dropped.
    private static let sharedLimit = 500

    /// Creates the failures of the last minute that a shared file has. Rows that can't be read are skipped.
    init(json: JSON, now: Double) {
        for item in json.array ?? [] {
            guard let key = item["key"]?.string, let count = item["count"]?.int, let at = item["at"]?.double,
                let end = item["end"]?.double, let message = item["message"]?.string,
                let failureClass = item["class"]?.string.flatMap(FailureClass.init(rawValue:)),
                max(at, end) >= now - AddressFailures.period, at <= now + 1, end <= now + 3600
            else { continue }
            let failure = HTTPFailure(
                .failed(failureClass), status: item["status"]?.int,
                fault: item["fault"]?.string.flatMap(TransportFault.init(rawValue:)), message)
            var row = Row(last: failure, at: at)
            row.count = count
            row.pause = Pause(end: end, inRow: max(count - AddressFailures.limit + 1, 0))
            rows[key] = row
        }
    }

    /// The failures as JSON, for the shared file. Neither addresses nor keys of services are in it, only
    /// their hashes and the messages.
    func json(now: Double) -> JSON {
        let recent = rows.filter { max($0.value.at, $0.value.pause.end) >= now - AddressFailures.period }
            .sorted { $0.value.at > $1.value.at }.prefix(AddressFailures.sharedLimit)
        return .array(
            recent.map { key, row in
                [
                    "key": .string(key), "count": .integer(row.count), "at": .number(row.at),
                    "end": .number(max(row.pause.end, 0)),
                    "class": .string((row.last.failureClass ?? .transient).rawValue),
                    "status": .count(row.last.status),
                    "fault": .text(row.last.fault?.rawValue),
                    "message": .string(row.last.message),
                ]
            })
    }

    /// Counts a failure whose response states a pause, such as one of a rate limit.
    mutating func add(_ failure: HTTPFailure, of address: String, pausedAt now: Double) {
        add(failure, of: address, now: now)
        if let pause = failure.retryAfter { rows[address]?.pause.extend(to: now + pause.inSeconds) }
    }

    /// Returns true if the address has failed recently.
    func has(_ address: String) -> Bool { rows[address] != nil }
}
