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

/// A caller that waits for a response.
struct Waiter: Sendable {
    let number: UInt64
    let request: HTTPRequest
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>
}

/// A command for the transfer thread.
enum TransferCommand: Sendable {
    case begin(Waiter)
    case cancel(UInt64)
    case goOffline
    case goMetered
    case endPause(source: String)
    case stop
}

/// The commands for the transfer thread, and the switches that apply before any command is read.
final class Inbox: Sendable {
    private struct State {
        var commands: [TransferCommand] = []
        var wake: (@Sendable () -> Void)?
        /// The commands that wake the sleeping thread; nil while it is running.
        var wakeCondition: WakeCondition?
        var lastNumber: UInt64 = 0
        var isStopped = false

        mutating func wakeIfNeeded(for command: TransferCommand) {
            switch (wakeCondition, command) {
            case (nil, _), (.anyButBegin, .begin): return
            case (.anyCommand, _), (.anyButBegin, _):
                wakeCondition = nil
                wake?()
            }
        }
    }

    /// The commands that wake a sleeping thread.
    enum WakeCondition {
        case anyCommand
        /// No request can start before another ends, which wakes the thread anyway.
        case anyButBegin
    }
    private let state = Mutex(State())
    private let offline = Atomic(false)
    private let metered = Atomic(false)

    var isOffline: Bool { offline.load(ordering: .acquiring) }

    func setOffline(_ isOffline: Bool) {
        offline.store(isOffline, ordering: .releasing)
        if isOffline { post(.goOffline) }
    }

    var isMetered: Bool { metered.load(ordering: .acquiring) }

    func setMetered(_ isMetered: Bool) {
        metered.store(isMetered, ordering: .releasing)
        if isMetered { post(.goMetered) }
    }

    func nextNumber() -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Posts a command. After the thread has stopped, waiting callers get a failure.
    func post(_ command: TransferCommand) {
        let isTaken = state.withLock { state -> Bool in
            guard !state.isStopped else { return false }
            state.commands.append(command)
            state.wakeIfNeeded(for: command)
            return true
        }
        if !isTaken, case .begin(let waiter) = command {
            waiter.continuation.resume(returning: .failure(.cancelled))
        }
    }

    /// Called before the thread sleeps.
    /// - Returns: False if commands wait, so that it must not sleep.
    func mayFallAsleep(wakingFor condition: WakeCondition) -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.wakeCondition = condition
            return true
        }
    }

    /// Returns all commands. The thread is awake.
    func takeAll() -> [TransferCommand] {
        state.withLock { state in
            state.wakeCondition = nil
            guard !state.commands.isEmpty else { return [] }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Sets the closure that wakes the thread. It is called under a lock: once this returns, the earlier one
    /// is never called again.
    func setWake(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

    /// Rejects further commands.
    /// - Returns: The commands that were not read.
    func close() -> [TransferCommand] {
        state.withLock { state in
            state.isStopped = true
            state.wake = nil
            defer { state.commands = [] }
            return state.commands
        }
    }
}
