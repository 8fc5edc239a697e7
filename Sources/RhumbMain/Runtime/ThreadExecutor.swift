internal import Glibc

/// Runs each job on its own thread. The main loop runs on one, because it waits for the terminal throughout
/// the run, and would otherwise occupy a thread of a pool.
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
