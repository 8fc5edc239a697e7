internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The options for routes.
extension Invocation {
    /// Sets the mode and the vehicle of a request.
    /// - Throws: `UsageError`
    func setTravel(of request: inout RouteRequest) throws(UsageError) {
        request.mode = self[.mode].flatMap(RouteMode.init) ?? .car
        request.vehicle.height = self[.height]
        request.vehicle.width = self[.width]
        request.vehicle.length = self[.length]
        request.vehicle.weight = self[.weight]
        request.vehicle.axleLoad = self[.axleLoad]
        request.vehicle.isHazardous = self[.hazardous]
        guard request.vehicle.isPlain || request.mode == .truck || request.mode == .bus else {
            throw UsageError(
                "height, width, length, weight, axle load and hazmat need --mode truck or --mode bus")
        }
        for word in (self[.avoid] ?? "").split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard let avoidance = RouteAvoidance(rawValue: String(word)) else {
                let names = RouteAvoidance.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--avoid: unknown value \"\(word)\"; expected one of \(names)")
            }
            request.avoids.insert(avoidance)
        }
        request.alternatives = self[.alternatives] ?? 0
        guard let text = self[.departure] else { return }
        guard let departure = RouteDeparture(text) else {
            throw UsageError(
                "invalid value \"\(text)\" for --depart: expected now, or a date and time such as 2026-11-22T17:00"
            )
        }
        request.departure = departure
    }

    /// Returns the roads of all stored maps, or those of an area.
    func roads(_ session: MapSession, _ area: SearchedArea?) -> StoredRoads {
        area.map { session.roads.limited(to: $0.sources) } ?? session.roads
    }

    /// Returns the routing engines of a session.
    /// - Parameter area: The area whose roads are used; nil for those of all stored maps.
    func routeFinder(_ session: MapSession, in area: SearchedArea? = nil) throws -> RouteFinder {
        let agreements = AcceptedTerms(Folders(environment: Environment.all))
        return RouteFinder(
            session.client, try catalog(), roads: roads(session, area),
            configuration: { session.configuration },
            hasAgreed: { agreements.holds($0) })
    }
}

extension RouteFailure {
    /// The exit status of the program.
    var exitStatus: Int32 {
        switch self {
        case .noRoute, .samePlace: ExitStatus.noRoute
        case .noRoads, .notStored: ExitStatus.noRoads
        case .refused, .unsupported, .disabled, .notEntitled, .busy, .notAgreed: ExitStatus.refused
        case .offline, .noNetwork: ExitStatus.offline
        case .noEngine, .unreachable, .nonsense, .cancelled: ExitStatus.failed
        }
    }
}
