internal import CDefaults
public import RhumbCore
public import RhumbEngine

/// The web sources that have a name: those that come with Rhumb, and the person's own; and the keys
/// they need.
public struct SourceCatalog: Sendable {
    /// Keys that were typed, which go before all others.
    public let typedKeys: URLCredentials
    /// The known providers, without the user's own if their list is invalid, which is reported when sources
    /// are read.
    public let providers: Providers
    private let own: Result<[SourceDefinition], SourceFailure>
    private let all: Lazy<[SourceDefinition]>
    private let environment: [String: String]
    /// A key by the name that the list of sources gives it; nil if there is none.
    public let key: @Sendable (String) -> String?

    /// - Parameters:
    ///   - own: an object with the array "sources"; they take the places of those they are called after.
    ///   - environment: the variables in which keys and base addresses are looked for.
    ///   - key: keys that are kept elsewhere, by name.
    ///   - typedKeys: those of the addresses that a person types.
    public init(
        own: JSON? = nil, environment: [String: String] = [:],
        key: @escaping @Sendable (String) -> String? = { _ in nil },
        typedKeys: URLCredentials = URLCredentials()
    ) {
        self.environment = environment
        self.key = key
        self.typedKeys = typedKeys
        let own: Result<[SourceDefinition], SourceFailure> = Result { () throws(SourceFailure) in
            try own.map { list throws(SourceFailure) in
                try SourceList.checkMembers(list)
                return try SourceList.read(list)
            }?.map { source in
                var source = source
                source.addresses = source.addresses.map(typedKeys.take)
                source.nameKeys()
                return source
            } ?? []
        }
        self.own = own
        let known = (try? own.get()) ?? [], providers = Providers { (SourceCatalog.shipped, known) }
        self.providers = providers
        all = Lazy { SourceList.merged(SourceCatalog.shipped, with: known).map(providers.governed) }
    }

    /// The key that was typed in place of a variable, or else the variable's value.
    public var variable: @Sendable (String) -> String? {
        { [environment, typedKeys] in typedKeys.all[$0] ?? environment[$0] }
    }

    /// All sources of maps, the person's own in place of those they are called after.
    /// - Throws: `SourceFailure`, when the person's own are wrong.
    public func sources() throws(SourceFailure) -> [SourceDefinition] {
        _ = try own.get()
        return all.value.filter(\.kind.isMap)
    }

    /// All routing engines that have a name, the person's own first.
    /// - Throws: `SourceFailure`, when the person's own are wrong.
    public func routeEngines() throws(SourceFailure) -> [SourceDefinition] {
        try ownFirst { $0.kind.routing != nil }
    }

    /// All search services that have a name, the person's own first.
    /// - Throws: `SourceFailure`, when the person's own are wrong.
    public func searchServices() throws(SourceFailure) -> [SourceDefinition] {
        try ownFirst { $0.kind.searching != nil }
    }

    private func ownFirst(_ isMeant: (SourceDefinition) -> Bool) throws(SourceFailure) -> [SourceDefinition] {
        let own = Set(try own.get().map(\.id)), meant = all.value.filter(isMeant)
        return meant.filter { own.contains($0.id) } + meant.filter { !own.contains($0.id) }
    }

    /// True if a source is in the list of sources, by its id.
    package func isNamed(_ source: SourceDefinition) -> Bool { all.value.contains { $0.id == source.id } }

    /// Returns true if a source is the user's own.
    package func isOwn(_ source: SourceDefinition) -> Bool {
        ((try? own.get()) ?? []).contains { $0.id == source.id }
    }

    /// The person's own maps; none where their list is wrong.
    package var ownSources: [SourceDefinition] {
        let own = Set(((try? own.get()) ?? []).map(\.id))
        return all.value.filter { own.contains($0.id) && $0.kind.isMap }
    }

    /// The source of that name, if there is one.
    /// - Throws: `SourceFailure`, when the person's own are wrong.
    public func source(named name: String) throws(SourceFailure) -> SourceDefinition? {
        _ = try own.get()
        // A path is no name.
        return name.contains("/") ? nil : try sources().first { $0.id == name }
    }

    /// The source that areas are downloaded from where the map on screen has none: one whose tiles are only
    /// downloaded and never requested for a view, the user's own first. Nil if there is none.
    public var downloadSource: SourceDefinition? {
        try? sources().last { !$0.policy.viewing && $0.policy.offline == .allowed }
    }

    /// The traffic services that are available with the known keys.
    public var traffic: TrafficSources {
        TrafficSources(environment: variable, configuration: key) { (try? sources()) ?? [] }
    }

    /// The environment variable of the first key that is missing; nil if all are there.
    public func missingKey(of source: SourceDefinition) -> String? {
        do throws(SourceFailure) {
            _ = try source.secrets(environment: variable, configuration: key)
            return nil
        } catch {
            if case .missingKey(_, let environment, _) = error { return environment }
            return nil
        }
    }

    /// Returns the key for a token in an address, of the keys that its server may receive.
    public func key(for token: String, in address: String) -> String? {
        let place = "\(URLReference(address).origin)/?key={\(token)}"
        guard var source = try? SourceDefinition(address: place) else { return nil }
        source.nameKeys([token])
        return (try? providers.governed(source).secrets(environment: variable, configuration: key))?[token]
    }

    /// The values of all variables that hold keys: never to be shown.
    public var secrets: [String] {
        _ = try? own.get()
        let variables = all.value.flatMap(\.keys).map(\.environment)
        let ownServers = environment.keys.filter { $0.hasPrefix(SourceDefinition.Key.variablePrefix) }
        return (variables + ownServers).compactMap { environment[$0] }
    }

    /// Those that come with Rhumb.
    public static let shipped: [SourceDefinition] = (try? SourceList.parse(rhumb_asset_sources().array)) ?? []
}
