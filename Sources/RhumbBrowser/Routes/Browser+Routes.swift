public import RhumbCore
internal import RhumbEngine

/// Routes: each is requested with a key, shown as layers, and followed step by step.
extension Browser {
    mutating func receiveRoutes(_ response: AnyResponse) -> [Effect] {
        route.stored = response[StoredRoutesQuery.self]?.value ?? route.stored
        route.offers = response[RouteEnginesQuery.self]?.value ?? route.offers
        if let response = response[RouteQuery.self], response.query.number == route.asked {
            return receive(response.value)
        }
        if let response = response[RouteHeightsQuery.self] {
            return receive(response.value, response.query.number)
        }
        if let response = response[ChooseRouteEngines.self] {
            let engines = response.query.engines
            if case .success = response.value { route.engines = engines }
            return report(response.value.map { RoutesText.engines(engines) })
        }
        if let drawn = response[RouteLayersQuery.self]?.value, route.found != nil {
            map.layers = (map.layers.filter { !$0.isRouteLayer } + drawn).stacked
            return [.updateView]
        }
        switch response[IsochroneQuery.self]?.value {
        case .success(let layer): return show(reachableAreas: layer)
        case .failure(.cancelled), nil: return []
        case .failure(let failure): return complain(FailureText.notice(failure))
        }
    }

    /// Shows a found route, or the reason why there is none.
    private mutating func receive(_ outcome: Result<FoundRoute, RouteFailure>) -> [Effect] {
        route.asked = nil
        switch outcome {
        case .success(let found):
            map.notices.dismiss()
            return show(found, movesView: openPanel == .route)
        case .failure(.cancelled): return []
        case .failure(let failure):
            route.problem = failure
            if case .notAgreed(let id, let name, let rules) = failure {
                let offer = route.offers.first { $0.id == id }
                panels.push(
                    Consent.routing(
                        offer ?? ServiceOffer(id: id, name: name, rules: rules, isAccepted: false)))
                return []
            }
            let showsProblem = panels.top is RoutePanel && route.found == nil
            if failure.leavesChoice, showsProblem { return [] }
            return complain(FailureText.notice(failure), isShown: !showsProblem)
        }
    }

    /// Returns the actions that cancel the running request; nil if there is none.
    func cancellingRoute() -> [Action]? {
        guard route.asked != nil else { return nil }
        var plan = route
        plan.asked = nil
        return [.route(plan), .ask(CancelRouteQuery()), .say(RoutesText.cancelled)]
    }

    /// Returns the actions that remove the route.
    func forgettingRoute() -> [Action] {
        var plan = RoutePlan(engines: route.engines)
        plan.stored = route.stored
        plan.offers = route.offers
        return [
            .route(plan), .ask(CancelRouteQuery()), .layers(map.layers.filter { !$0.isRouteLayer }),
        ]
    }

    /// Shows a response.
    /// - Parameter movesView: If true, the view moves to the whole route.
    mutating func show(_ found: FoundRoute, movesView: Bool = true) -> [Effect] {
        route.found = found
        route.chosen = 0
        route.step = nil
        route.problem = nil
        let request = found.answer.request
        route.mode = request.mode
        route.avoids = request.avoids
        adoptStops(of: request)
        route.shownStops = [route.from].compactMap(\.self) + route.via + [route.to].compactMap(\.self)
        let age = found.age.map { say(RoutesText.cached($0)) } ?? []
        return route.draw() + (movesView ? perform(flyingToRoute()) : []) + age
    }

    /// Marks the places of a route that is shown at the start of the program.
    public mutating func begin(with answer: RouteAnswer) { _ = show(FoundRoute(answer, arrivals: [])) }

    /// Returns the camera that shows a whole response; nil if it has no line.
    public func camera(over answer: RouteAnswer) -> Camera? {
        answer.bounds.map { map.viewport.fitted(to: $0, margin: 0.85) }
    }

    /// Adopts the places of a stored response as the planned ones.
    private mutating func adoptStops(of request: RouteRequest) {
        guard route.request?.asksTheSame(as: request) != true else { return }
        func stop(_ place: Coordinate) -> RouteStop {
            RouteStop(place: place, name: PlaceFormat.shortCoordinate(place, decimals: 4))
        }
        route.from = request.places.first.map(stop)
        route.to = request.places.last.map(stop)
        route.via = request.places.dropFirst().dropLast().map(stop)
    }

    /// Returns the actions that select another route of the response.
    func choosingRoute(by step: Int) -> [Action] {
        guard let found = route.found, found.answer.routes.count > 1 else {
            return [.say(RoutesText.noAlternative)]
        }
        let count = found.answer.routes.count
        var plan = route
        plan.chosen = (plan.chosen + step + count) % count
        plan.step = nil
        let effects = plan.draw()
        return [.route(plan)] + effects.map(Action.effect)
    }

    /// The prefix of the ids of layers of reachable areas.
    static let reachPrefix = "reach:"

    /// Returns the actions that request the areas reachable from the clicked place, or else from the centre
    /// of the view.
    func askingReach(_ minutes: [Double]) -> [Action] {
        let start = stopHere.place
        var request = RouteRequest(from: start, to: start)
        request.mode = route.mode
        request.avoids = route.avoids
        if route.mode == .truck || route.mode == .bus { request.vehicle = route.vehicle }
        return [
            .ask(IsochroneQuery(minutes: minutes, request: request, engines: route.engines)),
            .say(RoutesText.calculatingReach(route.mode)),
        ]
    }

    /// Shows reachable areas in place of earlier ones.
    private mutating func show(reachableAreas layer: TileLayer) -> [Effect] {
        map.layers.removeAll { $0.id.hasPrefix(Browser.reachPrefix) }
        map.layers = (map.layers + [layer]).stacked
        let isBusy = input.prompt != nil || openPanel != nil && openPanel != .route
        let flight =
            isBusy ? nil : layer.info.bounds.map { fly(to: map.viewport.fitted(to: $0, margin: 0.9)) }
        return [.updateView] + (flight ?? []) + say(RoutesText.reached(layer.info.name))
    }

    // MARK: View

    /// Returns the actions that move the view to the route and its alternatives, beside the panel.
    func flyingToRoute() -> [Action] {
        guard let bounds = route.found?.answer.bounds else { return [] }
        let free = freePart, small = map.viewport.resized(columns: free.columns, rows: free.rows)
        return [.fly(to: besidePanel(small.fitted(to: bounds, margin: 0.85)))]
    }

    /// Returns the actions that select a step and move the map to it.
    func walkingRoute(to step: Int) -> [Action] {
        guard let shown = route.route, !shown.steps.isEmpty else { return [] }
        var plan = route
        plan.step = min(max(step, 0), shown.steps.count - 1)
        guard let place = plan.stepPlace else { return [.route(plan)] }
        let near = max(map.viewport.camera.zoom, Browser.stepZoom)
        return [.route(plan), .fly(to: besidePanel(Camera(center: place, zoom: near)))]
    }

    /// The zoom from which streets are distinguishable.
    private static let stepZoom = 15.0

    /// The part of the map beside the panel.
    private var freePart: (columns: Int, rows: Int) {
        let frame = wholePanelFrame
        return hasDrawer
            ? (max(map.viewport.columns - frame.columns, 10), map.viewport.rows)
            : (map.viewport.columns, max(map.viewport.rows - frame.rows, 4))
    }

    /// Returns the camera that shows the centre of another in the centre of the free part of the map.
    private func besidePanel(_ camera: Camera) -> Camera {
        let free = freePart
        return map.viewport.with(camera).panned(
            columns: (map.viewport.columns - free.columns) / 2, rows: (map.viewport.rows - free.rows) / 2
        ).camera
    }

    // MARK: Files

    /// Returns the action that saves the route, or without one the recorded track, to a file if the file name
    /// extension is that of a route format; nil for other files.
    func savingRoute(as name: String) -> Action? {
        guard [".gpx", ".geojson"].contains(where: name.lowercased().hasSuffix) else { return nil }
        guard let found = route.found else {
            return recordedTrack == nil ? .complain(RoutesText.noneToSave) : savingTrack(as: name)
        }
        return .ask(ExportRoute(answer: found.answer, chosen: route.chosen, file: name))
    }

    /// Returns the actions that show the download of the map along the route.
    func downloadingRoute() -> [Action] {
        guard let shown = route.route else { return [.say(RoutesText.noneToDownload)] }
        let ends = route.from.flatMap { from in route.to.map { "\(from.name) to \($0.name)" } }
        return withDraft { draft in
            var strip = draft
            strip.name = "\(ends ?? "along the route"), \(AmountText.metres(shown.distance))"
            strip.corridor = RouteCorridor(shown)
            return whenAgreed(to: strip, then: [.show(DownloadPanel(strip))])
        }
    }
}

extension TileLayer {
    var isRouteLayer: Bool { role == .routes && id.hasPrefix("route:") }
}

extension Consent {
    /// Returns the question whether routes may be requested from a service.
    static func routing(_ service: ServiceOffer) -> Consent {
        Consent(
            entry: .route, question: "Find routes with \(service.name)?",
            facts: service.facts(sent: "the start, the destination"), yes: "find the route",
            accept: [.askRoute(acceptingTermsOf: service.id)])
    }
}

/// The heights along the shown route: from its engine if that reports them, otherwise requested with a key.
extension Browser {
    /// Returns the actions that show the profile of the route, once its heights are known.
    func showingRouteProfile() -> [Action] {
        guard let shown = route.route, let found = route.found, route.asked == nil else { return [] }
        guard shown.heights.isEmpty else {
            let credit = found.answer.heightCredit(of: shown)
            let panel = TrackPanel(
                FoundTrack(OverlayFeature(.line([shown.path]), name: found.answer.title(shown)), "route"),
                heightsBy: map.settings.isUnicode ? credit : Transliteration.ascii(credit.replacingSign))
            return [.push(panel)]
        }
        var plan = route
        plan.heightsAsked = (plan.count, plan.chosen)
        return [
            .route(plan),
            .ask(RouteHeightsQuery(line: shown.line, engines: plan.engines, number: plan.count)),
            .say(RoutesText.lookingUpHeights),
        ]
    }

    /// True if `P` was the last key pressed in the open panel.
    private var isProfileAwaited: Bool {
        input.prompt == nil && (panels.top as? RoutePanel)?.awaitsProfile == true
    }

    mutating func receive(_ outcome: Result<AttributedHeights, RouteFailure>, _ number: Int) -> [Effect] {
        guard let asked = route.heightsAsked, asked.number == number, number == route.count else { return [] }
        route.heightsAsked = nil
        switch outcome {
        case .failure(.cancelled): return []
        case .failure(.unsupported): return complain(RoutesText.noHeights)
        case .failure(let failure): return complain(FailureText.notice(failure))
        case .success(let heights):
            guard var found = route.found, found.answer.routes.indices.contains(asked.chosen),
                found.answer.routes[asked.chosen].line.count == heights.metres.count
            else { return [] }
            found.answer.routes[asked.chosen].set(heights)
            route.found = found
            route.profile = route.route.flatMap { RouteProfile($0) }
            let opensProfile = isProfileAwaited && route.chosen == asked.chosen
            return [.ask(StoreRoutes(answer: found.answer))]
                + (opensProfile ? perform(showingRouteProfile()) : [])
        }
    }
}

/// Dragging places of the route with the mouse: a new route is requested when they are released.
extension Browser {
    /// Starts to drag the place of the route under the mouse.
    /// - Returns: False if there is none.
    mutating func holdStop(column: Int, row: Int) -> Bool {
        guard openPanel == .route, route.found != nil else { return false }
        let stops: [(RouteHold, Coordinate?)] =
            [(.from, route.route?.line.first), (.to, route.route?.line.last)]
            + route.via.enumerated().map { (.via($0), $1.place) }
        let placement = CellPlacement(map.viewport)
        route.held =
            stops.first { _, spot in
                spot.map {
                    placement.cells(at: Mercator.world($0)).contains(row * map.viewport.columns + column)
                }
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

/// The actions that change the request of a route: its places, mode, and avoided roads. Each requests a new
/// route.
extension Browser {
    mutating func startRouteHere() {
        route.from = stopHere
        route.startsHere = true
    }

    /// The clicked place, or else the centre of the view.
    var stopHere: RouteStop {
        let place = pointing.pointer == nil ? map.viewport.camera.coordinate : pointedPlace
        if place.metres(to: toldPlace) < 1, let name = toldName { return RouteStop(place: place, name: name) }
        return stop(at: place)
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
