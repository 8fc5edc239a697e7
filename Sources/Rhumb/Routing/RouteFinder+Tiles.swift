internal import RhumbCore
internal import RhumbEngine

/// Routes on stored tiles.
extension RouteFinder {
    /// The word that names stored tiles as an engine.
    package static let tilesName = "tiles"
    /// The name of stored tiles as a provider.
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
            refusal = missing.lazy.compactMap(roads.damage).first.map { .unreachable($0) } ?? failure
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
