internal import Glibc

/// A program that runs on its own pseudo-terminal. Tests drive it as a person would and observe it through a
/// `ScreenModel`.
public final class PtyProgram {
    /// The way in which a program ended.
    public enum Ending: Equatable, Sendable {
        case exited(Int32)
        case killed(by: Int32)
    }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The current screen of the program's terminal.
    public private(set) var screen: ScreenModel
    /// The time of the last read.
    public private(set) var lastRead = ContinuousClock.now
    /// Everything the program has written.
    public private(set) var output: [UInt8] = []
    /// True if the terminal answers queries.
    public var answersQueries = true
    /// Makes the terminal one that shows images like kitty.
    public func showImages(cell: (width: Int, height: Int) = (8, 16)) {
        screen.images = ImageModel()
        screen.name = "kitty(0.35.2)"
        screen.cellSize = cell
    }

    /// True if the output updates the screen; false if only time and bytes matter.
    public var isWatched = true
    /// The number of bytes to read per second, as over a slow line; nil for no limit.
    public var bytesPerSecond: Int?
    private var nextRead = ContinuousClock.now
    /// The terminal's modes before the program started.
    public let modesBefore: [UInt32]
    private let master: Int32
    public let processID: Int32
    private var ending: Ending?

    /// Starts a program.
    /// - Parameters:
    ///   - environment: The complete environment, including `TERM` and `LC_ALL`.
    ///   - pixels: The size of a cell as reported by the terminal; nil for none.
    public init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String],
        columns: Int = 80, rows: Int = 24, pixels: (width: Int, height: Int)? = nil
    ) throws {
        screen = ScreenModel(columns: columns, rows: rows)
        let (master, slave) = try Self.openTerminal()
        self.master = master
        Self.setSize(master, columns, rows, pixels)
        modesBefore = Self.modes(of: master)
        processID = try Self.spawn(executable, arguments, environment, on: slave)
    }

    deinit {
        if ending == nil {
            kill(processID, SIGKILL)
            var status: Int32 = 0
            waitpid(processID, &status, 0)
        }
        close(master)
    }

    // MARK: Starting

    /// Opens a pseudo-terminal with Linux's own calls, because those of POSIX aren't available in Swift.
    private static func openTerminal() throws -> (Int32, String) {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var unlocked: Int32 = 0
        var number: Int32 = 0
        guard master >= 0, ioctl(master, 0x4004_5431 /* TIOCSPTLCK */, &unlocked) == 0,
            ioctl(master, 0x8004_5430 /* TIOCGPTN */, &number) == 0
        else { throw Failure(description: "no pseudo-terminal: \(String(cString: strerror(errno)))") }
        return (master, "/dev/pts/\(number)")
    }

    private static func setSize(
        _ master: Int32, _ columns: Int, _ rows: Int, _ pixels: (width: Int, height: Int)?
    ) {
        var size = winsize()
        size.ws_col = UInt16(clamping: columns)
        size.ws_row = UInt16(clamping: rows)
        size.ws_xpixel = UInt16(clamping: columns * (pixels?.width ?? 0))
        size.ws_ypixel = UInt16(clamping: rows * (pixels?.height ?? 0))
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Starts the program as a session leader. The first terminal it opens becomes its controlling terminal.
    private static func spawn(
        _ executable: String, _ arguments: [String], _ environment: [String: String],
        on terminal: String
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(0x80 /* POSIX_SPAWN_SETSID */))
        var process: pid_t = 0
        let status = withStrings([executable] + arguments) { words in
            withStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&process, executable, &actions, &attributes, words, variables)
            }
        }
        guard status == 0 else {
            throw Failure(description: "can't start \(executable): \(String(cString: strerror(status)))")
        }
        return process
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    // MARK: Driving

    /// Types bytes.
    /// - Throws: `Failure` if the program doesn't read them.
    public func send(_ bytes: some Sequence<UInt8>) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            guard ContinuousClock.now < deadline else { throw failure("keys are not taken") }
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else { _ = try readOnce(within: 1) }
        }
    }

    public func send(_ text: String) throws { try send(text.utf8) }

    public func signal(_ number: Int32) { kill(processID, number) }

    public func resize(columns: Int, rows: Int) {
        screen.resize(columns: columns, rows: rows)
        Self.setSize(master, columns, rows, nil)
    }

    /// Reads until the screen meets a condition.
    /// - Throws: `Failure` with the screen if the time runs out or the program ends first.
    public func read(
        within seconds: Double = 20, until isReached: (ScreenModel) -> Bool
    ) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !isReached(screen) {
            guard ContinuousClock.now < deadline else { throw failure("not reached in time") }
            if try !readOnce(within: 0.1), hasEnded, !isReached(screen) {
                throw failure("the program ended before (\(ending.map { "\($0)" } ?? ""))")
            }
        }
    }

    /// Reads until a text appears somewhere on the screen.
    public func read(untilText text: String, within seconds: Double = 20) throws {
        try read(within: seconds) { $0.text.contains(text) }
    }

    /// Reads until the program ends and returns how it ended.
    public func readToEnd(within seconds: Double = 20) throws -> Ending {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !hasEnded {
            guard ContinuousClock.now < deadline else { throw failure("still running") }
            _ = try readOnce(within: 0.05)
        }
        while try readOnce(within: 0) {}
        guard let ending else { throw failure("no exit status") }
        return ending
    }

    /// Waits until the program ends, without reading its output, like a terminal that hangs.
    public func waitWithoutReading(within seconds: Double = 20) throws -> Ending {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !hasEnded {
            guard ContinuousClock.now < deadline else { throw failure("still running") }
            poll(nil, 0, 10)
        }
        guard let ending else { throw failure("no exit status") }
        return ending
    }

    /// The terminal's modes (termios) as numbers that can be compared.
    public var modes: [UInt32] { Self.modes(of: master) }

    private static func modes(of master: Int32) -> [UInt32] {
        var modes = termios()
        tcgetattr(master, &modes)
        let characters = withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
    }

    // MARK: Reading

    private var hasEnded: Bool {
        guard ending == nil else { return true }
        var status: Int32 = 0
        guard waitpid(processID, &status, WNOHANG) == processID else { return false }
        let signal = status & 0x7F
        ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal)
        return true
    }

    /// Reads the available bytes. Returns false if there were none.
    public func readOnce(within seconds: Double) throws -> Bool {
        awaitLine()
        var wait = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, Int32(seconds * 1000)) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: bytesPerSecond.map { max($0 / 100, 1) } ?? 1 << 16)
        let count = Glibc.read(master, &buffer, buffer.count)
        guard count > 0 else { return false }
        lastRead = .now
        if let bytesPerSecond {
            nextRead = max(nextRead, lastRead - .milliseconds(20)) + .seconds(1) * count / bytesPerSecond
        }
        output += buffer.prefix(count)
        guard isWatched else { return true }
        screen.feed(buffer.prefix(count))
        let replies = screen.replies
        screen.replies = []
        if answersQueries && !replies.isEmpty { try send(replies) }
        return true
    }

    /// Waits until a slow line would have carried the bytes read last.
    private func awaitLine() {
        let left = nextRead - .now
        if bytesPerSecond != nil, left > .zero { poll(nil, 0, Int32(left / .milliseconds(1)) + 1) }
    }

    private func failure(_ reason: String) -> Failure {
        Failure(description: "\(reason); the screen:\n\(screen.text)")
    }
}
