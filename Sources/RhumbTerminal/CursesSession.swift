internal import CNcurses
internal import Glibc

/// The ncurses session that owns the terminal: its modes, the alternate screen and the hidden cursor.
final class CursesSession {
    private let screen: OpaquePointer
    private let file: UnsafeMutablePointer<FILE>

    /// - Parameter name: A terminfo entry that exists; `newterm` fails without one.
    init(_ name: String, on descriptor: Int32) throws(TerminalFailure) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0, let opened = fdopen(copy, "r+") else {
            if copy >= 0 { Glibc.close(copy) }
            throw .system(call: "fdopen", reason: String(cString: strerror(errno)))
        }
        guard let taken = newterm(name, opened, opened) else {
            fclose(opened)
            throw .tooSimple(name)
        }
        file = opened
        screen = taken
        takeModes()
    }

    /// Reads keys unbuffered and without echo, leaves line ends untouched, and hides the cursor.
    private func takeModes() {
        raw()
        noecho()
        nonl()
        curs_set(0)
    }

    /// Takes the terminal again after `giveBack()`; ncurses does so on its next update.
    func retake() { doupdate() }

    /// Restores the terminal's modes and leaves the alternate screen, without ending the session.
    /// - Parameter erasesLine: True on a terminal without another screen, where the last line of the map
    ///   would be left under the shell's.
    func giveBack(erasesLine: Bool) {
        endwin()
        guard erasesLine else { return }
        fputs("\u{1B}[K", file)
        fflush(file)
    }

    /// Sets the size that ncurses uses, so that it leaves the cursor in the last line.
    func resize(columns: Int, rows: Int) { resizeterm(Int32(clamping: rows), Int32(clamping: columns)) }

    deinit {
        delscreen(screen)
        fclose(file)
    }
}
