public import RhumbCore
internal import RhumbEngine

/// A query for the settlement nearest to a place.
public struct SettlementQuery: Query {
    /// The place.
    public let place: Coordinate
    /// The minimum importance of the settlement.
    public let minimumImportance: Double

    /// The settlement; nil if there is none.
    public typealias Response = PlaceBearing?
}

/// The settlement near the view or the clicked point, for the status line. It is looked up when the view is
/// at rest. Its bearing is relative to the current view.
extension Browser {
    /// The time without a move after which a view is at rest.
    static let restOfView = Duration.milliseconds(200)
    /// The zoom below which no single settlement describes the view.
    private static let nearestZoom = 3.0

    var isAtRest: Bool { movement.flight == nil && map.now - movement.viewMovedAt >= Browser.restOfView }

    /// Handles a move of the view. The settlement is updated once the view is at rest.
    mutating func viewMoved() -> [Effect] {
        movement.viewMovedAt = map.now
        return [.wake(after: Browser.restOfView)]
    }

    /// Queries the settlement near the view, if the view is at rest and the settlement unknown.
    mutating func askWhereabouts() -> [Effect] {
        let camera = Camera(
            center: pointing.marks.last ?? map.viewport.camera.center, zoom: map.viewport.camera.zoom)
        guard isAtRest else { return [] }
        guard camera.zoom >= Browser.nearestZoom || !pointing.marks.isEmpty else {
            pointing.whereabouts = Loadable()
            return []
        }
        guard pointing.whereabouts.ask(camera, at: map.now) else { return [] }
        return [
            .ask(
                SettlementQuery(place: camera.coordinate, minimumImportance: leastImportance(at: camera.zoom))
            )
        ]
    }

    /// Returns the minimum importance of a settlement. The farther out the view is, the better known the
    /// settlement must be.
    private func leastImportance(at zoom: Double) -> Double {
        zoom >= 13 ? 0 : max(7 - 0.45 * zoom, 0)
    }

    /// The settlement near the view or the clicked point; nil until it is known for them.
    var nearbyPlace: NamedPlace? {
        guard let answered = pointing.whereabouts.answered, let found = pointing.whereabouts.answer ?? nil,
            isNear(answered)
        else {
            return nil
        }
        return found.place
    }

    /// Returns true if the last lookup still applies: at the clicked point, or within the view at about the
    /// same zoom.
    private func isNear(_ answered: Camera) -> Bool {
        if let mark = pointing.marks.last { return mark == answered.center }
        let cell = map.viewport.cell(of: answered.center)
        return (0..<Double(map.viewport.columns)).contains(cell.column)
            && (0..<Double(map.viewport.rows)).contains(cell.row)
            && abs(map.viewport.camera.zoom - answered.zoom) < 1.5
    }

    /// A text such as "12 km NE of Turku, FI"; empty if no place is known.
    var whereaboutsText: String {
        guard let place = nearbyPlace,
            map.viewport.camera.zoom >= Browser.nearestZoom || !pointing.marks.isEmpty
        else {
            return ""
        }
        let bearing = PlaceBearing(toldPlace, from: map.settings.isUnicode ? place : place.inASCII)
        return PlaceFormat.bearing(bearing, units: map.settings.units, language: map.settings.nameLanguage)
    }
}
