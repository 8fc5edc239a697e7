internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// A process that lives on when its parent and the terminal are gone.
enum DetachedProcess {
    /// - Parameter words: of the command line, the program's own name first.
    /// - Returns: its number; nil if it could not be started.
    static func start(_ words: [String]) -> pid_t? {
        var attributes = posix_spawnattr_t(), actions = posix_spawn_file_actions_t()
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        // POSIX_SPAWN_SETSID, which Swift does not import: a session of its own, without a terminal.
        posix_spawnattr_setflags(&attributes, 0x80)
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var arguments = words.map { strdup($0) } + [nil]
        let environment = Environment.all.merging(TypedKeys.own.all) { _, typed in typed }
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let path = String(cString: realpath("/proc/self/exe", nil) ?? strdup("rhumb"))
        return posix_spawn(&process, path, &actions, &attributes, &arguments, &variables) == 0 ? process : nil
    }
}

extension Invocation {
    /// Has a process of its own do what other words say, with the stores, features and connection of these.
    /// - Parameters:
    ///   - words: a command, without the program's name.
    ///   - watching: the words that tell how far it is.
    func detach(_ words: [String], watching: String) throws -> Int32 {
        guard let process = DetachedProcess.start(["rhumb"] + words + circumstances) else {
            throw Notice.Problem("no process could be started: \(String(cString: strerror(errno)))")
        }
        try Output.print(
            self[.json]
                ? (["process": .integer(Int(process))] as JSON).text + "\n"
                : "process \(process) goes on with it; \(watching) tells how far it is\n")
        return ExitStatus.done
    }

    private var circumstances: [String] {
        let texts: [Option<String>] = [.cachePath, .dataPath, .config, .userAgent, .authorities]
        let numbers: [Option<Int>] = [.regionQuota, .cacheSize, .rate]
        let switches: [Option<Bool>] = [.offline, .metered]
        var words: [String] = []
        for option in texts { words += self[option].map { ["--\(option.name)", $0] } ?? [] }
        for option in numbers { words += self[option].map { ["--\(option.name)", "\($0)"] } ?? [] }
        for option in switches where self[option] { words.append("--\(option.name)") }
        return words
    }
}
