internal import Glibc
internal import Synchronization

/// A file with the failures of networks, stores and files, including those that the program survives. There
/// is none unless the program opens one. Lines contain no keys, paths of addresses or places.
public enum FailureLog {
    private struct State {
        let path: String
        let home: String?
        var size: Int
        var last = ""
    }

    private static let state = Mutex<State?>(nil)
    /// The maximum size in bytes. A full file replaces the one named with ".old", so that at most twice as
    /// many bytes are on the disk.
    public static let limit = 512 << 10
    /// The maximum number of bytes of a line.
    private static let lineLimit = 500
    private static let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK

    /// Opens the log. Creates it if necessary, readable only by its owner.
    /// - Parameter home: The home folder, which lines don't contain; nil if unknown.
    /// - Returns: False if it can't be written.
    public static func open(_ path: String, home: String?) -> Bool {
        let file = Glibc.open(path, flags, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return false }
        let size = Int(clamping: facts.st_size)
        state.withLock { $0 = State(path: path, home: home, size: size) }
        return true
    }

    /// The path of the log; nil if there is none.
    public static var path: String? { state.withLock { $0?.path } }

    /// Adds a line, unless it equals the last one.
    /// - Parameters:
    ///   - kind: The failed part, such as "network".
    ///   - message: The failure. Not evaluated without a log.
    public static func note(_ kind: String, _ message: @autoclosure () -> String) {
        guard path != nil else { return }
        let message = message()
        state.withLock { log in
            guard var state = log else { return }
            add(kind, message, to: &state)
            log = state
        }
    }

    private static func add(_ kind: String, _ message: String, to state: inout State) {
        let plain = Redaction.redacted(SafeText.sanitised(message, limit: lineLimit), home: state.home)
        let text = "\(kind): \(plain)"
        guard text != state.last else { return }
        state.last = text
        let line = Array("\(UnixSeconds(Int64(time(nil))).iso8601) \(text)\n".utf8)
        if state.size + line.count > limit {
            rename(state.path, state.path + ".old")
            state.size = 0
        }
        let file = Glibc.open(state.path, flags, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        state.size += max(write(file, line, line.count), 0)
    }
}
