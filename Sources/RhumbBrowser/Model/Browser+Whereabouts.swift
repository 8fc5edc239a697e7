public import RhumbCore
internal import RhumbEngine

/// A query for the settlement nearest to a place.
public struct SettlementQuery: Query {
    /// The place.
    public let place: Coordinate
    /// The minimum importance of the settlement.
    public let minimumImportance: Double

    /// The location in words.
    public typealias Response = Whereabouts
}

/// The location of a place in words: relative to a settlement, or far from all of them by the country or the
/// sea.
public struct Whereabouts: Sendable {
    /// The settlement; nil if there is none.
    let settlement: PlaceBearing?
    /// The country or sea of a place far from the settlement; empty for others, and if unknown.
    let area: String
    /// The distance in metres beyond which a settlement doesn't tell where a place is.
    static let reach = 150_000.0

    /// - Parameter settlement: The settlement nearest to the place; nil if there is none.
    public init(of place: Coordinate, settlement: PlaceBearing?) {
        self.settlement = settlement
        let isFar = settlement.map { $0.metres > Self.reach } ?? true
        area = isFar ? LabelArea.name(at: place) : ""
    }
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
    var nearbyPlace: NamedPlace? { knownWhereabouts?.settlement?.place }

    private var knownWhereabouts: Whereabouts? {
        guard let answered = pointing.whereabouts.answered, isNear(answered) else { return nil }
        return pointing.whereabouts.answer
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

    /// The distance in metres from a settlement within which it names the start of a route.
    private static let reachOfName = 10_000.0

    /// The name of the place in the status line: that of the clicked thing, or of a settlement close by; nil
    /// if neither is known.
    var toldName: String? {
        if pointing.marks.count == 1, pointing.clicked.name != nil { return placeWords }
        let isClose = nearbyPlace.map { PlaceBearing(toldPlace, from: $0).metres < Browser.reachOfName }
        return isClose == true && !whereaboutsText.isEmpty ? whereaboutsText : nil
    }

    /// A text such as "12 km NE of Turku, FI" or "Barents Sea"; empty if nothing is known.
    var whereaboutsText: String {
        guard let known = knownWhereabouts,
            map.viewport.camera.zoom >= Browser.nearestZoom || !pointing.marks.isEmpty
        else {
            return ""
        }
        let isUnicode = map.settings.isUnicode
        let bearing = known.settlement.map {
            PlaceBearing(toldPlace, from: isUnicode ? $0.place : $0.place.inASCII)
        }
        guard let bearing, bearing.metres <= Whereabouts.reach else {
            return isUnicode ? known.area : Transliteration.ascii(known.area)
        }
        return PlaceFormat.bearing(bearing, units: map.settings.units, language: map.settings.nameLanguage)
    }
}
