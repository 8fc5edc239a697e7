internal import Rhumb
internal import RhumbBrowser

/// The sources opened last, a line each, the latest first.
struct RecentSources: Sendable {
    private let path: String
    private static let limit = 10

    /// nil where there is no home to keep them in.
    init?(_ folders: Folders) {
        guard let state = folders.state else { return nil }
        path = state + "/recent"
    }

    var words: [String] {
        let bytes = Files.read(path, limit: 1 << 16) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Remembers a source, without the keys in its address.
    func add(_ typed: String) {
        let source = TypedKeys.own.take(typed)
        guard !source.contains("\n") else { return }
        let all = [source] + words.filter { $0 != source }
        Files.makeFolder(String(path.dropLast("/recent".count)))
        try? Files.write(Array(all.prefix(RecentSources.limit).joined(separator: "\n").utf8), to: path)
    }
}

/// The sources a person may choose from.
enum SourceChoices {
    /// The embedded world, those opened lately, and those that have a name.
    static func list(_ catalog: SourceCatalog, _ recent: RecentSources?) -> [SourceChoice] {
        let named = (try? catalog.sources()) ?? []
        let known = Set(named.map(\.id) + [EmbeddedWorld.name])
        let lately = (recent?.words ?? []).filter { !known.contains($0) }
            .map { SourceChoice(words: $0, name: $0, note: "opened lately") }
        return [SourceChoice(words: EmbeddedWorld.name, name: "World", note: "embedded")]
            + named.map { choice($0, catalog) } + lately
    }

    private static func choice(_ source: SourceDefinition, _ catalog: SourceCatalog) -> SourceChoice {
        var choice = SourceChoice(words: source.id, name: source.name, note: note(source))
        choice.missingKey = catalog.missingKey(of: source)
        return choice
    }

    private static func note(_ source: SourceDefinition) -> String {
        let zooms = "z\(source.zooms.lowerBound)–\(source.zooms.upperBound)"
        return "\(zooms)  \(source.tileSize.rawValue) px  download \(source.policy.offline.rawValue)"
    }
}
