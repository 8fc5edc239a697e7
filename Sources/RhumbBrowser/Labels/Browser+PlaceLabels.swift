public import RhumbCore
internal import RhumbEngine

/// Which places have their names in a part of the map?
public struct PlaceLabelQuery: Query {
    /// The part of the map.
    public let bounds: Bounds
    /// The importance that places have at least.
    public let minimumImportance: Double
    /// The most places returned.
    public let limit: Int

    /// All are answered: the browser counts the responses that it awaits.
    public static var scheduling: QueryScheduling { .inOrder("places") }
    /// Drawn together with other labels.
    public static var isDrawnAtOnce: Bool { false }

    /// - Parameter places: The most important first.
    public func receive(_ places: [NamedPlace], in browser: inout Browser) -> [Effect] {
        let isUnicode = browser.settings.isUnicode
        browser.placeLabels.receive(
            isUnicode ? places : places.map(\.inASCII).filter { !$0.name.isEmpty })
        browser.labels.isStale = true
        return []
    }
}

/// The known places of the gazetteer, and the part of the world that they cover.
struct KnownPlaceLabels: Sendable {
    private(set) var places: [NamedPlace] = []
    /// For each of them how far the city reaches that it is a section of, in metres; nil: it is none.
    private var reaches: [Double?] = []
    /// The box and the integer zoom of the last query.
    var box: WorldBox?
    var zoom = -1
    /// The size of the view at the last query, in cells. The most important places of a larger view are
    /// others.
    var columns = 0, rows = 0
    /// The number of responses on their way; only the last counts.
    var awaited = 0
    /// True once an answer arrived.
    private(set) var isKnown = false

    /// The width of a city in columns from which its sections are named.
    private static let sectionColumns = 50.0

    mutating func receive(_ places: [NamedPlace]) {
        self.places = places
        isKnown = true
        reaches = CityDistrict.reaches(of: places)
        awaited = max(awaited - 1, 0)
    }

    /// Those that have their names on a map of that zoom, the most important first.
    func named(at zoom: Double, on grid: LabelGrid) -> [NamedPlace] {
        zip(places, reaches).compactMap { place, reach in
            let isHidden =
                reach.map { grid.columns(ofMetres: $0, at: place.coordinate) < Self.sectionColumns } ?? false
            return place.isNamed(at: zoom) && !isHidden ? place : nil
        }
    }
}

extension Browser {
    /// Labels kept ready at most.
    private static let placeLabelLimit = 400

    /// True if place names are written over the map: if its own are unreadable or missing, or if the user
    /// says so.
    var showsLabels: Bool { settings.labels ?? (namesEverywhere || screenUse.open != nil) }

    /// True if they are written everywhere, not only where the map is empty.
    var namesEverywhere: Bool { settings.labels ?? (base.map { !$0.info.hasLabels } ?? false) }

    /// After a move: asks for labels if the view comes near the edge of the ground they are known for.
    mutating func followPlaceLabels() -> [Effect] {
        guard showsLabels, !isTooSmall else { return [] }
        let zoom = Int(viewport.camera.zoom.rounded(.down)), view = viewport.box
        let width = view.maxX - view.minX, height = view.maxY - view.minY
        if let box = placeLabels.box, placeLabels.zoom == zoom, placeLabels.columns == viewport.columns,
            placeLabels.rows == viewport.rows, box.minX <= view.minX - width / 3,
            box.maxX >= view.maxX + width / 3,
            box.minY <= view.minY - height / 3, box.maxY >= view.maxY + height / 3
        {
            return []
        }
        placeLabels.zoom = zoom
        placeLabels.columns = viewport.columns
        placeLabels.rows = viewport.rows
        placeLabels.box = WorldBox(
            minX: view.minX - width, minY: view.minY - height, maxX: view.maxX + width,
            maxY: view.maxY + height)
        guard let bounds = Browser.bounds(of: placeLabels.box) else { return [] }
        placeLabels.awaited += 1
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
        settings.labels = isOn
        placeLabels = KnownPlaceLabels()
        forgetLabels()
        return []
    }

    /// Writes labels in another language, where the map has it.
    mutating func setNames(_ language: NameLanguage) -> [Effect] {
        settings.nameLanguage = language
        labels.layout = nil
        labels.base = nil
        labels.isStale = true
        return []
    }
}
