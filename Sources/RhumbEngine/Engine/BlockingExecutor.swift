internal import Dispatch

/// An executor for work that waits for a disk or another process. It uses threads of its own, so that the
/// threads of the cooperative pool stay free. Use `run`, `withTaskExecutorPreference` or
/// `Task(executorPreference:)`.
public final class BlockingExecutor: TaskExecutor {
    /// The executor shared by the whole process.
    public static let shared = BlockingExecutor()

    private let queue = DispatchQueue(label: "rhumb.blocking", qos: .userInitiated, attributes: .concurrent)

    private init() {}

    /// Runs work that may wait for a disk, and returns its result.
    public static func run<Value: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(shared) { () async throws(Failure) in try work() }
    }

    /// Runs a job on a thread that may block.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A serial executor for actors whose work may block. Jobs run one after another on a thread of its own.
public final class SerialBlockingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "rhumb.blocking.serial", qos: .userInitiated)

    /// An executor with a queue of its own.
    public init() {}

    /// Runs a job after those enqueued before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
