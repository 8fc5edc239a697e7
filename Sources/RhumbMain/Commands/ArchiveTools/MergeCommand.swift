internal import Rhumb
internal import RhumbCommandLine

/// `rhumb archive merge`: unites archives.
struct MergeCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        let path = try invocation.requiredOutput()
        let rule = invocation[.onDuplicate].flatMap(ArchiveMerge.DuplicateRule.init) ?? .error
        return try await invocation.withArchives(invocation.operands) { inputs in
            inputs.forEach(invocation.noteSize)
            let merge = try ArchiveMerge(
                of: inputs, to: path, onDuplicate: rule, isReplacing: invocation[.force])
            let written = try await ArchiveWork.run("merging") {
                let summary = try merge.run()
                return WrittenArchive(summary: summary.archive, duplicates: summary.duplicates)
            }
            return try invocation.report(written, of: inputs, at: path, state: "merged")
        }
    }
}
