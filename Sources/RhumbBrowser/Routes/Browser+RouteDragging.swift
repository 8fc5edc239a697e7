internal import RhumbCore
internal import RhumbEngine

/// Dragging places of the route with the mouse: a new route is requested when they are released.
extension Browser {
    /// Starts to drag the place of the route under the mouse.
    /// - Returns: False if there is none.
    mutating func holdStop(column: Int, row: Int) -> Bool {
        guard openPanel == .route, route.found != nil else { return false }
        let stops: [(RouteHold, Coordinate?)] =
            [(.from, route.route?.line.first), (.to, route.route?.line.last)]
            + route.via.enumerated().map { (.via($0), $1.place) }
        let place = CellPlacement(map.viewport)
        route.held =
            stops.first { _, spot in
                spot.map { place.cells(at: Mercator.world($0)).contains(row * map.viewport.columns + column) }
                    ?? false
            }?.0
        return route.held != nil
    }

    /// Moves the dragged place.
    /// - Returns: Nil if no place is dragged.
    mutating func dragStop(column: Int, row: Int) -> [Effect]? {
        guard let held = route.held else { return nil }
        let stop = stop(
            at: Mercator.coordinate(map.viewport.world(column: Double(column) + 0.5, row: Double(row) + 0.5)))
        switch held {
        case .from: route.from = stop
        case .to: route.to = stop
        case .via(let at) where route.via.indices.contains(at): route.via[at] = stop
        case .via: break
        }
        return []
    }

    /// Drops the dragged place and requests the route.
    /// - Returns: Nil if no place is dragged.
    mutating func releaseStop() -> [Effect]? {
        guard route.held.take() != nil else { return nil }
        return route.ask()
    }
}
