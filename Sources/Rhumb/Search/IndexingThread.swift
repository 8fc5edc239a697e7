internal import Dispatch
internal import Glibc
internal import RhumbCore
internal import Synchronization

/// A thread that indexes in the background at low priority.
final class IndexingThread: Sendable {
    /// Performs the outstanding work.
    /// - Returns: True if all of it is done.
    typealias Work = @Sendable (_ isStopped: () -> Bool) -> Bool

    private let work: Work
    private let isStopped = Atomic(false)
    private let signal = DispatchSemaphore(value: 0)
    /// The minimum pauses in seconds between two examinations, while there is work and while there is none;
    /// and the maximum pause after a long examination.
    private static let pauses = (busy: 0.3, resting: 2.0, longest: 30.0)
    /// The niceness of the thread.
    private static let niceness: Int32 = 15

    init(_ work: @escaping Work) {
        self.work = work
        SystemThread.detach { self.run() }
    }

    /// Makes the thread examine the stores immediately.
    func wake() { signal.signal() }

    /// Ends the thread after its current work.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wake()
    }

    private func run() {
        // On Linux, each thread has its own niceness.
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, IndexingThread.niceness)
        while !isStopped.load(ordering: .relaxed) {
            let start = ContinuousClock.now
            let isDone = work { isStopped.load(ordering: .relaxed) }
            // Examining a large store that keeps growing takes long.
            let cost = min(start.duration(to: .now) / .seconds(1), IndexingThread.pauses.longest)
            let pause = max(isDone ? IndexingThread.pauses.resting : IndexingThread.pauses.busy, cost)
            _ = signal.wait(timeout: .now() + pause)
        }
    }
}

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
