internal import CCurl
internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import Synchronization

/// The thread of a client's transfers. It ends when it is stopped, at the latest when the process calls
/// `exit`, which unloads the TLS library.
final class TransferThread: Sendable {
    private let inbox: Inbox
    private let handle: Mutex<pthread_t?>

    private struct Running {
        var threads: [ObjectIdentifier: TransferThread] = [:]
        /// The process is leaving: no thread is started any more.
        var isClosed = false
    }
    private static let running = Mutex(Running())

    /// Why no server can be asked; nil: the thread runs, or did.
    let fault: TransportFault?
    /// curl's own set-up, once a process, before any thread uses it. What is registered with `atexit`
    /// last is called first: the threads end before TLS does.
    private static let curlIsReady: Bool =
        rhumb_curl_load() && rhumb_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
        && atexit { TransferThread.stopAll() } == 0

    /// Starts the thread; where that fails every request is refused.
    init(_ options: ClientOptions, _ inbox: Inbox, _ clock: EngineClock) {
        self.inbox = inbox
        handle = Mutex(nil)
        fault = TransferThread.curlIsReady ? nil : .noLibrary
        let work = Work(options, inbox, clock)
        let isStarted =
            fault == nil
            && TransferThread.running.withLock { running in
                guard !running.isClosed, let thread = work.start() else { return false }
                handle.withLock { $0 = thread }
                running.threads[ObjectIdentifier(self)] = self
                return true
            }
        if !isStarted { work.refuseAll() }
    }

    /// Cancels the requests in flight and waits for the thread's end; safe to call several times.
    func stop() {
        inbox.post(.stop)
        handle.withLock { handle in
            guard let thread = handle.take() else { return }
            // The last to let go of a client may be its own thread.
            if pthread_join(thread, nil) == EDEADLK { pthread_detach(thread) }
        }
        _ = TransferThread.running.withLock { $0.threads.removeValue(forKey: ObjectIdentifier(self)) }
    }

    private static func stopAll() {
        let threads = running.withLock { running in
            running.isClosed = true
            return Array(running.threads.values)
        }
        for thread in threads { thread.stop() }
    }
}

/// The work of the thread.
private final class Work: Sendable {
    private let options: ClientOptions
    private let inbox: Inbox
    private let clock: EngineClock

    init(_ options: ClientOptions, _ inbox: Inbox, _ clock: EngineClock) {
        self.options = options
        self.inbox = inbox
        self.clock = clock
    }

    /// Runs it on a thread of its own; nil if there can be none.
    func start() -> pthread_t? {
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return nil
        }
        return thread
    }

    private func run() {
        TransferLoop(options: options, inbox: inbox, clock: clock)?.run()
        refuseAll()
    }

    func refuseAll() {
        for case .begin(let waiter) in inbox.close() {
            waiter.continuation.resume(returning: .failure(.cancelled))
        }
    }
}
