internal import RhumbCore
internal import RhumbEngine

/// Which settlement the view is near, for the status line. It is looked up when the view rests,
/// and described relative to where the view is now.
extension Browser {
    /// A view that hasn't moved for so long rests.
    static let restOfView = Duration.milliseconds(200)
    /// Farther out than this no single settlement says where one is.
    private static let nearestZoom = 3.0

    var isAtRest: Bool { flight == nil && now - viewMovedAt >= Browser.restOfView }

    /// After a move: looks again once the view rests.
    mutating func viewMoved() -> [Effect] {
        viewMovedAt = now
        return [.wake(after: Browser.restOfView)]
    }

    /// Asks where the view is, if it rests and that isn't known.
    mutating func askWhereabouts() -> [Effect] {
        let camera = Camera(center: marks.last ?? viewport.camera.center, zoom: viewport.camera.zoom)
        guard isAtRest else { return [] }
        guard camera.zoom >= Browser.nearestZoom else {
            whereabouts = Inquiry()
            return []
        }
        guard whereabouts.ask(camera, at: now) else { return [] }
        return [.locate(camera.coordinate, minimumImportance: leastImportance(at: camera.zoom))]
    }

    mutating func learn(_ bearing: PlaceBearing?) -> [Effect] {
        if let asked = whereabouts.asked { whereabouts.learn(bearing, to: asked) }
        return []
    }

    /// The farther out, the better known a place must be to say where one is.
    private func leastImportance(at zoom: Double) -> Double {
        zoom >= 13 ? 0 : max(7 - 0.45 * zoom, 0)
    }

    /// "12 km NE of Turku, FI"; empty where no place is known.
    var whereaboutsText: String {
        guard let place = (whereabouts.answer ?? nil).map({ settings.isUnicode ? $0.place : $0.place.inASCII }), viewport.camera.zoom >= Browser.nearestZoom else { return "" }
        return PlaceFormat.bearing(
            PlaceBearing(toldPlace, from: place), units: settings.units, language: settings.nameLanguage)
    }
}
