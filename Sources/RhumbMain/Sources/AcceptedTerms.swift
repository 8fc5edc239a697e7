internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The sources whose terms the user has accepted, and the hosts that the user agreed to contact, in a file
/// with one per line.
struct AcceptedTerms: Sendable {
    private let file: StateFile<[String]>?

    init(_ folders: Folders) {
        file = folders.state.map { StateFile($0 + "/agreed", .lines(limit: 1 << 16), isPrivate: true) }
    }

    /// True if the terms of a source are accepted.
    func holds(_ source: String) -> Bool { file?.load().value.contains(source) ?? false }

    /// The hosts that the user agreed to contact.
    var hosts: Set<String> {
        Set(
            (file?.load().value ?? []).filter { $0.hasPrefix(Self.hostPrefix) }.map {
                String($0.dropFirst(Self.hostPrefix.count))
            })
    }

    /// Adds hosts that may be contacted.
    /// - Throws: A sentence if the file can't be written.
    func add(hosts: [String]) throws(Notice.Problem) { for host in hosts { try add(Self.hostPrefix + host) } }

    private static let hostPrefix = "host "

    /// Adds a source.
    /// - Returns: A notice with the new name of a file that could not be parsed; usually nil.
    /// - Throws: A sentence if the file can't be written.
    @discardableResult
    func add(_ source: String) throws(Notice.Problem) -> Notice.Problem? {
        guard !holds(source) else { return nil }
        guard let file else { throw Notice.Problem("Can't store the agreement: \(Folders.missing)") }
        return try file.change { if !$0.contains(source) { $0.append(source) } }.warning
    }
}

extension Invocation {
    /// Accepts the terms of a source, as requested with `--agree`.
    /// - Parameter terms: A description of how the source may now be used.
    func agree(to name: String, among sources: [SourceDefinition], _ terms: String) throws -> Int32 {
        let asking = sources.filter(\.policy.needsAgreement)
        guard let source = asking.first(where: { $0.id == name }) else {
            throw UsageError("--agree: expected one of \(asking.map(\.id).joined(separator: ", "))")
        }
        let warning = try AcceptedTerms(Folders(environment: Environment.all)).add(name)
        if let warning { Output.say("rhumb: \(warning)") }
        let report: JSON = [
            "state": "accepted", "id": .string(source.id), "policyURL": .text(source.policy.policyURL),
        ]
        if self[.json] { try print(report) }
        Output.say("Accepted the rules of \(source.name) (\(source.policy.policyURL ?? "no URL")): \(terms)")
        return ExitStatus.done
    }
}
