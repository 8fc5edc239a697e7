internal import Glibc

/// Faults of the program itself: the terminal is given back, one line on standard error says what
/// happened, and the process ends by the signal that came.
public enum CrashReport {
    private static let faults = [SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE]
    nonisolated(unsafe) private static var isInstalled = false
    /// The next action of each signal, by its number.
    nonisolated(unsafe) private static let next = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        return actions
    }()

    /// Takes the signals of faults over, once a process. Swift's own tracer, which asks on the terminal
    /// what to do, comes after it only where `SWIFT_BACKTRACE` is set.
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

    /// Gives the handlers a stack of their own on the calling thread, for a stack overflow leaves them no
    /// room.
    public static func prepareThread() {
        let size = 64 << 10
        var stack = stack_t()
        stack.ss_sp = malloc(size)
        stack.ss_size = size
        if stack.ss_sp != nil { sigaltstack(&stack, nil) }
    }

    /// Runs in a signal handler.
    private static func note(_ signal: Int32, code: Int32) {
        TerminalRestore.giveBack()
        say("rhumb: crashed (")
        say(name(of: signal))
        say("). This is a bug; please report it with what you did last.\n")
        sigaction(signal, next.advanced(by: Int(signal)), nil)
        // A fault comes again by itself, with its place; a signal sent, or a trap passed, does not.
        if code <= 0 || signal == SIGTRAP { raise(signal) }
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
