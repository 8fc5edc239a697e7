internal import CLinux
internal import Glibc

/// Restores the terminal when the program can't do so itself: at `exit`, in a crash, or on a second request
/// to end while the first is pending. Everything is prepared in advance, so that only async-signal-safe calls
/// remain (POSIX.1-2017, 2.4.3).
enum TerminalRestore {
    private struct Prepared {
        var descriptor: Int32
        var modes: termios
        var bytes: UnsafeMutableBufferPointer<UInt8>
    }

    nonisolated(unsafe) private static var prepared: Prepared?
    nonisolated(unsafe) private static var isRegistered = false

    /// Stores the terminal's modes and the bytes that restore it, until `disarm()`.
    static func arm(descriptor: Int32, modes: termios, bytes: [UInt8]) {
        disarm()
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        prepared = Prepared(descriptor: descriptor, modes: modes, bytes: copy)
        guard !isRegistered else { return }
        isRegistered = true
        atexit { TerminalRestore.giveBack() }
        CrashReport.install()
    }

    static func disarm() {
        let old = prepared
        prepared = nil
        old?.bytes.deallocate()
    }

    /// Restores the terminal. Safe in a signal handler.
    static func giveBack() {
        guard var kept = prepared else { return }
        prepared = nil
        var sent = 0
        while sent < kept.bytes.count {
            var wait = pollfd(fd: kept.descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&wait, 1, 200) > 0 else { break }
            let count = write(
                kept.descriptor, kept.bytes.baseAddress?.advanced(by: sent), kept.bytes.count - sent)
            guard count > 0 || errno == EAGAIN || errno == EINTR else { break }
            sent += max(count, 0)
        }
        tcsetattr(kept.descriptor, TCSANOW, &kept.modes)
    }

    /// Restores the terminal and raises the signal with its default action. Safe in a signal handler.
    static func die(of signal: Int32) {
        giveBack()
        Glibc.signal(signal, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        sigprocmask(SIG_UNBLOCK, &set, nil)
        raise(signal)
    }
}
