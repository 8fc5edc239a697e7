internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The sources whose rules a person has agreed to, once and for all.
struct SourceAgreements: Sendable {
    private let folder: String?
    private var path: String? { folder.map { $0 + "/agreed" } }

    init(_ folders: Folders) { folder = folders.state }

    private var all: [String] {
        let bytes = path.flatMap { Files.read($0, limit: 1 << 14) } ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether a source is among them.
    func holds(_ source: String) -> Bool { all.contains(source) }

    /// Adds a source.
    /// - Throws: where that can't be kept.
    func add(_ source: String) throws(Notice.Problem) {
        guard !holds(source) else { return }
        guard let folder, let path else { throw Notice.Problem("the agreement can't be kept: there is no folder for it; set HOME") }
        Files.makeFolder(folder)
        do {
            try Files.write(Array(((all + [source]).joined(separator: "\n") + "\n").utf8), to: path, isPrivate: true)
        } catch {
            throw Notice.Problem("the agreement can't be kept: \(error)")
        }
    }
}

extension Invocation {
    /// Agrees to the rules of a source, as `--agree` asks for.
    /// - Parameter terms: how it may be asked from now on.
    func agree(to name: String, among sources: [SourceDefinition], _ terms: String) throws -> Int32 {
        let asking = sources.filter(\.policy.needsAgreement)
        guard let source = asking.first(where: { $0.id == name }) else {
            throw UsageError("--agree takes one of \(asking.map(\.id).joined(separator: ", "))")
        }
        try SourceAgreements(Folders(environment: Environment.all)).add(name)
        Output.say("agreed: \(source.name) may be asked, by its rules (\(source.policy.policyURL ?? "none told")): \(terms)")
        return ExitStatus.done
    }
}
