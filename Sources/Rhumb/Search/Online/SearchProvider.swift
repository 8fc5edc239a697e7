internal import RhumbCore
internal import RhumbEngine
internal import RhumbOpening

/// A search service with its address and keys.
struct SearchProvider: Sendable {
    let service: OnlineSearchService
    let access: ServiceAccess

    /// Creates the provider of a listed source.
    /// - Throws: `SourceFailure` if a key is missing.
    init(_ source: SourceDefinition, _ catalog: SourceCatalog) throws(SourceFailure) {
        let addresses = try source.serverAddresses(environment: catalog.variable, configuration: catalog.key)
        guard let kind = source.kind.searching, let base = addresses.first else {
            throw .definition(source: source.id, "it is not a search service")
        }
        service = OnlineSearchService(kind, name: source.name, attribution: source.attribution, base: base)
        // Faster than a user types, and within the limits of every service.
        access = ServiceAccess(
            source,
            SourceRules(
                id: source.id, connections: 1, requestsPerSecond: min(source.policy.requestsPerSecond ?? 1, 1)
            ))
    }

    /// Creates a provider from a kind and an address as in "photon=http://…", with the rules of its host.
    /// Returns nil for other words.
    /// - Throws: `SourceFailure` if the address is invalid.
    init?(typed specifier: String, _ catalog: SourceCatalog) throws(SourceFailure) {
        let kind = String(specifier.prefix { $0 != "=" }),
            address = String(specifier.dropFirst(kind.count + 1))
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
