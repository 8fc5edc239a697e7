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

    /// - Parameter places: The places, most important first.
    public func receive(_ places: [NamedPlace], in browser: inout Browser) -> [Effect] {
        let isUnicode = browser.map.settings.isUnicode
        browser.labels.places.receive(
            isUnicode ? places : places.map(\.inASCII).filter { !$0.name.isEmpty })
        browser.labels.isStale = true
        return []
    }
}

/// The known places of the gazetteer, and the part of the world that they cover.
struct KnownPlaceLabels: Sendable {
    private(set) var places: [NamedPlace] = []
    /// For each place, the radius in metres of the city that it is a district of; nil if it is not a
    /// district.
    private var reaches: [Double?] = []
    /// The box and the integer zoom of the last query.
    var box: WorldBox?
    var zoom = -1
    /// The size of the view at the last query, in cells. A larger view has other most important places.
    var columns = 0, rows = 0
    /// The number of pending responses. Only the last one counts.
    var awaited = 0
    /// True once a response has arrived.
    private(set) var isKnown = false

    /// The minimum reach of a city for naming its districts, and those as large as cities, in columns.
    private static let (sectionColumns, citySectionColumns) = (40.0, 25.0)
    /// The population of a district that is as large as a city.
    private static let citySection = 1_000_000

    mutating func receive(_ places: [NamedPlace]) {
        self.places = places
        isKnown = true
        reaches = CityDistrict.reaches(of: places)
        awaited = max(awaited - 1, 0)
    }

    /// Returns the places that are named on a map of the given zoom, most important first.
    func named(at zoom: Double, on grid: LabelGrid) -> [NamedPlace] {
        zip(places, reaches).compactMap { place, reach in
            let least =
                place.population >= Self.citySection ? Self.citySectionColumns : Self.sectionColumns
            let isHidden = reach.map { grid.columns(ofMetres: $0, at: place.coordinate) < least } ?? false
            return place.isNamed(at: zoom) && !isHidden ? place : nil
        }
    }
}

extension Browser {
    /// The maximum number of places in a query.
    private static let placeLabelLimit = 400

    /// True if the browser writes place names on the map: if the map's own are unreadable or missing, or if
    /// the user enables them.
    var showsLabels: Bool { map.settings.labels ?? (namesEverywhere || map.screenUse.open != nil) }

    /// True if place names are written everywhere, not only where the map is empty.
    var namesEverywhere: Bool { map.settings.labels ?? (base.map { !$0.info.hasLabels } ?? false) }

    /// Requests place names if the view comes near the edge of the area they are known for. Called after each
    /// move.
    mutating func followPlaceLabels() -> [Effect] {
        guard showsLabels, !isTooSmall else { return [] }
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
        labels.places = KnownPlaceLabels()
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
}
