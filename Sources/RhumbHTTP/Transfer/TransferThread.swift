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
        /// True if the process is exiting, so that no thread is started.
        var isClosed = false
    }
    private static let running = Mutex(Running())

    /// The reason why no request can be sent; nil if the thread runs or ran.
    let fault: TransportFault?
    /// The global initialisation of curl, once per process, before any thread uses it. Handlers registered
    /// last with `atexit` run first: the threads end before TLS does.
    static let curlIsReady: Bool =
        rhumb_curl_load() && rhumb_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
        && atexit { TransferThread.stopAll() } == 0

    /// Starts the thread. If that fails, every request is rejected.
    init(_ options: ClientOptions, _ inbox: Inbox, _ clock: EngineClock) {
        self.inbox = inbox
        handle = Mutex(nil)
        fault = TransferThread.curlIsReady ? nil : .noLibrary
        let work = Work(options, inbox, clock)
        let isStarted =
            fault == nil
            && TransferThread.running.withLock { running in
                guard !running.isClosed, let thread = SystemThread.start({ work.run() }) else { return false }
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
            // The last owner of a client may be its own thread.
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

    func run() {
        TransferLoop(options: options, inbox: inbox, clock: clock)?.run()
        refuseAll()
    }

    func refuseAll() {
        for case .begin(let waiter) in inbox.close() {
            waiter.continuation.resume(returning: .failure(.cancelled))
        }
    }
}
