internal import Rhumb
internal import RhumbCommandLine

/// `rhumb archive patch`: makes and applies patches of archives.
struct PatchCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run(_ verb: PatchVerb) async throws -> Int32 {
        let path = try invocation.requiredOutput(), isReplacing = invocation[.force]
        let operands = invocation.operands, archives = verb == .make ? operands : [operands[0]]
        return try await invocation.withArchives(archives) { inputs in
            inputs.forEach(invocation.noteSize)
            let written = try await ArchiveWork.run(verb == .make ? "comparing" : "patching") {
                let summary =
                    verb == .make
                    ? try ArchivePatch.make(
                        from: inputs[0], to: inputs[1], at: path, isReplacing: isReplacing)
                    : try ArchivePatch.apply(operands[1], to: inputs[0], at: path, isReplacing: isReplacing)
                return WrittenArchive(patch: summary)
            }
            return try invocation.report(
                written, of: inputs, at: path, state: verb == .make ? "made" : "patched")
        }
    }
}

extension WrittenArchive {
    fileprivate init(patch: ArchivePatch.Summary) {
        self.init(summary: patch.archive, changed: patch.changed, common: patch.common)
    }
}
