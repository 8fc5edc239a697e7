internal import CDefaults
public import RhumbCore
public import RhumbEngine

/// The named web sources, both Rhumb's and the user's own, with the keys they need.
public struct SourceCatalog: Sendable {
    /// The keys that the user typed. They take precedence over all others.
    public let typedKeys: URLCredentials
    /// The known providers, without the user's own if their list is invalid. Reading the sources reports that
    /// error.
    public let providers: Providers
    private let own: Result<[SourceDefinition], SourceFailure>
    private let all: Lazy<[SourceDefinition]>
    private let environment: [String: String]
    /// Returns a key by its name in the list of sources; nil if there is none.
    public let key: @Sendable (String) -> String?

    /// Creates a catalogue.
    /// - Parameters:
    ///   - own: An object with the array "sources". Each replaces Rhumb's source of the same id.
    ///   - location: Returns the file and line of a source by its index in the array, or nil for none. For a
    ///     nil index, returns those of the array.
    ///   - environment: The variables that may have keys and base addresses.
    ///   - key: Returns keys that are stored elsewhere, by name.
    ///   - typedKeys: The keys in addresses that the user types.
    public init(
        own: JSON? = nil, location: (_ index: Int?) -> String? = { _ in nil },
        environment: [String: String] = [:],
        key: @escaping @Sendable (String) -> String? = { _ in nil },
        typedKeys: URLCredentials = URLCredentials()
    ) {
        self.environment = environment
        self.key = key
        self.typedKeys = typedKeys
        let own: Result<[SourceDefinition], SourceFailure> = Result { () throws(SourceFailure) in
            try own.map { list throws(SourceFailure) in
                try SourceList.checkMembers(list)
                let sources = try SourceList.read(list)
                var ids: Set<String> = []
                if let twice = sources.first(where: { !ids.insert($0.id).inserted }) {
                    throw .definition(source: twice.id, "is defined twice; keep one")
                }
                return sources
            }?.map { source in
                var source = source
                source.addresses = source.addresses.map(typedKeys.take)
                source.nameKeys()
                return source
            } ?? []
        }.mapError { failure in
            let line = location(own.flatMap(SourceList.invalidIndex))
            return line.map { .document("\($0): \(failure)") } ?? failure
        }
        self.own = own
        let configured = (try? own.get()) ?? [], providers = Providers { (SourceCatalog.shipped, configured) }
        self.providers = providers
        all = Lazy { SourceList.merged(SourceCatalog.shipped, with: configured).map(providers.governed) }
    }

    /// Returns the key that was typed instead of a variable, or else the variable's value.
    public var variable: @Sendable (String) -> String? {
        { [environment, typedKeys] in typedKeys.all[$0] ?? environment[$0] }
    }

    /// Returns all map sources. The user's own replace Rhumb's of the same id.
    /// - Throws: `SourceFailure` if the user's own sources are invalid.
    public func sources() throws(SourceFailure) -> [SourceDefinition] {
        _ = try own.get()
        return all.value.filter(\.kind.isMap)
    }

    /// Returns all named routing engines, the user's own first.
    /// - Throws: `SourceFailure` if the user's own sources are invalid.
    public func routeEngines() throws(SourceFailure) -> [SourceDefinition] {
        try ownFirst { $0.kind.routing != nil }
    }

    /// Returns all named search services, the user's own first.
    /// - Throws: `SourceFailure` if the user's own sources are invalid.
    public func searchServices() throws(SourceFailure) -> [SourceDefinition] {
        try ownFirst { $0.kind.searching != nil }
    }

    private func ownFirst(_ isMeant: (SourceDefinition) -> Bool) throws(SourceFailure) -> [SourceDefinition] {
        let own = Set(try own.get().map(\.id)), meant = all.value.filter(isMeant)
        return meant.filter { own.contains($0.id) } + meant.filter { !own.contains($0.id) }
    }

    /// Returns true if the list of sources has a source of the same id.
    package func isNamed(_ source: SourceDefinition) -> Bool { all.value.contains { $0.id == source.id } }

    /// Returns true if a source is the user's own.
    package func isOwn(_ source: SourceDefinition) -> Bool {
        ((try? own.get()) ?? []).contains { $0.id == source.id }
    }

    /// The user's own maps; empty if their list is invalid.
    package var ownSources: [SourceDefinition] {
        let own = Set(((try? own.get()) ?? []).map(\.id))
        return all.value.filter { own.contains($0.id) && $0.kind.isMap }
    }

    /// Returns the source of that name, if there is one.
    /// - Throws: `SourceFailure` if the user's own sources are invalid.
    public func source(named name: String) throws(SourceFailure) -> SourceDefinition? {
        _ = try own.get()
        // A path is not a name.
        return name.contains("/") ? nil : try sources().first { $0.id == name }
    }

    /// The source for downloading areas if the map on screen has none: one whose tiles are only downloaded
    /// and never requested for a view. The user's own take precedence. Nil if there is none.
    public var downloadSource: SourceDefinition? {
        try? sources().last { !$0.policy.viewing && $0.policy.offline == .allowed }
    }

    /// The traffic services that are available with the known keys.
    public var traffic: TrafficSources {
        TrafficSources(environment: variable, configuration: key) { (try? sources()) ?? [] }
    }

    /// Returns the environment variable of the first missing key; nil if no key is missing.
    public func missingKey(of source: SourceDefinition) -> String? {
        do throws(SourceFailure) {
            _ = try source.secrets(environment: variable, configuration: key)
            return nil
        } catch {
            if case .missingKey(_, let environment, _) = error { return environment }
            return nil
        }
    }

    /// Returns the key for a token in an address, if the address's server may receive it.
    public func key(for token: String, in address: String) -> String? {
        let url = "\(URLReference(address).origin)/?key={\(token)}"
        guard var source = try? SourceDefinition(address: url) else { return nil }
        source.nameKeys([token])
        return (try? providers.governed(source).secrets(environment: variable, configuration: key))?[token]
    }

    /// The values of all variables with keys. They must never be shown.
    public var secrets: [String] {
        _ = try? own.get()
        let variables = all.value.flatMap(\.keys).map(\.environment)
        let ownServers = environment.keys.filter { $0.hasPrefix(SourceDefinition.Key.variablePrefix) }
        return (variables + ownServers).compactMap { environment[$0] }
    }

    /// The sources that come with Rhumb.
    public static let shipped: [SourceDefinition] = (try? SourceList.parse(rhumb_asset_sources().array)) ?? []
}
