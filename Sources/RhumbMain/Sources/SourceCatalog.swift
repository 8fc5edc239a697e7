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
    }

    /// The process's variable of a name.
    var variable: @Sendable (String) -> String? { { [environment] in environment[$0] } }
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
            let shipped = try SourceList.parse(SourceCatalog.embedded)
            guard let own = configuration?.sources else { return shipped }
            return SourceList.merged(shipped, with: try SourceList.read(own))
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    /// The source of that name, if there is one.
    func source(named name: String) throws(Notice.Problem) -> SourceDefinition? {
        try sources().first { $0.id == name }
    }

    /// The rules of the provider at an address: they hold however a source of his is named.
    func policy(ofHostOf address: String) throws(Notice.Problem) -> SourcePolicy? {
        let host = HTTPAddress(address).host
        return try sources().first { source in
            (try? source.templates(environment: variable))?.contains { HTTPAddress($0.canonical).host == host } == true
        }?.policy
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

    private static var embedded: [UInt8] {
        Array(UnsafeBufferPointer(start: rhumb_asset_sources(), count: rhumb_asset_sources_size()))
    }
}
