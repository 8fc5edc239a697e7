internal import RhumbCore
internal import RhumbEngine

/// What is to be written with the next transaction, and can be read already.
struct PendingWrites {
    enum Write {
        case put(StoredResponse)
        case prolong(Freshness, HTTPHeaders)
        case remove
    }

    private(set) var writes: [ResourceKey: Write] = [:]
    private(set) var uses: [ResourceKey: UnixSeconds] = [:]
    private(set) var counts: [StoreEvent: Int] = [:]
    private(set) var byteCount = 0

    var isEmpty: Bool { writes.isEmpty && uses.isEmpty && counts.isEmpty }
    /// Whether there is more than what can wait for the next tick.
    var isUrgent: Bool { writes.count >= 100 || byteCount > 8 << 20 }

    mutating func set(_ write: Write, for key: ResourceKey) {
        if case .prolong(let freshness, let headers) = write, case .put(var response) = writes[key] {
            (response.freshness, response.headers, response.isInvalidated) = (freshness, headers, false)
            return writes[key] = .put(response)
        }
        if case .put(let old) = writes[key] { byteCount -= old.body?.count ?? 0 }
        if case .put(let new) = write { byteCount += new.body?.count ?? 0 }
        writes[key] = write
    }

    mutating func use(_ key: ResourceKey, at now: UnixSeconds) { uses[key] = now }

    mutating func count(_ event: StoreEvent, _ number: Int) { counts[event, default: 0] += number }

    /// Hands over everything and begins anew.
    mutating func take() -> PendingWrites {
        defer { self = PendingWrites() }
        return self
    }

    /// Puts back what could not be written; what came since then holds.
    mutating func putBack(_ old: PendingWrites) {
        for (key, write) in old.writes where writes[key] == nil { set(write, for: key) }
        uses.merge(old.uses) { new, _ in new }
        counts.merge(old.counts, uniquingKeysWith: +)
    }
}
