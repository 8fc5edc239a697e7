/// The failures in a row of each address. After four within a minute, the address is not requested for 20
/// seconds, and then for 40 after each further one. So an address that fails is requested at most five times
/// within a minute, although an update asks for the first bytes of an archive when it opens it, when it
/// checks the version and for each batch of tiles, each with retries of its own.
struct AddressFailures {
    private struct Row {
        var count = 0
        var pause = Pause()
        var last: HTTPFailure
        var at: Double
    }

    private var rows: [String: Row] = [:]
    /// The number of addresses at which old ones are removed.
    private var room = 1024

    /// The number of failures in a row without a pause.
    static let limit = 4
    /// The seconds after which a failure is forgotten.
    private static let period = 60.0

    /// Counts a failure of a request that was sent.
    mutating func add(_ failure: HTTPFailure, of address: String, now: Double) {
        var row = rows[address] ?? Row(last: failure, at: now)
        if now - row.at > AddressFailures.period { row = Row(last: failure, at: now) }
        row.count += 1
        row.last = failure
        row.at = now
        if row.count >= AddressFailures.limit { _ = row.pause.begin(at: now, first: 20, cap: 40) }
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
