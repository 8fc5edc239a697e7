internal import Glibc

/// Handles crashes of the program: restores the terminal, reports the crash in one line on standard error,
/// and ends the process with the original signal.
public enum CrashReport {
    private static let faults = [SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE]
    nonisolated(unsafe) private static var isInstalled = false
    /// The action of each signal that follows the handler, by the signal's number.
    nonisolated(unsafe) private static let next = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        return actions
    }()

    /// Installs the handlers of crash signals, once per process. Swift's own backtracer, which prompts on the
    /// terminal, runs afterwards only if `SWIFT_BACKTRACE` is set.
    public static func install() {
        guard !isInstalled else { return }
        isInstalled = true
        prepareThread()
        let keepsTracer = getenv("SWIFT_BACKTRACE") != nil
        for fault in faults {
            var action = sigaction(), previous = sigaction()
            action.sa_flags = SA_ONSTACK | SA_SIGINFO
            action.__sigaction_handler.sa_sigaction = { signal, details, _ in
                CrashReport.note(signal, code: details?.pointee.si_code ?? 0)
            }
            sigaction(fault, &action, &previous)
            if keepsTracer { next[Int(fault)] = previous }
        }
    }

    /// Gives the handlers a stack of their own on the calling thread, because a stack overflow leaves them no
    /// room.
    public static func prepareThread() {
        let size = 64 << 10
        var stack = stack_t()
        stack.ss_sp = malloc(size)
        stack.ss_size = size
        if stack.ss_sp != nil { sigaltstack(&stack, nil) }
    }

    /// Reports a crash. Runs in a signal handler.
    private static func note(_ signal: Int32, code: Int32) {
        TerminalRestore.giveBack()
        if hasNoMemory {
            say("rhumb: out of memory; close other programs, or raise the limit of ulimit -v\n")
        } else {
            say("rhumb: crashed (")
            say(name(of: signal))
            say("). This is a bug; please report it with what you did last.\n")
        }
        sigaction(signal, next.advanced(by: Int(signal)), nil)
        // A fault recurs by itself, with its location; a signal that was sent, or a trap that was passed,
        // does not.
        if code <= 0 || signal == SIGTRAP { raise(signal) }
    }

    /// True if the process can't have another 16 MiB: two stacks of threads. A failed allocation ends a Swift
    /// program with SIGABRT or SIGSEGV. `mmap` is a system call, and safe in a signal handler.
    private static var hasNoMemory: Bool {
        let size = 16 << 20
        let probe = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard probe != MAP_FAILED else { return true }
        munmap(probe, size)
        return false
    }

    private static func name(of signal: Int32) -> StaticString {
        switch signal {
        case SIGSEGV: "SIGSEGV"
        case SIGILL: "SIGILL"
        case SIGTRAP: "SIGTRAP"
        case SIGABRT: "SIGABRT"
        case SIGBUS: "SIGBUS"
        default: "SIGFPE"
        }
    }

    private static func say(_ text: StaticString) {
        _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
}
