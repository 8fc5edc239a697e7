internal import RhumbCore
internal import RhumbEngine

/// The actions that change the request of a route: its places, mode, and avoided roads. Each requests a new
/// route.
extension Browser {
    mutating func startRouteHere() {
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

    /// Returns the actions that change the planned route, and request it.
    func planningRoute(_ change: (inout RoutePlan) -> Void) -> [Action] {
        var plan = route
        change(&plan)
        return [.route(plan), .askRoute()]
    }

    func removingVia() -> [Action] {
        route.via.isEmpty ? [.say(RoutesText.noVia)] : planningRoute { $0.via.removeLast() }
    }

    func changingRouteMode() -> [Action] {
        let all = RouteMode.allCases, at = all.firstIndex(of: route.mode) ?? 0
        let next = all[(at + 1) % all.count]
        return planningRoute { $0.mode = next } + [.say(RoutesText.mode(next))]
    }

    func toggling(_ avoidance: RouteAvoidance) -> [Action] {
        let isNew = !route.avoids.contains(avoidance)
        return planningRoute { $0.avoids.formSymmetricDifference([avoidance]) }
            + [.say(RoutesText.avoidance(avoidance, isOn: isNew))]
    }
}
