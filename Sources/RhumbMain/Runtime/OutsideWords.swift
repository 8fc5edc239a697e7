internal import Rhumb
internal import RhumbBrowser

/// Completes words that name sources, styles and files.
struct OutsideWords: Sendable {
    let opener: MapOpener
    let recent: RecentSources?
    let home: String?
    /// The maximum number of files shown for a folder.
    private static let limit = 500

    func completions(_ question: CompletionQuestion) -> [Completion] {
        switch question.kind {
        case .engines, .searchServices: names(question)
        case .sources, .styles, .folders: names(question) + files(question)
        }
    }

    private func names(_ question: CompletionQuestion) -> [Completion] {
        guard question.folder.isEmpty else { return [] }
        switch question.kind {
        case .sources:
            return SourceChoices.list(opener.catalog, recent).map { choice in
                let key = choice.missingKey.map { "needs key \($0)" }
                return Completion(
                    choice.specifier,
                    [choice.name, key ?? choice.note].filter { $0 != choice.specifier }.joined(
                        separator: ", "))
            }
        case .styles: return opener.styleNames.map { Completion($0, "style") }
        case .folders: return []
        case .engines: return completions(of: (try? opener.catalog.routeEngines()) ?? [])
        case .searchServices: return completions(of: (try? opener.catalog.searchServices()) ?? [])
        }
    }

    private func completions(of services: [SourceDefinition]) -> [Completion] {
        services.map { service in
            let note =
                opener.catalog.missingKey(of: service).map { "needs key \($0)" }
                ?? (service.policy.needsAgreement ? "volunteers, asks first" : "")
            return Completion(
                service.id, [service.name, note].filter { !$0.isEmpty }.joined(separator: ", "))
        }
    }

    private func files(_ question: CompletionQuestion) -> [Completion] {
        let folder = HomeFolder.expanded(question.folder, home)
        return Files.names(in: folder.isEmpty ? "." : folder).prefix(Self.limit).compactMap { name in
            if Files.isFolder(folder + name) { return Completion(question.folder + name + "/", "folder") }
            return question.kind.help(forFile: name).map { Completion(question.folder + name, $0) }
        }
    }
}

extension CompletionQuestion.Kind {
    /// Returns the kind of a file; nil if it is not wanted.
    fileprivate func help(forFile name: String) -> String? {
        let isJSON = name.lowercased().hasSuffix(".json")
        return switch self {
        case .sources: ArchiveContainer(path: name)?.name ?? (isJSON ? "TileJSON or style" : nil)
        case .styles: isJSON ? "style" : nil
        case .folders, .engines, .searchServices: nil
        }
    }
}

/// Expands the user's home folder in texts typed in the program and in the configuration, where no shell does
/// so.
enum HomeFolder {
    /// Returns the text with a leading "~/" replaced by the home folder.
    static func expanded(_ text: String, _ home: String?) -> String {
        guard let home, text.hasPrefix("~/") else { return text }
        return home + text.dropFirst()
    }

    /// Returns a value with all its texts expanded.
    static func expanded(_ value: JSON, _ home: String?) -> JSON {
        switch value {
        case .string(let text): .string(expanded(text, home))
        case .array(let values): .array(values.map { expanded($0, home) })
        case .object(let members):
            .object(members.names.reduce(into: members) { $0[$1] = $0[$1].map { expanded($0, home) } })
        default: value
        }
    }
}
