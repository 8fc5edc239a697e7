internal import CAssets
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The web sources that have a name: those that come with Rhumb, and the person's own.
struct SourceCatalog: Sendable {
    private let configuration: Configuration?
    let environment: [String: String]

    init(_ configuration: Configuration?, _ environment: [String: String]) {
        self.configuration = configuration
        self.environment = environment
        let variables = (try? sources())?.flatMap(\.keys).map(\.environment) ?? []
        let ownServers = environment.keys.filter { $0.hasPrefix(SourceDefinition.Key.variablePrefix) }
        Output.hide((variables + ownServers).compactMap { environment[$0] })
    }

    /// The process's variable of a name, or the key that was typed in its place.
    var variable: @Sendable (String) -> String? { { [environment] in TypedKeys.all[$0] ?? environment[$0] } }
    /// The configuration file's key of a name.
    var key: @Sendable (String) -> String? { { [configuration] in configuration?.key($0) } }

    /// Where traffic comes from, by the keys that are there.
    var traffic: TrafficSources {
        TrafficSources(definitions: (try? sources()) ?? [], environment: variable, configuration: key)
    }

    /// All sources, the person's own in place of those they are called after.
    /// - Throws: a sentence, when the configuration's are wrong.
    func sources() throws(Notice.Problem) -> [SourceDefinition] {
        do throws(SourceFailure) {
            return SourceList.merged(SourceCatalog.shipped, with: try own()).map(providers.governed)
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    /// The person's own, without the keys in their addresses.
    private func own() throws(SourceFailure) -> [SourceDefinition] {
        guard let list = configuration?.sources else { return [] }
        return try SourceList.read(list).map { source in
            var source = source
            source.addresses = source.addresses.map(TypedKeys.take)
            source.nameKeys()
            return source
        }
    }

    /// The source of that name, if there is one.
    func source(named name: String) throws(Notice.Problem) -> SourceDefinition? {
        try sources().first { $0.id == name }
    }

    /// What is known of providers; nothing of the person's own where the configuration is wrong,
    /// which is said when sources are read.
    var providers: Providers {
        Providers(shipped: SourceCatalog.shipped, own: (try? own()) ?? [])
    }

    /// What to say when words name nothing.
    func unknown(_ words: String) -> Notice.Problem {
        let names = ((try? sources()) ?? []).map(\.id) + [EmbeddedWorld.name]
        let guess = names.nearest(to: words).map { "did you mean \($0)?" } ?? "rhumb source list shows the names"
        return Notice.Problem("there is no file and no source called \(words); \(guess)")
    }

    /// The environment variable of the first key that is missing; nil if all are there.
    func missingKey(of source: SourceDefinition) -> String? {
        do throws(SourceFailure) {
            _ = try source.secrets(environment: variable, configuration: key)
            return nil
        } catch {
            if case .missingKey(_, let environment, _) = error { return environment }
            return nil
        }
    }

    /// Those that come with Rhumb.
    static let shipped = (try? SourceList.parse(embedded)) ?? []

    private static var embedded: [UInt8] {
        Array(UnsafeBufferPointer(start: rhumb_asset_sources(), count: rhumb_asset_sources_size()))
    }
}

extension WebSourceOpener {
    /// With the keys and the rules of a catalogue.
    init(_ loader: DocumentLoader, _ catalog: SourceCatalog) {
        self.init(
            loader: loader, environment: catalog.variable, keys: catalog.key, probe: TileProbes.header,
            providers: catalog.providers)
    }
}
