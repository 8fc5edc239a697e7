internal import CLinux
internal import Glibc

/// Makes signals available through a file descriptor: each handler writes its number into a pipe.
final class SignalPipe {
    /// The read end of the pipe.
    let descriptor: Int32
    private let writeEnd: Int32
    private var replaced: [(Int32, sigaction)] = []

    /// The signals whose default action ends the process, without crash signals.
    static let ends = [
        SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGPOLL,
    ]
    private static let others = [SIGWINCH, SIGTSTP, SIGCONT]
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    /// The monotonic time of the first request to end, in seconds; 0 if none.
    nonisolated(unsafe) private static var firstRequest = 0

    init() throws(TerminalFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
            throw .system(call: "pipe", reason: String(cString: strerror(errno)))
        }
        descriptor = ends[0]
        writeEnd = ends[1]
        Self.writeEnd = writeEnd
        Self.firstRequest = 0
        for signal in Self.ends + Self.others {
            var old = sigaction()
            sigaction(signal, nil, &old)
            replaced.append((signal, old))
        }
    }

    /// Installs the handlers. Called after ncurses starts, because ncurses replaces some of them.
    func listen() {
        for signal in Self.ends { listen(signal) { SignalPipe.endRequested($0) } }
        for signal in Self.others { listen(signal) { SignalPipe.note($0) } }
    }

    deinit {
        for (signal, action) in replaced {
            var action = action
            sigaction(signal, &action, nil)
        }
        Self.writeEnd = -1
        close(descriptor)
        close(writeEnd)
    }

    /// Returns the signals received since the last call, each once, in order.
    func take() -> [Int32] {
        var taken: [Int32] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 {
            if !taken.contains(Int32(byte)) { taken.append(Int32(byte)) }
        }
        return taken
    }

    /// Stops the program and its whole process group until continued, as Ctrl-Z does. Otherwise a script that
    /// started it would keep waiting and hold the terminal.
    func stop() {
        var mine = sigaction()
        var other = sigaction()
        other.__sigaction_handler.sa_handler = SIG_IGN
        sigaction(SIGTSTP, &other, &mine)
        kill(0, SIGTSTP)
        // Raises the signal on this thread, so that it stops here and not a moment later. Pool threads block
        // the signal, and the main actor may run on one.
        other.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &other, nil)
        var stops = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&stops)
        sigaddset(&stops, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stops, &blocked)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        sigaction(SIGTSTP, &mine, nil)
    }

    private func listen(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, nil)
    }

    /// Writes the signal to the pipe. Runs in a signal handler.
    private static func note(_ signal: Int32) {
        let before = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = write(writeEnd, &byte, 1)
        errno = before
    }

    /// Reports a request to end. If one is repeated over a second later, the program is stuck, and the
    /// process ends at once. Runs in a signal handler.
    private static func endRequested(_ signal: Int32) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        if firstRequest != 0 && now.tv_sec > firstRequest + 1 { TerminalRestore.die(of: signal) }
        if firstRequest == 0 { firstRequest = max(now.tv_sec, 1) }
        note(signal)
    }
}
