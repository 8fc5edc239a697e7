internal import CLinux
internal import Glibc

/// A child process whose standard output is read. It is killed when the object is deallocated.
public final class ChildProgram {
    public let process: Int32
    private let output: UnsafeMutablePointer<FILE>
    private var status: Int32?

    /// Starts a program.
    /// - Parameters:
    ///   - environment: The environment variables; nil for those of this process.
    ///   - errors: The file for standard error; nil for that of this process.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil, errors: String? = nil
    ) {
        var ends: [Int32] = [0, 0]
        // Programs that other tests start in the meantime must not hold the pipe open.
        guard pipe2(&ends, O_CLOEXEC) == 0, let reading = fdopen(ends[0], "r") else { fatalError("no pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if let errors {
            posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        var variables: [UnsafeMutablePointer<CChar>?] = environment?.map { strdup("\($0)=\($1)") } ?? []
        variables.append(nil)
        defer { variables.forEach { free($0) } }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let code =
            environment == nil
            ? posix_spawn(&process, program, &actions, nil, &words, environ)
            : posix_spawn(&process, program, &actions, nil, &words, variables)
        guard code == 0 else { fatalError("cannot start \(program)") }
        posix_spawn_file_actions_destroy(&actions)
        close(ends[1])
        self.process = process
        output = reading
    }

    deinit {
        kill()
        fclose(output)
    }

    /// Returns the next line without its line break; nil at the end of the output.
    public func readLine() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        let count = getline(&line, &size, output)
        guard count > 0, let line else { return nil }
        let text = String(cString: line)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// Returns all remaining lines.
    public func lines() -> [String] {
        var lines: [String] = []
        while let line = readLine() { lines.append(line) }
        return lines
    }

    /// Sends the process a signal.
    public func send(_ signal: Int32) { Glibc.kill(process, signal) }

    /// Kills the process with SIGKILL and waits until it has ended.
    public func kill() {
        guard status == nil else { return }
        Glibc.kill(process, SIGKILL)
        _ = wait()
    }

    /// True if the process has ended.
    public var hasEnded: Bool {
        if status != nil { return true }
        var word: Int32 = 0
        guard waitpid(process, &word, WNOHANG) == process else { return false }
        status = ChildProgram.code(word)
        return true
    }

    private static func code(_ word: Int32) -> Int32 {
        word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F
    }

    /// Waits until the process ends.
    /// - Returns: The exit code, or 128 plus the signal's number if the process was killed.
    public func wait() -> Int32 {
        if let status { return status }
        var word: Int32 = 0
        while waitpid(process, &word, 0) < 0 && errno == EINTR {}
        let code = ChildProgram.code(word)
        status = code
        return code
    }
}
