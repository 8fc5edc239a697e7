internal import Synchronization

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
