internal import Glibc

/// Runs each job on a thread of its own. The loop of the map runs on one: it waits for the terminal as long
/// as the program runs, and would keep a thread of a pool from other work.
final class ThreadExecutor: TaskExecutor {
    private final class Work: Sendable {
        private let job: UnownedJob
        private let executor: ThreadExecutor

        init(_ job: UnownedJob, _ executor: ThreadExecutor) {
            self.job = job
            self.executor = executor
        }

        func run() { job.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    }

    /// Starts a thread for a job. If the system has no thread left, the calling thread runs the job.
    func enqueue(_ job: consuming ExecutorJob) {
        let work = Work(UnownedJob(job), self), argument = Unmanaged.passRetained(work)
        var thread = pthread_t()
        let outcome = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard outcome == 0 else {
            argument.release()
            return work.run()
        }
        pthread_detach(thread)
    }
}
