internal import Rhumb
internal import RhumbCommandLine

/// `rhumb patch`: makes and applies patches of archives.
struct PatchCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run(_ verb: PatchVerb) async throws -> Int32 {
        let path = try invocation.requiredOutput(), isReplacing = invocation[.force]
        let operands = invocation.operands, old = try invocation.archive(operands[0])
        switch verb {
        case .make:
            let new = try invocation.archive(operands[1])
            let outcome = try await ArchiveWork.run("comparing") {
                try WrittenArchive(
                    patch: ArchivePatch.make(from: old, to: new, at: path, isReplacing: isReplacing))
            }
            return try invocation.report(outcome, at: path, state: "made")
        case .apply:
            let outcome = try await ArchiveWork.run("patching") {
                try WrittenArchive(
                    patch: ArchivePatch.apply(operands[1], to: old, at: path, isReplacing: isReplacing))
            }
            return try invocation.report(outcome, at: path, state: "patched")
        }
    }
}

extension WrittenArchive {
    fileprivate init(patch: ArchivePatch.Summary) {
        self.init(summary: patch.archive, changed: patch.changed, common: patch.common)
    }
}
