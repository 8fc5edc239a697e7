internal import Glibc
internal import Rhumb
internal import Synchronization

/// One line about a region under way: overwritten on a terminal, else written now and then.
final class ProgressMeter: Sendable {
    private struct State {
        var progress: DownloadProgress?
        var record: RegionRecord?
        var shown = -100.0
        var width = 0
        /// What was said of its state.
        var standing = ""
    }
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    func show(_ record: RegionRecord, isTerminal: Bool) {
        let now = start.duration(to: .now) / .seconds(1)
        let line: String? = state.withLock { state in
            note(record, now, &state)
            let standing = ProgressMeter.standing(record)
            guard standing != state.standing || now - state.shown >= (isTerminal ? 0.2 : 10) else { return nil }
            (state.shown, state.standing) = (now, standing)
            let text = "\(record.id) " + (state.progress?.text(at: now) ?? "") + " · \(record.resources.text)" + standing
            let padding = String(repeating: " ", count: max(state.width - text.count, 0))
            state.width = text.count
            return isTerminal ? "\r\(text)\(padding)" : text + "\n"
        }
        if let line { ProgressMeter.write(line) }
    }

    /// Why nothing comes just now; empty while it goes on.
    private static func standing(_ record: RegionRecord) -> String {
        let words = [record.state == .running ? "" : record.state.word, record.reason].filter { !$0.isEmpty }
        return words.isEmpty ? "" : " · " + words.joined(separator: ": ")
    }

    /// The rate counts what came since this process began.
    private func note(_ record: RegionRecord, _ now: Double, _ state: inout State) {
        guard let old = state.record else {
            state.record = record
            state.progress = DownloadProgress(total: record.planned - record.settled + record.failed)
            return
        }
        state.record = record
        func more(_ count: (RegionPart) -> Int) -> Int {
            max(record.parts.reduce(0) { $0 + count($1) } - old.parts.reduce(0) { $0 + count($1) }, 0)
        }
        let came = more(\.done) + more(\.unchanged), bytes = more(\.bytes) / max(came + more(\.reused), 1)
        for (count, outcome) in [
            (came, .done(bytes: bytes)), (more(\.reused), .reused), (more(\.absent), .absent), (more(\.failed), .failed),
        ] as [(Int, DownloadProgress.Outcome)] {
            for _ in 0..<count { state.progress?.note(outcome, at: now) }
        }
    }

    func end(isTerminal: Bool) {
        if isTerminal, state.withLock({ $0.width }) > 0 { ProgressMeter.write("\n") }
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

extension RegionResources {
    /// "15 of 16 resources at hand, 1.2 MB; 9 loaded, 900 kB"
    var text: String {
        "\(AmountText.count(completed)) of \(AmountText.count(required)) resources at hand, \(AmountText.bytes(completedBytes)); "
            + "\(AmountText.count(loaded)) loaded, \(AmountText.bytes(loadedBytes))"
    }

    var json: JSON {
        [
            "required": .integer(required), "completed": .integer(completed), "completedBytes": .integer(completedBytes),
            "loaded": .integer(loaded), "loadedBytes": .integer(loadedBytes), "errored": .integer(errored),
        ]
    }
}

/// Which signal came.
final class SignalState: Sendable {
    private let number = Mutex<Int32?>(nil)
    var caught: Int32? { number.withLock { $0 } }
    func note(_ signal: Int32) { number.withLock { $0 = signal } }
}

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
