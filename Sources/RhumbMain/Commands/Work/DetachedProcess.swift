internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// A process that survives its parent and the terminal.
enum DetachedProcess {
    /// Starts the process.
    /// - Parameter arguments: The words of the command line, beginning with the program's name.
    /// - Returns: The process id.
    /// - Throws: A sentence if the process can't be started.
    static func start(_ arguments: [String]) throws(Notice.Problem) -> pid_t {
        var start = ProgramStart(arguments, .ownSession)
        start.path = realpath("/proc/self/exe", nil).map { path in
            defer { free(path) }
            return String(cString: path)
        }
        start.environment = Environment.all.merging(URLCredentials.own.all) { _, typed in typed }
        let (process, problem) = start.begin()
        guard problem == 0 else {
            throw Notice.Problem("can't start a process: \(String(cString: strerror(problem)))")
        }
        return process
    }
}

extension Invocation {
    /// Runs a command in a separate process with the same stores, features and connection options.
    /// - Parameters:
    ///   - arguments: The command, without the program's name.
    ///   - watching: The command that shows its progress.
    func detach(_ arguments: [String], watching: String) throws -> Int32 {
        let process = try DetachedProcess.start(["rhumb"] + arguments + circumstances)
        try print(
            ["Running in process \(process). See the progress with \(watching)."],
            ["state": "started", "process": .integer(Int(process))])
        return ExitStatus.done
    }

    private var circumstances: [String] {
        let texts: [Option<String>] = [
            .cachePath, .dataPath, .config, .userAgent, .authorities, .endpoint, .cacheProxy,
        ]
        let numbers: [Option<Int>] = [.regionQuota, .cacheSize, .rate]
        let switches: [Option<Bool>] = [.offline, .metered, .cacheProxyOnly]
        var arguments: [String] = []
        for option in texts { arguments += self[option].map { ["--\(option.name)", $0] } ?? [] }
        for option in numbers { arguments += self[option].map { ["--\(option.name)", "\($0)"] } ?? [] }
        for option in switches where self[option] { arguments.append("--\(option.name)") }
        return arguments
    }
}
