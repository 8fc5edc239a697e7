internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine
internal import RhumbTerminal
internal import Synchronization

/// Writes data to standard output, and messages to standard error.
enum Output {
    /// Reopens closed standard streams, so that their descriptors aren't used for other files. Writing to
    /// standard output still fails as if it were closed.
    static func prepare() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }

    /// Returns the size of the terminal of a standard stream; nil if it is unknown.
    static func window(_ stream: Int32) -> winsize? {
        var window = winsize()
        return ioctl(stream, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0 ? window : nil
    }

    /// Writes text from outside: unchanged to a file or pipe, and sanitised to a terminal.
    /// - Parameter isPrivate: True if only the owner may read the file.
    static func write(
        document bytes: [UInt8], to path: String?, isPrivate: Bool = false
    ) throws(Notice.Problem) {
        guard path == nil, isatty(STDOUT_FILENO) == 1 else {
            return try write(bytes, to: path, isPrivate: isPrivate)
        }
        try print(SafeText.harmless(String(decoding: bytes, as: UTF8.self)))
    }

    /// Writes bytes to standard output, or to a file.
    /// - Parameter links: The rule for a file that is a symbolic link.
    static func write(
        _ bytes: [UInt8], to path: String? = nil, isPrivate: Bool = false,
        links: PartFile.LinkRule = .refuse
    ) throws(Notice.Problem) {
        if let path {
            return try converting(Files.write(bytes, to: path, isPrivate: isPrivate, links: links)) {
                (error: ExportFailure) in Notice.Problem(error)
            }
        }
        if isatty(STDOUT_FILENO) == 1 { TerminalLine.clear() }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                exit(1)
            } else if errno != EINTR && errno != EAGAIN {
                throw Notice.Problem("can't write the output: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Returns the file's path; nil for the names of standard output.
    static func file(_ name: String?) -> String? {
        name.flatMap { ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains($0) ? nil : $0 }
    }

    /// Writes text without known keys. Characters that could harm a terminal are escaped.
    static func print(_ text: String) throws(Notice.Problem) {
        try write(Array(SafeText.escaped(localised(hidden(text), keeps: \.isJSON)).utf8))
    }

    /// Writes a sanitised message to standard error.
    static func say(_ text: String) {
        TerminalLine.clear()
        FailureLog.note("message", hidden(text))
        let line = Array((SafeText.harmless(localised(hidden(text))) + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }

    /// Writes a message that is neither an error nor a result. Does nothing with `--quiet`.
    static func note(_ text: String) { if !isQuiet { say(text) } }

    // MARK: Options

    private struct Options: Sendable {
        var isQuiet = false
        var isUnicode = true
        /// True if standard output is JSON.
        var isJSON = false
    }

    private static let options = Mutex(Options())

    /// True if progress and notes are suppressed.
    static var isQuiet: Bool { options.withLock(\.isQuiet) }

    /// True if the locale's character set is UTF-8.
    static var isUnicode: Bool { options.withLock(\.isUnicode) }

    /// Opens the log that the variable `RHUMB_LOG` names.
    static func openLog(_ environment: [String: String]) {
        guard let path = environment["RHUMB_LOG"], !path.isEmpty else { return }
        if !FailureLog.open(Files.named(path), home: environment["HOME"]) {
            say("rhumb: can't write the log \(path)")
        }
    }

    /// Sets the options of the command line and the locale for the rest of the run.
    static func configure(_ invocation: Invocation) {
        let isUnicode = TerminalProfile.current().isUTF8
        options.withLock {
            $0 = Options(isQuiet: invocation[.quiet], isUnicode: isUnicode, isJSON: invocation[.json])
        }
    }

    /// Returns the text in the locale's character set, which is ASCII unless the locale uses UTF-8.
    private static func localised(_ text: String, keeps: (Options) -> Bool = { _ in false }) -> String {
        let options = options.withLock(\.self)
        return options.isUnicode || keeps(options) ? text : Transliteration.plain(text)
    }

    // MARK: Keys

    private static let secrets = Mutex<[Lazy<[String]>]>([])

    /// Hides keys in all text that is written from now on.
    static func hide(_ keys: @autoclosure @escaping @Sendable () -> [String]) {
        secrets.withLock { $0.append(Lazy(keys)) }
    }

    /// Reads the known keys, which otherwise the first output does.
    static func prepareKeys() { for keys in secrets.withLock({ $0 }) { _ = keys.value } }

    /// Returns the text with all known keys hidden.
    static func hidden(_ text: String) -> String {
        Set(secrets.withLock { $0 }.flatMap(\.value)).sorted { $0.utf8.count > $1.utf8.count }.reduce(text) {
            Masking.masked($0, $1, with: "…")
        }
    }
}
