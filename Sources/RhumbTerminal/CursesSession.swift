internal import CNcurses
internal import Glibc

/// ncurses holding the terminal: its modes, the alternate screen and the hidden cursor.
final class CursesSession {
    private let screen: OpaquePointer
    private let file: UnsafeMutablePointer<FILE>

    /// - Parameter name: an entry terminfo has, so that `newterm` doesn't fail for lack of it.
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

    /// Keys as they are typed, unseen, line ends untouched; the cursor hidden.
    private func takeModes() {
        raw()
        noecho()
        nonl()
        curs_set(0)
    }

    /// Takes the terminal again after it was given back: ncurses does so when it next updates.
    func retake() { doupdate() }

    /// Restores the modes and leaves the alternate screen.
    func giveBack() { endwin() }

    /// Tells ncurses the size, so that it leaves the cursor in the last line.
    func resize(columns: Int, rows: Int) { resizeterm(Int32(clamping: rows), Int32(clamping: columns)) }

    deinit {
        delscreen(screen)
        fclose(file)
    }
}
