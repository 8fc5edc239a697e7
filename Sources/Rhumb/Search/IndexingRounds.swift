internal import Synchronization

/// Whether all that is to be indexed was looked at once: until then nobody knows how much there is.
package final class IndexingRounds: Sendable {
    private let added = Atomic(1)
    private let seen = Atomic(0)

    package init() {}

    /// Something more is to be indexed.
    package func add() { added.add(1, ordering: .relaxed) }

    /// One look at all there is.
    /// - Returns: what the look returns.
    package func look(_ work: () -> Bool) -> Bool {
        let added = added.load(ordering: .relaxed)
        defer { seen.store(added, ordering: .relaxed) }
        return work()
    }

    /// Whether something was added since the last look began.
    package var isPending: Bool { seen.load(ordering: .relaxed) < added.load(ordering: .relaxed) }
}
