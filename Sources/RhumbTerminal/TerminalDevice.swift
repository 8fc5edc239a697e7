internal import Glibc
internal import RhumbCore

/// The terminal as a file, opened separately, so that non-blocking mode doesn't affect the shell's
/// descriptor.
final class TerminalDevice {
    let descriptor: Int32
    /// The terminal modes to restore.
    let savedModes: termios
    /// True after a permanent read or write error.
    private(set) var isLost = false

    /// - Parameter isControlling: If true, uses the controlling terminal if standard output isn't a
    ///   terminal.
    init(isControlling: Bool = false) throws(TerminalFailure) {
        let isOutput = isatty(STDOUT_FILENO) == 1
        guard isOutput || isControlling else { throw .notATerminal }
        descriptor = isOutput ? Self.open() : Glibc.open("/dev/tty", Self.flags)
        guard isOutput || descriptor >= 0 else { throw .notATerminal }
        guard descriptor >= 0 else { throw .system(call: "open", reason: Self.lastError) }
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0 else {
            Glibc.close(descriptor)
            throw .system(call: "tcgetattr", reason: Self.lastError)
        }
        savedModes = modes
    }

    deinit { Glibc.close(descriptor) }

    private static let flags = O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK

    /// Opens the terminal by name. If that fails, as in some containers, duplicates standard output, which
    /// blocks and is therefore written in small pieces.
    private static func open() -> Int32 {
        var name = [CChar](repeating: 0, count: 256)
        if ttyname_r(STDOUT_FILENO, &name, name.count) == 0 {
            let opened = Glibc.open(name, flags)
            if opened >= 0 { return opened }
        }
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    }

    /// The number of bytes that a ready blocking descriptor accepts without blocking; unlimited otherwise.
    private var longestPiece: Int {
        fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0 ? .max : 1024
    }

    private static var lastError: String { String(cString: strerror(errno)) }

    /// The columns, rows, cell shape (height divided by width) and cell size from the system; nil if unknown.
    var size: (columns: Int, rows: Int, cellAspect: Double?, cell: PixelSize?)? {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return nil }
        guard window.ws_col > 0, window.ws_row > 0 else { return nil }
        let columns = Int(window.ws_col)
        let rows = Int(window.ws_row)
        guard window.ws_xpixel > 0, window.ws_ypixel > 0 else {
            return (columns, rows, nil, nil)
        }
        let width = Double(window.ws_xpixel) / Double(columns)
        let height = Double(window.ws_ypixel) / Double(rows)
        let cell = PixelSize(width: Int(width), height: Int(height))
        return (columns, rows, height / width, cell.width > 0 && cell.height > 0 ? cell : nil)
    }

    /// Reads bytes unbuffered and without echo, until `restoreModes()`.
    func takeRawModes() {
        var modes = savedModes
        cfmakeraw(&modes)
        tcsetattr(descriptor, TCSANOW, &modes)
    }

    func restoreModes() {
        var modes = savedModes
        tcsetattr(descriptor, TCSANOW, &modes)
    }

    /// Returns the bytes available without waiting; empty if none.
    func read() -> [UInt8] {
        var collected: [UInt8] = []
        while collected.count < 1 << 16, isReady(Int16(POLLIN), within: 0) {
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count <= 0 {
                isLost = isLost || count == 0 || !isTemporary(errno)
                break
            }
            collected += piece.prefix(count)
        }
        return collected
    }

    /// Writes the bytes that the terminal accepts without waiting and returns their number.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        var rest = bytes
        while !rest.isEmpty, !isLost, isReady(Int16(POLLOUT), within: 0) {
            let count = rest.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, min($0.count, longestPiece))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if !isTemporary(errno) {
                isLost = true
            }
        }
        return bytes.count - rest.count
    }

    /// Writes all bytes; returns false if the terminal accepts none for the given time or is lost.
    func write(_ bytes: ArraySlice<UInt8>, timeout milliseconds: Int32) -> Bool {
        var rest = bytes
        repeat {
            rest = rest.dropFirst(write(rest))
        } while !rest.isEmpty && !isLost && isReady(Int16(POLLOUT), within: milliseconds)
        return rest.isEmpty
    }

    private func isTemporary(_ error: Int32) -> Bool { error == EAGAIN || error == EINTR }

    func isReady(_ events: Int16, within milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: descriptor, events: events, revents: 0)
        return poll(&wait, 1, milliseconds) > 0
    }
}

/// The reason why the screen can't be opened. The description suggests a remedy.
public enum TerminalFailure: Error, Equatable, CustomStringConvertible {
    /// Standard output is a file or a pipe.
    case notATerminal
    /// `TERM` is unset or empty.
    case nameMissing
    /// The terminal with this name can't move its cursor.
    case tooSimple(String)
    /// The terminfo database has neither the named entry nor one for xterm.
    case noDatabase(String)
    /// A system call on the terminal device failed.
    case system(call: String, reason: String)
    /// This process already uses the screen.
    case alreadyTaken

    public var description: String {
        switch self {
        case .notATerminal:
            "standard output is not a terminal, so the map can't be shown; "
                + "use `rhumb render` for files and pipes"
        case .nameMissing:
            "TERM is not set, so the terminal type is unknown; "
                + "set it, e.g. TERM=xterm-256color, or use `rhumb render`"
        case .tooSimple(let name):
            "the terminal type '\(name)' can't move the cursor; if that type is wrong, "
                + "set TERM, e.g. TERM=xterm-256color; otherwise use `rhumb render`"
        case .noDatabase(let name):
            "no terminfo entry for '\(name)' nor for xterm; install ncurses-base, "
                + "or set TERMINFO to the folder with the entries"
        case .system(let call, let reason):
            "can't set up the terminal: \(call): \(reason); try another terminal window"
        case .alreadyTaken:
            "this process already uses the screen; close the other screen first"
        }
    }
}
