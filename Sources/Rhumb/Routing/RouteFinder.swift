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
    /// How long an engine may think.
    private static let timeout = Duration.seconds(60)

    /// - Parameters:
    ///   - client: asks servers.
    ///   - catalog: the engines that have a name, and the keys.
    ///   - configuration: the features that are on, and those that pass through while offline.
    ///   - hasAgreed: whether the person has agreed to the rules of a source.
    public init(
        _ client: HTTPClient, _ catalog: SourceCatalog, configuration: @escaping @Sendable () -> LayerConfiguration,
        hasAgreed: @escaping @Sendable (String) -> Bool
    ) {
        (self.client, self.catalog, self.configuration, self.hasAgreed) = (client, catalog, configuration, hasAgreed)
    }

    // MARK: Asking

    /// Routes by an engine.
    /// - Parameters:
    ///   - words: engines by name or address, an address perhaps after its mode as in "foot=http://…"; none: the
    ///     person's own, else one on this machine, else one whose key is there, else one that was agreed to.
    ///   - now: the moment of asking.
    /// - Throws: `RouteFailure`; `cancelled` when the task is.
    public func routes(_ request: RouteRequest, by words: [String] = [], now: UnixSeconds) async throws(RouteFailure) -> RouteAnswer {
        let provider = try await provider(words, for: request.mode), engine = provider.engine
        let address = try engine.address(of: request)
        let body = try await ask(provider, [address])[0]
        let routes = try engine.routes(body, to: request)
        return RouteAnswer(
            request, routes, provider: engine.name, attribution: engine.attribution, time: now, mayBeKept: engine.kind.mayBeKept)
    }

    /// What can be reached from a place.
    /// - Parameters:
    ///   - minutes: one to four times.
    ///   - request: mode and vehicle; its places don't matter.
    /// - Throws: `RouteFailure`
    public func reach(
        _ minutes: [Double], from start: Coordinate, _ request: RouteRequest, by words: [String] = []
    ) async throws(RouteFailure) -> RouteReach {
        let provider = try await provider(words, for: request.mode, needsReach: true)
        let addresses = try provider.engine.addresses(ofReach: minutes, from: start, request)
        return try provider.engine.reach(try await ask(provider, addresses), minutes: minutes)
    }

    /// Heights along a line.
    /// - Parameter words: engines by name or address, as for routes; one that tells none is not asked.
    /// - Returns: a height for each corner.
    /// - Throws: `RouteFailure`
    public func heights(along line: [Coordinate], by words: [String] = []) async throws(RouteFailure) -> ToldHeights {
        let provider = try await heightProvider(words), engine = provider.engine, asked = RouteHeights(line)
        let address = try engine.address(ofHeights: asked.corners.map { line[$0] })
        let told = try engine.heights(try await ask(provider, [address])[0], of: asked.corners.count)
        return ToldHeights(asked.all(told), by: engine.name, attribution: engine.attribution)
    }

    private func ask(_ provider: RouteProvider, _ addresses: [HTTPAddress]) async throws(RouteFailure) -> [[UInt8]] {
        let passes = try mayPass(provider)
        var bodies: [[UInt8]] = []
        for address in addresses {
            let answer: [UInt8]?
            do throws(HTTPFailure) {
                answer = try await provider.access.answer(address, by: client, passes: passes, within: Self.timeout)
            } catch {
                if provider.isLocal { found.withLock { $0 = nil } }
                throw RouteFailure(error, of: provider.engine)
            }
            guard let answer else { throw .unreachable("\(provider.engine.name): no routing service at its URL") }
            bodies.append(answer)
        }
        return bodies
    }

    /// Whether the network may be used although Rhumb is offline: engines on this machine always may be asked.
    /// - Throws: `RouteFailure`, where it must not be asked at all.
    private func mayPass(_ provider: RouteProvider) throws(RouteFailure) -> Bool {
        let configuration = configuration()
        if let agreement = provider.access.agreement, !hasAgreed(agreement.source) {
            throw .notAgreed(source: agreement.source, name: provider.engine.name, rules: agreement.rules)
        }
        guard provider.isLocal else {
            let passes = configuration.passThroughFeatures.contains(.onlineRouting)
            guard passes || !client.isOffline else { throw .offline(provider.engine.name) }
            return passes
        }
        do throws(FeatureFailure) {
            try configuration.require(.offlineRouting, for: "routing with a local engine")
        } catch {
            throw .unsupported("\(error)")
        }
        return true
    }
}
