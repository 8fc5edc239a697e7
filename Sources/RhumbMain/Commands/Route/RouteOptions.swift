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
                let known = RouteAvoidance.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--avoid: unknown value \"\(word)\"; expected one of \(known)")
            }
            request.avoids.insert(avoidance)
        }
        request.alternatives = self[.alternatives] ?? 0
        guard let words = self[.departure] else { return }
        guard let departure = RouteDeparture(words) else {
            throw UsageError(
                "invalid value \"\(words)\" for --depart: expected now, or a date and time such as 2026-11-22T17:00"
            )
        }
        request.departure = departure
    }

    /// Returns the roads of all stored maps, or of the named region or archive.
    func roads(_ session: MapSession) throws -> StoredRoads {
        guard let name = self[.searchArea] else { return session.roads }
        let records = (try? session.regions().store.regions()) ?? []
        if let record = records.first(where: { $0.id == name || $0.package?.package == name }) {
            return session.roads.limited(to: Set(record.parts.map(\.origin.description)))
        }
        guard Files.exists(name) else { throw SearchFailure.unknownArea(name) }
        session.offlineSearch.add(try Archive.open(name), path: name)
        return session.roads.limited(to: Set([ArchiveTiles.key(name)].compactMap(\.self)))
    }

    /// Returns the routing engines of a session.
    func routeFinder(_ session: MapSession) throws -> RouteFinder {
        let agreements = AcceptedTerms(Folders(environment: Environment.all))
        return RouteFinder(
            session.client, try catalog(), roads: try roads(session),
            configuration: { session.configuration },
            hasAgreed: { agreements.holds($0) })
    }
}

/// Finds places that users name by coordinates in any form, or by name.
struct RoutePlaces {
    private let search: any PlaceSearch

    init(_ search: any PlaceSearch) { self.search = search }

    /// Returns a place and its name.
    /// - Parameter near: The location to which the nearest place is chosen if several have the name.
    /// - Throws: A sentence if there is no such place.
    func place(_ words: String, near: Coordinate?) throws -> (place: Coordinate, name: String) {
        if let spot = try? ParsedLocation(words, near: near) {
            return (spot.coordinate, PlaceFormat.coordinate(spot.coordinate, zoom: 14))
        }
        guard let match = try search.places(matching: words, near: near, limit: 1).first?.place else {
            throw Notice.Problem(
                "no place found for \"\(SafeText.sanitised(words, limit: 60))\"; try rhumb search, or use coordinates"
            )
        }
        return (
            match.coordinate, [match.name, match.whereabouts].filter { !$0.isEmpty }.joined(separator: ", ")
        )
    }

    /// Returns several places, each looked up near the previous one.
    func places(_ words: [String]) throws -> [(place: Coordinate, name: String)] {
        var places: [(place: Coordinate, name: String)] = []
        for word in words { places.append(try place(word, near: places.last?.place)) }
        return places
    }
}

extension RouteFailure {
    /// The exit status of the program.
    var exitStatus: Int32 {
        switch self {
        case .noRoute, .samePlace: ExitStatus.noRoute
        case .noRoads, .notStored: ExitStatus.noRoads
        case .refused, .unsupported, .disabled, .notEntitled, .busy, .notAgreed: ExitStatus.refused
        case .offline: ExitStatus.offline
        case .noEngine, .unreachable, .nonsense, .cancelled: ExitStatus.failed
        }
    }
}
