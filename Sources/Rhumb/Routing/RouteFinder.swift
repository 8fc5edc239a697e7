public import RhumbCore
public import RhumbEngine
public import RhumbHTTP
internal import Synchronization

/// Queries routing engines: named ones, those on this machine, and those whose key is set. Each call sends
/// one request. Nothing is requested automatically.
public final class RouteFinder: Sendable {
    let client: HTTPClient
    let catalog: SourceCatalog
    let configuration: @Sendable () -> LayerConfiguration
    let hasAgreed: @Sendable (String) -> Bool
    /// The engine on this machine that responded most recently; nil if none has.
    let found = Mutex<RouteProvider?>(nil)
    /// The time limit for a request.
    private static let timeout = Duration.seconds(60)
    /// The roads of stored tiles; nil to use none.
    let roads: StoredRoads?

    /// - Parameters:
    ///   - client: Sends the requests.
    ///   - catalog: The named engines, and the keys.
    ///   - configuration: Returns the enabled features, and those that pass through while offline.
    ///   - hasAgreed: Returns true if the user has accepted the terms of a source.
    public convenience init(
        _ client: HTTPClient, _ catalog: SourceCatalog,
        configuration: @escaping @Sendable () -> LayerConfiguration,
        hasAgreed: @escaping @Sendable (String) -> Bool
    ) {
        self.init(client, catalog, roads: nil, configuration: configuration, hasAgreed: hasAgreed)
    }

    package init(
        _ client: HTTPClient, _ catalog: SourceCatalog, roads: StoredRoads?,
        configuration: @escaping @Sendable () -> LayerConfiguration,
        hasAgreed: @escaping @Sendable (String) -> Bool
    ) {
        self.roads = roads
        self.client = client
        self.catalog = catalog
        self.configuration = configuration
        self.hasAgreed = hasAgreed
    }

    // MARK: Queries

    /// Finds routes.
    /// - Parameters:
    ///   - specifiers: Engines by name or address, optionally with the mode as in "foot=http://…", or "tiles"
    ///     for the roads of stored tiles. If empty, uses the user's own engine, or else one on this machine, or
    ///     else stored tiles, or else an engine whose key is set, or else one whose terms are accepted.
    ///   - now: The time of the request.
    /// - Throws: `RouteFailure`; `cancelled` if the task is cancelled.
    public func routes(
        _ request: RouteRequest, by specifiers: [String] = [], now: UnixSeconds
    ) async throws(RouteFailure) -> RouteAnswer {
        let provider: RouteProvider
        switch try await choice(specifiers, for: request, places: request.places) {
        case .engine(let engine): provider = engine
        case .tiles(let roads):
            let found = try await Self.inBackground { () throws(RouteFailure) in try roads.routes(request) }
            return RouteAnswer(
                request, found.routes, provider: Self.tileProvider, attribution: found.attribution, time: now,
                mayBeStored: true)
        }
        let engine = provider.engine
        let address = try engine.address(of: request)
        let body = try await ask(provider, [address], by: request.mode)[0]
        let routes = try engine.routes(body, to: request)
        return RouteAnswer(
            request, routes, provider: engine.name, attribution: engine.attribution, time: now,
            mayBeStored: engine.kind.mayBeStored)
    }

    /// Returns the areas reachable from a place.
    /// - Parameters:
    ///   - minutes: The travel times, one to four.
    ///   - request: The mode and the vehicle; the places are ignored.
    /// - Throws: `RouteFailure`
    public func reach(
        _ minutes: [Double], from start: Coordinate, _ request: RouteRequest, by specifiers: [String] = []
    ) async throws(RouteFailure) -> Isochrone {
        let provider: RouteProvider
        switch try await choice(specifiers, for: request, places: [start], needsReach: true) {
        case .engine(let engine): provider = engine
        case .tiles(let roads):
            let found = try await Self.inBackground { () throws(RouteFailure) in
                try roads.reach(minutes, from: start, request)
            }
            return Isochrone(found.areas, provider: Self.tileProvider, attribution: found.attribution)
        }
        let addresses = try provider.engine.addresses(ofReach: minutes, from: start, request)
        return try provider.engine.reach(
            try await ask(provider, addresses, by: request.mode), minutes: minutes)
    }

    /// Returns the heights along a line.
    /// - Parameter specifiers: Engines by name or address, as for routes. Engines without heights are not
    ///   queried.
    /// - Returns: The height of each vertex.
    /// - Throws: `RouteFailure`
    public func heights(
        along line: [Coordinate], by specifiers: [String] = []
    ) async throws(RouteFailure) -> AttributedHeights {
        let provider = try await heightProvider(specifiers), engine = provider.engine,
            asked = RouteHeights(line)
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

    /// Returns true if the network may be used even while Rhumb is offline. Engines on this machine may
    /// always be queried, provided that the features of the route are enabled.
    /// - Throws: `RouteFailure` if the engine must not be queried.
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
    /// The features that routes of engines on this machine need, each with its purpose.
    fileprivate var localFeatures: [(feature: Feature, route: String)] {
        let common = [(Feature.offlineRouting, "a route")]
        switch self {
        case .truck: return common + [(.truck, "a truck route")]
        case .bus: return common + [(.offlineBusRouting, "a bus route")]
        case .car, .bicycle, .foot, .motorcycle: return common
        }
    }
}

/// Routes on stored tiles.
extension RouteFinder {
    /// The word that names stored tiles as an engine.
    package static let tilesName = "tiles"
    static let tileProvider = "stored map tiles"

    /// The source of an answer.
    enum Choice {
        case engine(RouteProvider)
        case tiles(StoredRoads)
    }

    /// Returns the named engine, or else the best one: the user's own, one on this machine, stored tiles,
    /// a service.
    /// - Parameter places: The places that the tiles must contain.
    /// - Throws: `RouteFailure`
    func choice(
        _ specifiers: [String], for request: RouteRequest, places: [Coordinate], needsReach: Bool = false
    ) async throws(RouteFailure) -> Choice {
        if specifiers == [Self.tilesName] { return .tiles(try usableRoads(for: request)) }
        guard specifiers.isEmpty else {
            return .engine(try await provider(specifiers, for: request.mode, needsReach: needsReach))
        }
        if let near = try await nearProvider(for: request.mode, needsReach) { return .engine(near) }
        let refusal: RouteFailure
        do throws(RouteFailure) {
            let roads = try usableRoads(for: request)
            let missing = try await Self.inBackground { () throws(RouteFailure) in
                places.filter { !roads.covers($0) }
            }
            guard let place = missing.first else { return .tiles(roads) }
            // Without any tiles there, the failure is that of the other engines.
            let failure = missing.count == places.count ? RouteFailure.noEngine : .notStored(place)
            refusal = missing.firstNonNil(roads.damage).map { .unreachable($0) } ?? failure
        } catch {
            refusal = error
        }
        do throws(RouteFailure) {
            return .engine(try service(for: request.mode, needsReach))
        } catch {
            throw refusal == .noEngine ? error : refusal
        }
    }

    /// Returns the stored roads.
    /// - Throws: `RouteFailure` if tiles can't answer the request.
    private func usableRoads(for request: RouteRequest) throws(RouteFailure) -> StoredRoads {
        guard let roads else { throw .noEngine }
        if let refusal = RoadRouter.refusal(of: request) { throw refusal }
        guard configuration().enabledFeatures.contains(.offlineRouting) else {
            throw .disabled(feature: Feature.offlineRouting.name, wanted: "a route on stored tiles")
        }
        return roads
    }

    /// Runs work that reads files and computes on the threads for such work.
    static func inBackground<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(RouteFailure) -> Answer
    ) async throws(RouteFailure) -> Answer {
        let result = await withTaskExecutorPreference(BlockingExecutor.shared) {
            () async -> Result<Answer, RouteFailure> in
            do throws(RouteFailure) {
                return .success(try body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
