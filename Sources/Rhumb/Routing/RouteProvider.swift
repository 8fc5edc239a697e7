internal import RhumbCore
internal import RhumbEngine
internal import RhumbOpening

/// A routing engine with its address and keys.
struct RouteProvider: Sendable {
    let engine: RouteEngine
    let access: ServiceAccess

    /// True if the engine runs on this machine. A provider's service never counts as local.
    var isLocal: Bool {
        engine.kind.mayBeStored && engine.bases.values.allSatisfy(\.isLoopback)
    }
}

extension RouteProvider {
    /// Creates the provider of a listed source.
    /// - Throws: `SourceFailure` if a key is missing.
    init(_ source: SourceDefinition, _ catalog: SourceCatalog) throws(SourceFailure) {
        guard let kind = source.kind.routing else {
            throw .definition(source: source.id, "it is a map, not a routing engine")
        }
        let addresses = try source.serverAddresses(environment: catalog.variable, configuration: catalog.key)
        guard let first = addresses.first else { throw .definition(source: source.id, "it has no URL") }
        let modes = source.modes.isEmpty ? (kind == .osrm ? [.car] : RouteMode.allCases) : source.modes
        var bases: [RouteMode: HTTPAddress] = [:]
        for (at, mode) in modes.enumerated() {
            bases[mode] = source.modes.isEmpty || !addresses.indices.contains(at) ? first : addresses[at]
        }
        engine = RouteEngine(
            kind, name: source.name, attribution: source.attribution, bases: bases,
            reachBase: kind == .here ? addresses.last : nil)
        access = ServiceAccess(
            source,
            SourceRules(
                id: source.id, connections: source.policy.connections,
                requestsPerSecond: source.policy.requestsPerSecond))
    }

    /// Creates the provider of an engine at an address that the user entered or that was found on this
    /// machine.
    init(_ kind: RouteEngineKind, at bases: [RouteMode: HTTPAddress]) {
        let host = bases.values.map(\.origin.lastPathName).min() ?? ""
        let name = "\(kind == .osrm ? "OSRM" : "Valhalla") at \(host)"
        engine = RouteEngine(kind, name: name, attribution: "© OpenStreetMap contributors", bases: bases)
        access = ServiceAccess(SourceRules(id: "routing:\(host)"))
    }
}

extension SourceDefinition {
    /// Returns all addresses of the source with their keys.
    /// - Throws: `SourceFailure`
    func serverAddresses(
        environment: (String) -> String?, configuration: (String) -> String?
    ) throws(SourceFailure) -> [HTTPAddress] {
        let secrets = try secrets(environment: environment, configuration: configuration)
        return try templates(environment: environment).map { $0.address(for: .world, secrets: secrets) }
    }
}
