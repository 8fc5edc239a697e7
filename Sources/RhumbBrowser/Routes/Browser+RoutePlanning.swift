internal import RhumbCore
internal import RhumbEngine

/// The request of a route: its places, mode, and avoided roads. Each change requests a new route.
extension Browser {
    /// Opens the panel, and its input field if there is no route yet.
    mutating func startRoute() -> [Effect] {
        guard route.found == nil else { return show(RoutePanel()) }
        if route.from == nil { startHere() }
        var panel = RoutePanel()
        let effects = panel.start(.to, "", &self)
        return show(panel) + effects + [.ask(StoredRoutesQuery()), .ask(RouteEnginesQuery())]
    }

    /// Opens the panel and requests the route to a place, as if the user had typed it there. After another
    /// route, this is a new one from here.
    mutating func startRoute(to words: String) throws(Notice.Problem) -> [Effect] {
        if route.from == nil || route.startsHere || route.found != nil {
            startHere()
            route.via = []
        }
        var panel = RoutePanel()
        var effects = panel.start(.to, words, &self)
        effects += try panel.take(words, &self)
        if panel.field == nil { input.prompt = nil }
        return show(panel) + effects + [.ask(StoredRoutesQuery()), .ask(RouteEnginesQuery())]
    }

    private mutating func startHere() {
        route.from = stopHere
        route.startsHere = true
    }

    /// The clicked place, or else the centre of the view.
    var stopHere: RouteStop {
        stop(at: pointing.pointer == nil ? map.viewport.camera.coordinate : pointedPlace)
    }

    func stop(at place: Coordinate) -> RouteStop {
        RouteStop(place: place, name: PlaceFormat.shortCoordinate(place, decimals: 4))
    }

    mutating func setStop(_ field: RoutePanel.Field, _ stop: RouteStop) -> [Effect] {
        switch field {
        case .from:
            route.from = stop
            route.startsHere = false
        case .to: route.to = stop
        case .via: addVia(stop)
        }
        return askRoute()
    }

    /// Inserts a place where it lengthens the route least.
    private mutating func addVia(_ stop: RouteStop) {
        guard route.via.count < RouteRequest.placeLimit - 2 else { return }
        let ends = [route.from ?? stop] + route.via + [route.to ?? stop]
        let costs = zip(ends, ends.dropFirst()).map { before, after in
            before.place.metres(to: stop.place) + stop.place.metres(to: after.place)
                - before.place.metres(to: after.place)
        }
        let best = costs.indices.min { costs[$0] < costs[$1] } ?? 0
        route.via.insert(stop, at: min(best, route.via.count))
    }

    mutating func removeVia() -> [Effect] {
        guard !route.via.isEmpty else { return say(RoutesText.noVia) }
        route.via.removeLast()
        return askRoute()
    }

    mutating func turnRouteRound() -> [Effect] {
        (route.from, route.to) = (route.to, route.from)
        route.startsHere = false
        route.via.reverse()
        return askRoute()
    }

    mutating func changeRouteMode() -> [Effect] {
        let all = RouteMode.allCases, at = all.firstIndex(of: route.mode) ?? 0
        route.mode = all[(at + 1) % all.count]
        return askRoute() + say(RoutesText.mode(route.mode))
    }

    mutating func toggle(_ avoidance: RouteAvoidance) -> [Effect] {
        let isNew = route.avoids.insert(avoidance).inserted
        if !isNew { route.avoids.remove(avoidance) }
        return askRoute() + say(RoutesText.avoidance(avoidance, isOn: isNew))
    }
}
