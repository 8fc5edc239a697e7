internal import Synchronization

/// Records whether all stored data has been examined. Until then, the amount to index is unknown.
package final class IndexingRounds: Sendable {
    private let added = Atomic(1)
    private let seen = Atomic(0)

    package init() {}

    /// Records that there is more to index.
    package func add() { added.add(1, ordering: .relaxed) }

    /// Examines all stored data once.
    /// - Returns: The result of the work.
    package func run(_ work: () -> Bool) -> Bool {
        let added = added.load(ordering: .relaxed)
        defer { seen.store(added, ordering: .relaxed) }
        return work()
    }

    /// True if data was added since the last examination began.
    package var isPending: Bool { seen.load(ordering: .relaxed) < added.load(ordering: .relaxed) }
}
