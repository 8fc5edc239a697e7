internal import Rhumb
internal import RhumbBrowser

/// The most recently opened sources, newest first, in a file with one source per line.
struct RecentSources: Sendable {
    private let file: StateFile<[String]>
    private static let limit = 10

    /// Returns nil without a home folder.
    init?(_ folders: Folders) {
        guard let state = folders.state else { return nil }
        file = StateFile(state + "/recent", .lines(limit: 1 << 16))
    }

    var specifiers: [String] { file.load().value }

    /// Adds a source without the keys in its address. It is not an error if the file can't be written.
    /// - Returns: A notice with the new name of a file that could not be parsed; usually nil.
    @discardableResult
    func add(_ typed: String) -> Notice.Problem? {
        let source = URLCredentials.own.take(typed)
        guard !source.contains("\n") else { return nil }
        let changed = try? file.change { specifiers in
            specifiers = Array(([source] + specifiers.filter { $0 != source }).prefix(Self.limit))
        }
        return changed?.warning
    }
}

/// The sources that the user may choose from.
enum SourceChoices {
    /// Returns the embedded world, the named sources, and those opened recently.
    static func list(_ catalog: SourceCatalog, _ recent: RecentSources?) -> [SourceChoice] {
        let named = (try? catalog.sources()) ?? []
        let ids = Set(named.map(\.id) + [EmbeddedWorld.name])
        let lately = (recent?.specifiers ?? []).filter { !ids.contains($0) }
            .map { SourceChoice(specifier: $0, name: $0, note: "opened recently") }
        return [SourceChoice(specifier: EmbeddedWorld.name, name: "World", note: "embedded")]
            + named.map { choice($0, catalog) } + lately
    }

    private static func choice(_ source: SourceDefinition, _ catalog: SourceCatalog) -> SourceChoice {
        var choice = SourceChoice(specifier: source.id, name: source.name, note: note(source))
        choice.missingKey = catalog.missingKey(of: source)
        return choice
    }

    private static func note(_ source: SourceDefinition) -> String {
        let zooms = "z\(source.zooms.lowerBound)–\(source.zooms.upperBound)"
        return "\(zooms)  \(source.tileSize.rawValue) px  download \(source.policy.offline.rawValue)"
    }
}
