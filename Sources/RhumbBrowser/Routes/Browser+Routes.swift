public import RhumbCore
internal import RhumbEngine

/// Routes: each is requested with a key, shown as layers, and followed step by step.
extension Browser {
    /// Requests the planned route, once it has a start and a destination.
    /// - Parameter source: The source whose terms the user accepts; nil for none.
    mutating func askRoute(acceptingTermsOf source: String? = nil) -> [Effect] {
        guard let request = route.request else { return [] }
        route.count += 1
        route.asked = route.count
        route.problem = nil
        return [
            .ask(
                RouteQuery(
                    request: request, engines: route.engines, acceptedTerms: source, number: route.count))
        ]
    }

    /// Cancels the running request.
    /// - Returns: nil if there is none.
    mutating func cancelRoute() -> [Effect]? {
        guard route.asked != nil else { return nil }
        route.asked = nil
        return [.ask(CancelRouteQuery())] + say(RoutesText.cancelled)
    }

    /// Removes the route.
    mutating func forgetRoute() -> [Effect] {
        let kept = route.kept, offers = route.offers
        route = RoutePlan(engines: route.engines)
        route.kept = kept
        route.offers = offers
        map.layers.removeAll(where: \.isRouteLayer)
        return [.ask(CancelRouteQuery()), .updateView]
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
        return draw() + (movesView ? flyToRoute() : []) + age
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

    /// Selects another route of the response.
    mutating func chooseRoute(by step: Int) -> [Effect] {
        guard let found = route.found, found.answer.routes.count > 1 else {
            return say(RoutesText.noAlternative)
        }
        let count = found.answer.routes.count
        route.chosen = (route.chosen + step + count) % count
        route.step = nil
        return draw()
    }

    /// Requests the layers of the route for the current map.
    mutating func draw() -> [Effect] {
        guard let found = route.found else { return [] }
        route.guide = nil
        route.profile = route.route.flatMap { RouteProfile($0) }
        return [.ask(RouteLayersQuery(answer: found.answer, chosen: route.chosen))]
    }

    /// The prefix of the ids of layers of reachable areas.
    static let reachPrefix = "reach:"

    /// Requests the areas reachable from the clicked place, or else from the centre of the view.
    mutating func askReach(_ minutes: [Double]) -> [Effect] {
        let start = stopHere.place
        var request = RouteRequest(from: start, to: start)
        request.mode = route.mode
        request.avoids = route.avoids
        if route.mode == .truck || route.mode == .bus { request.vehicle = route.vehicle }
        return [.ask(IsochroneQuery(minutes: minutes, request: request, engines: route.engines))]
            + say(RoutesText.calculatingReach(route.mode))
    }

    /// Shows reachable areas in place of earlier ones.
    mutating func show(reachableAreas layer: TileLayer) -> [Effect] {
        map.layers.removeAll { $0.id.hasPrefix(Browser.reachPrefix) }
        map.layers = (map.layers + [layer]).stacked
        let isBusy = input.prompt != nil || openPanel != nil && openPanel != .route
        let flight =
            isBusy ? nil : layer.info.bounds.map { fly(to: map.viewport.fitted(to: $0, margin: 0.9)) }
        return [.updateView] + (flight ?? []) + say(RoutesText.reached(layer.info.name))
    }

    // MARK: View

    /// Moves the view to the route and its alternatives, beside the panel.
    mutating func flyToRoute() -> [Effect] {
        guard let bounds = route.found?.answer.bounds else { return [] }
        let free = freePart, small = map.viewport.resized(columns: free.columns, rows: free.rows)
        return fly(to: besidePanel(small.fitted(to: bounds, margin: 0.85)))
    }

    /// Selects a step and moves the map to it.
    mutating func walk(to step: Int) -> [Effect] {
        guard let route = route.route, !route.steps.isEmpty else { return [] }
        self.route.step = min(max(step, 0), route.steps.count - 1)
        guard let place = self.route.stepPlace else { return [] }
        let near = max(map.viewport.camera.zoom, Browser.stepZoom)
        return fly(to: besidePanel(Camera(center: place, zoom: near)))
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

    /// Saves the route to a file if the file name extension is that of a route format.
    /// - Returns: Nil for other files.
    mutating func saveRoute(as name: String) -> [Effect]? {
        guard [".gpx", ".geojson"].contains(where: name.lowercased().hasSuffix) else { return nil }
        guard let found = route.found else { return complain(RoutesText.noneToSave) }
        return [.ask(ExportRoute(answer: found.answer, chosen: route.chosen, file: name))]
    }

    /// Requests a download of the map along the route.
    mutating func downloadRoute() -> [Effect] {
        guard let shown = route.route else { return say(RoutesText.noneToDownload) }
        let ends = route.from.flatMap { from in route.to.map { "\(from.name) to \($0.name)" } }
        return withDraft { browser, draft in
            var strip = draft
            strip.name = "\(ends ?? "along the route"), \(AmountText.metres(shown.distance))"
            strip.corridor = RouteCorridor(shown)
            return browser.whenAgreed(to: strip) { [strip] in $0.show(DownloadPanel(strip)) }
        }
    }
}

extension TileLayer {
    /// True for a layer of a route.
    var isRouteLayer: Bool { role == .routes && id.hasPrefix("route:") }
}

/// The corridor along a route to download.
public struct RouteCorridor: Equatable, Sendable {
    /// The line of the route, simplified for the width of the corridor.
    public let line: [Coordinate]
    /// The full width, in metres.
    public let width: Double
    /// The default width, enough to find the way back to the route.
    static let usualWidth = 2000.0

    init(_ route: Route, width: Double = usualWidth) {
        var line: [Coordinate] = []
        for (at, place) in route.line.enumerated() {
            if let last = line.last, at < route.line.count - 1, last.metres(to: place) < width / 20 {
                continue
            }
            line.append(place)
        }
        self.line = line
        self.width = width
    }

    /// The polygon of the corridor.
    /// - Throws: `RegionGeometryFailure`
    public var geometry: RegionGeometry {
        get throws(RegionGeometryFailure) {
            try RegionGeometry([.corridor(line.map { Position($0) }, halfWidth: width / 2)])
        }
    }
}
