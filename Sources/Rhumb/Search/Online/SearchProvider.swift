internal import RhumbCore
internal import RhumbEngine
internal import RhumbOpening

/// A search service as it can be asked.
struct SearchProvider: Sendable {
    let service: OnlineSearchService
    let access: ServiceAccess

    /// A service of the list of sources.
    /// - Throws: `SourceFailure`, where a key is missing.
    init(_ source: SourceDefinition, _ catalog: SourceCatalog) throws(SourceFailure) {
        let addresses = try source.serverAddresses(environment: catalog.variable, configuration: catalog.key)
        guard let kind = source.kind.searching, let base = addresses.first else {
            throw .definition(source: source.id, "it is not a search service")
        }
        service = OnlineSearchService(kind, name: source.name, attribution: source.attribution, base: base)
        // Nobody types faster, and no service wants more.
        access = ServiceAccess(
            source,
            SourceRules(
                id: source.id, connections: 1, requestsPerSecond: min(source.policy.requestsPerSecond ?? 1, 1)
            ))
    }

    /// A service by its kind and address, as "photon=http://…": by the rules of its host; nil for other
    /// words.
    /// - Throws: `SourceFailure`, for an address that is none.
    init?(typed words: String, _ catalog: SourceCatalog) throws(SourceFailure) {
        let kind = String(words.prefix { $0 != "=" }), address = String(words.dropFirst(kind.count + 1))
        guard let kind = SourceDefinition.Kind(rawValue: kind), kind.searching != nil,
            SourceDefinition.isAddress(address)
        else { return nil }
        let host = HTTPAddress(address).host,
            known = try catalog.searchServices().first { $0.hosts.contains(host) }
        var source = SourceDefinition(
            id: known?.id ?? host, name: known?.name ?? host, addresses: [catalog.typedKeys.take(address)])
        if let known { source.policy = known.policy }
        source.kind = kind
        source.attribution = "© OpenStreetMap contributors"
        source.nameKeys()
        try self.init(catalog.providers.governed(source), catalog)
    }
}

extension SourceDefinition {
    fileprivate var hosts: [String] {
        ((try? templates()) ?? []).map { URLReference($0.canonical).host ?? "" }
    }
}
