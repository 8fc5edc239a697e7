internal import RhumbCore
internal import RhumbEngine

/// The writes for the next transaction, which are already visible to readers.
struct PendingWrites {
    enum Write {
        case put(StoredResponse)
        case prolong(Freshness, HTTPHeaders)
        case remove
    }

    private(set) var writes: [ResourceKey: Write] = [:]
    /// The writes of the transaction in progress, which aren't visible on disk until it ends.
    private var leaving: [ResourceKey: Write] = [:]
    private(set) var uses: [ResourceKey: UnixSeconds] = [:]
    private(set) var counts: [CacheCounter: Int] = [:]
    private(set) var byteCount = 0

    var isEmpty: Bool { writes.isEmpty && uses.isEmpty && counts.isEmpty }

    enum Pressure {
        case none
        /// Enough writes for a transaction.
        case full
        /// More than memory should hold.
        case tooFull
    }

    var pressure: Pressure {
        if writes.count >= 1000 || byteCount > 8 << 20 { return .tooFull }
        return writes.count >= 256 || byteCount > 4 << 20 ? .full : .none
    }

    mutating func set(_ write: Write, for key: ResourceKey) {
        if case .prolong = write, let earlier = writes[key] {
            return writes[key] = earlier.followed(by: write)
        }
        if case .put(let old) = writes[key] { byteCount -= old.body?.count ?? 0 }
        if case .put(let new) = write { byteCount += new.body?.count ?? 0 }
        writes[key] = write
    }

    mutating func use(_ key: ResourceKey, at now: UnixSeconds) { uses[key] = now }

    mutating func count(_ event: CacheCounter, _ number: Int) { counts[event, default: 0] += number }

    /// Returns the pending write of a key; nil if there is none.
    func waiting(for key: ResourceKey) -> Write? {
        guard let earlier = leaving[key] else { return writes[key] }
        return writes[key].map { earlier.followed(by: $0) } ?? earlier
    }

    /// Removes and returns all pending writes. Must be followed by `end()`.
    mutating func take() -> PendingWrites {
        let batch = self
        self = PendingWrites()
        leaving = batch.writes
        return batch
    }

    /// Ends the transaction, whether it succeeded or not.
    mutating func end() { leaving = [:] }

    /// Restores writes that failed. Newer writes take precedence.
    mutating func putBack(_ old: PendingWrites) {
        let new = writes
        writes = old.writes
        byteCount = old.byteCount
        for (key, write) in new { set(write, for: key) }
        uses.merge(old.uses) { new, _ in new }
        counts.merge(old.counts, uniquingKeysWith: +)
    }
}

extension PendingWrites.Write {
    /// Returns the combination of two writes. Prolonging a removed entry has no effect.
    fileprivate func followed(by next: PendingWrites.Write) -> PendingWrites.Write {
        guard case .prolong(let freshness, let headers) = next else { return next }
        switch self {
        case .put(var response):
            response.freshness = freshness
            response.headers = headers
            response.isInvalidated = false
            return .put(response)
        case .prolong: return next
        case .remove: return .remove
        }
    }
}
