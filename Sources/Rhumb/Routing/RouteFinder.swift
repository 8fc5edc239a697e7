public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
internal import Synchronization

/// Asks routing engines: of those that are named, run on this machine, or have a key. Each question is one
/// request, and nothing is asked by itself.
public final class RouteFinder: Sendable {
    let client: HTTPClient
    let catalog: SourceCatalog
    let configuration: @Sendable () -> LayerConfiguration
    let hasAgreed: @Sendable (String) -> Bool
    /// The engine on this machine that answered last.
    let found = Mutex<RouteProvider?>(nil)
    /// The time limit of a request.
    private static let timeout = Duration.seconds(60)

    /// - Parameters:
    ///   - client: asks servers.
    ///   - catalog: the engines that have a name, and the keys.
    ///   - configuration: the features that are on, and those that pass through while offline.
    ///   - hasAgreed: whether the person has agreed to the rules of a source.
    public init(
        _ client: HTTPClient, _ catalog: SourceCatalog,
        configuration: @escaping @Sendable () -> LayerConfiguration,
        hasAgreed: @escaping @Sendable (String) -> Bool
    ) {
        self.client = client
        self.catalog = catalog
        self.configuration = configuration
        self.hasAgreed = hasAgreed
    }

    // MARK: Asking

    /// Routes by an engine.
    /// - Parameters:
    ///   - words: engines by name or address, an address perhaps after its mode as in "foot=http://…"; none:
    ///     the person's own, else one on this machine, else one whose key is there, else one that was agreed
    ///     to.
    ///   - now: the moment of asking.
    /// - Throws: `RouteFailure`; `cancelled` when the task is.
    public func routes(
        _ request: RouteRequest, by words: [String] = [], now: UnixSeconds
    ) async throws(RouteFailure) -> RouteAnswer {
        let provider = try await provider(words, for: request.mode), engine = provider.engine
        let address = try engine.address(of: request)
        let body = try await ask(provider, [address], by: request.mode)[0]
        let routes = try engine.routes(body, to: request)
        return RouteAnswer(
            request, routes, provider: engine.name, attribution: engine.attribution, time: now,
            mayBeKept: engine.kind.mayBeKept)
    }

    /// Returns the areas reachable from a place.
    /// - Parameters:
    ///   - minutes: One to four times.
    ///   - request: The mode and vehicle; its places are ignored.
    /// - Throws: `RouteFailure`
    public func reach(
        _ minutes: [Double], from start: Coordinate, _ request: RouteRequest, by words: [String] = []
    ) async throws(RouteFailure) -> Isochrone {
        let provider = try await provider(words, for: request.mode, needsReach: true)
        let addresses = try provider.engine.addresses(ofReach: minutes, from: start, request)
        return try provider.engine.reach(
            try await ask(provider, addresses, by: request.mode), minutes: minutes)
    }

    /// Heights along a line.
    /// - Parameter words: engines by name or address, as for routes; one that tells none is not asked.
    /// - Returns: a height for each corner.
    /// - Throws: `RouteFailure`
    public func heights(
        along line: [Coordinate], by words: [String] = []
    ) async throws(RouteFailure) -> AttributedHeights {
        let provider = try await heightProvider(words), engine = provider.engine, asked = RouteHeights(line)
        let address = try engine.address(ofHeights: asked.corners.map { line[$0] })
        let told = try engine.heights(
            try await ask(provider, [address], by: .car)[0], of: asked.corners.count)
        return AttributedHeights(asked.all(told), by: engine.name, attribution: engine.attribution)
    }

    private func ask(
        _ provider: RouteProvider, _ addresses: [HTTPAddress], by mode: RouteMode
    ) async throws(RouteFailure) -> [[UInt8]] {
        let passes = try mayPass(provider, mode)
        var bodies: [[UInt8]] = []
        for address in addresses {
            let answer: [UInt8]?
            do throws(HTTPFailure) {
                answer = try await provider.access.answer(
                    address, by: client, passes: passes, within: Self.timeout)
            } catch {
                if provider.isLocal { found.withLock { $0 = nil } }
                throw RouteFailure(error, of: provider.engine)
            }
            guard let answer else {
                throw .unreachable("\(provider.engine.name): no routing service at its URL")
            }
            bodies.append(answer)
        }
        return bodies
    }

    /// Returns whether the network may be used although Rhumb is offline. Engines on this machine may always
    /// be asked, if the features of the route are on.
    /// - Throws: `RouteFailure` if the engine must not be asked at all.
    private func mayPass(_ provider: RouteProvider, _ mode: RouteMode) throws(RouteFailure) -> Bool {
        let configuration = configuration()
        if let agreement = provider.access.agreement, !hasAgreed(agreement.source) {
            throw .notAgreed(source: agreement.source, name: provider.engine.name, rules: agreement.rules)
        }
        guard provider.isLocal else {
            let passes = configuration.passThroughFeatures.contains(.onlineRouting)
            guard passes || !client.isOffline else { throw .offline(provider.engine.name) }
            return passes
        }
        for (feature, route) in mode.localFeatures where !configuration.enabledFeatures.contains(feature) {
            throw .disabled(feature: feature.name, wanted: "\(route) of an engine on this machine")
        }
        return true
    }
}

extension RouteMode {
    /// The features that routes of engines on this machine need, and what needs each.
    fileprivate var localFeatures: [(feature: Feature, route: String)] {
        let common = [(Feature.offlineRouting, "a route")]
        switch self {
        case .truck: return common + [(.truck, "a truck route")]
        case .bus: return common + [(.offlineBusRouting, "a bus route")]
        case .car, .bicycle, .foot, .motorcycle: return common
        }
    }
}
