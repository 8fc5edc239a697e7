internal import CLinux
internal import Glibc

/// A program to start without standard input.
public struct ProgramStart: Sendable {
    /// The process group of a program.
    public enum Belonging: Sendable {
        /// A separate group in this session, so that the program and its children can be ended together. The
        /// program receives SIGHUP when the thread that started it ends, even if this process is killed.
        case ownGroup
        /// A separate session without a terminal. The program survives the end of this process.
        case ownSession
    }

    /// The program's name and its arguments.
    public let arguments: [String]
    /// The path of the program; nil to search for the name.
    public var path: String?
    /// The process group.
    let belonging: Belonging
    /// The environment; nil for that of this process.
    public var environment: [String: String]?
    /// The descriptor for the program's output; nil to discard it.
    public var output: Int32?
    /// The descriptor for the program's error output; nil to discard it.
    var complaints: Int32?
    // POSIX_SPAWN_SETSID, which Swift doesn't import.
    private static let ownSession: Int16 = 0x80

    /// - Parameter arguments: The program's name and its arguments.
    public init(_ arguments: [String], _ belonging: Belonging) {
        self.arguments = arguments
        self.belonging = belonging
    }

    /// Starts the program.
    /// - Returns: The process id, or the system's error number if the program could not be started.
    public func begin() -> (process: Int32, problem: Int32) {
        var texts = Self.texts(arguments),
            variables = Self.texts((environment ?? [:]).map { "\($0.key)=\($0.value)" })
        defer { for text in texts + variables { free(text) } }
        switch belonging {
        case .ownGroup: return beginInGroup(&texts, &variables)
        case .ownSession: return beginInSession(&texts, &variables)
        }
    }

    private typealias Texts = [UnsafeMutablePointer<CChar>?]

    private func beginInGroup(
        _ texts: inout Texts, _ variables: inout Texts
    ) -> (process: Int32, problem: Int32) {
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let descriptors = [null, output ?? null, complaints ?? null]
        let result =
            environment == nil
            ? start_ending_with_parent(SIGHUP, file, texts, environ, descriptors)
            : start_ending_with_parent(SIGHUP, file, texts, variables, descriptors)
        return result > 0 ? (result, 0) : (0, -result)
    }

    /// The path of the program, as the shell finds it.
    private var file: String {
        let name = path ?? arguments.first ?? ""
        guard !name.contains("/"), let folders = getenv("PATH") else { return name }
        return String(cString: folders).split(separator: ":").map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 } ?? name
    }

    private func beginInSession(
        _ texts: inout Texts, _ variables: inout Texts
    ) -> (process: Int32, problem: Int32) {
        var attributes = posix_spawnattr_t(), actions = posix_spawn_file_actions_t()
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        posix_spawnattr_setflags(&attributes, Self.ownSession)
        for (standard, own) in [(STDIN_FILENO, nil), (STDOUT_FILENO, output), (STDERR_FILENO, complaints)] {
            if let own {
                posix_spawn_file_actions_adddup2(&actions, own, standard)
            } else {
                posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
            }
        }
        var process: pid_t = 0
        let name = path ?? arguments.first ?? ""
        let problem =
            environment == nil
            ? posix_spawnp(&process, name, &actions, &attributes, &texts, environ)
            : posix_spawnp(&process, name, &actions, &attributes, &texts, &variables)
        return (process, problem)
    }

    /// Returns the texts as a C array, which the caller frees.
    private static func texts(_ arguments: [String]) -> Texts {
        arguments.map { strdup($0) } + [nil]
    }
}
