public import RhumbCore
internal import RhumbEngine

/// A query for the places to be named in a part of the map.
public struct PlaceLabelQuery: Query {
    /// The part of the map.
    public let bounds: Bounds
    /// The minimum importance of the places.
    public let minimumImportance: Double
    /// The maximum number of places returned.
    public let limit: Int

    /// No query is skipped, because the browser counts the responses that it awaits.
    public static var scheduling: QueryScheduling { .inOrder("places") }
    /// False, because the names are drawn together with other labels.
    public static var isDrawnAtOnce: Bool { false }

    /// The places, most important first.
    public typealias Response = [NamedPlace]
}

extension Browser {
    /// The maximum number of places in a query.
    private static let placeLabelLimit = 400

    /// True if the browser writes labels on the map: names, or the heights of contour lines.
    var showsLabels: Bool { showsNames || map.settings.labels != false && shownContours != nil }

    /// True if the browser writes place names on the map: if the map's own are unreadable or missing, or if
    /// the user enables them.
    var showsNames: Bool { map.settings.labels ?? (namesEverywhere || map.screenUse.open != nil) }

    /// True if place names are written everywhere, not only where the map is empty.
    var namesEverywhere: Bool { map.settings.labels ?? (base.map { !$0.info.hasLabels } ?? false) }

    /// Requests place names if the view comes near the edge of the area they are known for. Called after each
    /// move.
    mutating func followPlaceLabels() -> [Effect] {
        guard showsNames, !isTooSmall else { return [] }
        let zoom = Int(map.viewport.camera.zoom.rounded(.down)), view = map.viewport.box
        let width = view.maxX - view.minX, height = view.maxY - view.minY
        if let box = labels.places.box, labels.places.zoom == zoom,
            labels.places.columns == map.viewport.columns,
            labels.places.rows == map.viewport.rows, box.minX <= view.minX - width / 3,
            box.maxX >= view.maxX + width / 3,
            box.minY <= view.minY - height / 3, box.maxY >= view.maxY + height / 3
        {
            return []
        }
        labels.places.zoom = zoom
        labels.places.columns = map.viewport.columns
        labels.places.rows = map.viewport.rows
        labels.places.box = WorldBox(
            minX: view.minX - width, minY: view.minY - height, maxX: view.maxX + width,
            maxY: view.maxY + height)
        guard let bounds = Browser.bounds(of: labels.places.box) else { return [] }
        labels.places.awaited += 1
        return [
            .ask(
                PlaceLabelQuery(
                    bounds: bounds, minimumImportance: max(6.6 - 0.5 * Double(zoom), 0),
                    limit: Browser.placeLabelLimit))
        ]
    }

    private static func bounds(of box: WorldBox?) -> Bounds? {
        guard let box else { return nil }
        let isWhole = box.maxX - box.minX >= 1
        let north = Mercator.coordinate(WorldPoint(x: box.minX, y: max(box.minY, 0)))
        let south = Mercator.coordinate(WorldPoint(x: box.maxX, y: min(box.maxY, 1)))
        return Bounds(
            west: isWhole ? -180 : north.longitude, south: south.latitude,
            east: isWhole ? 180 : south.longitude,
            north: north.latitude)
    }

    mutating func setLabels(_ isOn: Bool?) -> [Effect] {
        map.settings.labels = isOn
        labels.places = PlaceLabelState()
        forgetLabels()
        return []
    }

    /// Switches the labels to another language, where the map has it.
    mutating func setNames(_ language: NameLanguage) -> [Effect] {
        map.settings.nameLanguage = language
        labels.layout = nil
        labels.base = nil
        labels.isStale = true
        return []
    }

    /// Decodes the outlines of countries and oceans, where their names are written. Otherwise, the first
    /// labels decode them.
    public static func loadLabelAreas() { _ = LabelArea.embedded }
}
