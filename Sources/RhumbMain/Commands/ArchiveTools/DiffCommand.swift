internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb diff`: compares two archives. The exit statuses are those of diff(1).
struct DiffCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async -> Int32 {
        do {
            return try await compare()
        } catch {
            Output.say("rhumb: \(FailureText.sentence(error))")
            return ExitStatus.notCompared
        }
    }

    private func compare() async throws -> Int32 {
        let paths = invocation.operands, limit = invocation[.top] ?? 10
        let first = try invocation.archive(paths[0]), second = try invocation.archive(paths[1])
        switch try await ArchiveWork.run("comparing", { try ArchiveDiff(first, second, limit: limit) }) {
        case .interrupted(let signal): return 128 + signal
        case .done(let diff):
            try invocation.print(diff.lines(paths[0], paths[1]), diff.json(paths[0], paths[1]))
            return diff.isEqual ? ExitStatus.done : ExitStatus.different
        }
    }
}
