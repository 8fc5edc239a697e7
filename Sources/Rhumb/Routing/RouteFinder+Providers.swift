internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import Synchronization

/// Choosing the routing engine.
extension RouteFinder {
    /// The default addresses of local engines.
    private static let usualURLs = ["http://127.0.0.1:8002", "http://127.0.0.1:5000"]
    /// The time limit for detecting the kind of a server.
    private static let timeLimit = Duration.seconds(3)

    /// Returns the engines at the default addresses of this machine, with their kinds.
    public func running() async -> [(name: String, address: String)] {
        var running: [(name: String, address: String)] = []
        for address in Self.usualURLs {
            guard let kind = try? await kind(at: HTTPAddress(address)) else { continue }
            running.append((kind == .osrm ? "OSRM" : "Valhalla", address))
        }
        return running
    }

    /// Returns the named engine, or else the best available one.
    /// - Throws: `RouteFailure`
    func provider(
        _ specifiers: [String], for mode: RouteMode, needsReach: Bool = false
    ) async throws(RouteFailure) -> RouteProvider {
        guard specifiers.isEmpty else { return try await named(specifiers) }
        if let near = try await nearProvider(for: mode, needsReach) { return near }
        return try service(for: mode, needsReach)
    }

    /// Returns the user's own engine, or else one on this machine; nil if there is none.
    func nearProvider(for mode: RouteMode, _ needsReach: Bool) async throws(RouteFailure) -> RouteProvider? {
        if let own = best(try engines().filter(catalog.isOwn), mode, needsReach) { return own }
        return await local(mode, needsReach)
    }

    private func best(_ sources: [SourceDefinition], _ mode: RouteMode, _ needsReach: Bool) -> RouteProvider?
    {
        sources.lazy.compactMap { try? RouteProvider($0, self.catalog) }.first { $0.serves(mode, needsReach) }
    }

    /// Returns a service whose key is set or whose terms are accepted.
    /// - Throws: `RouteFailure` if there is none.
    func service(for mode: RouteMode, _ needsReach: Bool) throws(RouteFailure) -> RouteProvider {
        func best(_ sources: [SourceDefinition]) -> RouteProvider? { self.best(sources, mode, needsReach) }
        let others = try engines().filter { !catalog.isOwn($0) }
        if let keyed = best(others.filter { !$0.keys.isEmpty && catalog.missingKey(of: $0) == nil }) {
            return keyed
        }
        if let agreed = best(others.filter { $0.policy.needsAgreement && hasAgreed($0.id) }) { return agreed }
        throw client.isOffline
            ? .offline(
                "no map of these places is stored, no local routing engine is running, and the network")
            : .noEngine
    }

    /// Returns the engine for heights: the named one if it provides heights, or else one on this machine.
    func heightProvider(_ specifiers: [String]) async throws(RouteFailure) -> RouteProvider {
        if let provider = try? await provider(specifiers, for: .car), provider.engine.kind == .valhalla {
            return provider
        }
        for address in Self.usualURLs.map({ HTTPAddress($0) }) {
            guard let kind = try? await kind(at: address), kind == .valhalla else { continue }
            return RouteProvider(kind, at: RouteProvider.bases(of: kind, address))
        }
        guard !Task.isCancelled else { throw .cancelled }
        throw .unsupported(
            "no heights are stored along this route, and no Valhalla server with elevation data is available")
    }

    private func engines() throws(RouteFailure) -> [SourceDefinition] {
        return try converting(catalog.routeEngines()) { (error: SourceFailure) in
            RouteFailure.unsupported("\(error)")
        }
    }

    // MARK: Engines on this machine

    private func local(_ mode: RouteMode, _ needsReach: Bool) async -> RouteProvider? {
        if let cached = found.withLock({ $0 }), cached.serves(mode, needsReach) { return cached }
        for address in Self.usualURLs.map({ HTTPAddress($0) }) {
            guard let kind = try? await kind(at: address) else { continue }
            let provider = RouteProvider(kind, at: RouteProvider.bases(of: kind, address))
            guard provider.serves(mode, needsReach) else { continue }
            found.withLock { $0 = provider }
            return provider
        }
        return nil
    }

    // MARK: Named engines

    /// Checks the names and the form of the addresses of engines. Nothing is requested.
    /// - Throws: `RouteFailure.unsupported` for an unknown name or mode.
    public func check(_ engines: [String]) throws(RouteFailure) {
        if engines.count == 1, Self.isName(engines[0]) {
            if engines[0] != Self.tilesName { _ = try listed(engines[0]) }
        } else {
            for engine in engines { _ = try Self.parts(engine) }
        }
    }

    private static func isName(_ word: String) -> Bool {
        !SourceDefinition.isAddress(word) && !word.contains("=")
    }

    /// Returns the engine with a name, or the engines at the given addresses. An address may be preceded by
    /// the mode that it serves.
    private func named(_ specifiers: [String]) async throws(RouteFailure) -> RouteProvider {
        if specifiers.count == 1, Self.isName(specifiers[0]) { return try listed(specifiers[0]) }
        var bases: [RouteMode: HTTPAddress] = [:], kinds: Set<RouteEngineKind> = []
        for specifier in specifiers {
            let (mode, address) = try Self.parts(specifier)
            if let provider = try? engines().compactMap({ try? RouteProvider($0, catalog) }).first(where: {
                $0.isAt(address)
            }) {
                return provider
            }
            let kind = try await kind(at: address)
            kinds.insert(kind)
            if let mode {
                bases[mode] = address
            } else {
                bases.merge(RouteProvider.bases(of: kind, address)) { old, _ in old }
            }
        }
        guard kinds.count == 1, let kind = kinds.first else {
            throw .unsupported("engines of different kinds can't be combined")
        }
        return RouteProvider(kind, at: bases)
    }

    private static func parts(_ word: String) throws(RouteFailure) -> (RouteMode?, HTTPAddress) {
        let name = String(word.prefix { $0 != "=" }), rest = String(word.dropFirst(name.count + 1))
        let isMarked = !rest.isEmpty && !name.contains(":")
        if isMarked, RouteMode(rawValue: name) == nil {
            throw .unsupported(
                "unknown mode \(name): use "
                    + "\(RouteMode.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let address = isMarked ? rest : word
        guard SourceDefinition.isAddress(address) else {
            throw .unsupported("\(address) is neither the name of an engine nor an http URL")
        }
        return (isMarked ? RouteMode(rawValue: name) : nil, HTTPAddress(address))
    }

    private func listed(_ name: String) throws(RouteFailure) -> RouteProvider {
        let all = try engines()
        guard let source = all.first(where: { $0.id == name }) else {
            throw .unsupported(
                "unknown routing engine \(name): use "
                    + ([Self.tilesName] + all.map(\.id)).joined(separator: ", ") + ", or a URL")
        }
        return try converting(RouteProvider(source, catalog)) { (error: SourceFailure) in
            RouteFailure.unsupported("\(error)")
        }
    }

    /// Returns the kind of the engine at an address. Valhalla reports its status, whereas OSRM rejects the
    /// request in its own format.
    private func kind(at address: HTTPAddress) async throws(RouteFailure) -> RouteEngineKind {
        let isLocal = address.isLoopback,
            passes = isLocal || configuration().passThroughFeatures.contains(.onlineRouting)
        guard passes || !client.isOffline else { throw .offline("\(address)") }
        let status = HTTPAddress(address.url.withoutFinalSlash + "/status", secrets: address.secrets)
        let request = HTTPRequest(service: status, passes: passes, within: Self.timeLimit)
        let body: [UInt8]
        do throws(HTTPFailure) {
            body = try await client.send(request).body
        } catch {
            if let host = error.lostHost { throw .noNetwork(host: host) }
            guard error.status != nil else { throw .unreachable("\(error)") }
            body = error.body
        }
        guard let json = try? JSON.parse(body) else {
            throw .unreachable("\(address): the server is not a routing engine")
        }
        if json["available_actions"] != nil || json["tileset_last_modified"] != nil { return .valhalla }
        guard json["code"]?.string != nil else {
            throw .unreachable("\(address): the server is not a routing engine")
        }
        return .osrm
    }
}

extension RouteProvider {
    /// Returns an engine's address for each mode. An OSRM engine serves only the mode for which it was
    /// started, usually cars.
    static func bases(of kind: RouteEngineKind, _ address: HTTPAddress) -> [RouteMode: HTTPAddress] {
        let modes = kind == .osrm ? [.car] : RouteMode.allCases
        return Dictionary(uniqueKeysWithValues: modes.map { ($0, address) })
    }

    func serves(_ mode: RouteMode, _ needsReach: Bool) -> Bool {
        engine.bases[mode] != nil && engine.kind.modes.contains(mode)
            && (!needsReach || engine.kind.tellsReach)
    }

    /// Returns true if an address belongs to the provider, so that the provider's rules apply.
    func isAt(_ address: HTTPAddress) -> Bool {
        engine.bases.values.contains { $0.host == address.host && !$0.isLoopback }
    }
}

extension RouteFailure {
    /// Creates the routing failure for a failed request.
    init(_ failure: HTTPFailure, of engine: RouteEngine) {
        if let host = failure.lostHost {
            self = .noNetwork(host: host)
            return
        }
        let said = failure.body.isEmpty ? nil : engine.refusal(failure.body)
        switch (failure.failureClass, failure.fault, failure.status) {
        case (nil, _, _): self = .cancelled
        case (_, .noNetwork?, _): self = .offline(engine.name)
        case (.rate?, _, _):
            self = .busy(provider: engine.name, seconds: failure.retryAfter.map(\.components.seconds))
        case (.refused?, _, _) where engine.kind == .tomtom || engine.kind == .here:
            self = .notEntitled(provider: engine.name)
        case (.refused?, _, _): self = said ?? .refused("\(engine.name): \(failure)")
        case (.badContent?, _, _): self = .nonsense("\(engine.name): \(failure)")
        case (_, _, let status?) where (400...501).contains(status) && said != nil: self = said ?? .noRoute
        case (.permanent?, nil, _): self = .refused("\(engine.name): \(failure)")
        default: self = .unreachable("\(engine.name): \(failure)")
        }
    }
}
