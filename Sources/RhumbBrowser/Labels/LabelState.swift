internal import RhumbCore
internal import RhumbEngine

/// The known labels of the base map's tiles, and their layout.
struct LabelState: Sendable {
    /// The places of the gazetteer.
    var places = PlaceLabelState()
    /// The query that `tiles` belongs to. Its own list of tiles is not relevant.
    var shown: LabelQuestion?
    /// The labels of each tile; empty for tiles without labels.
    var tiles: [TileID: [MapLabel]] = [:]
    /// All labels, most important first.
    private(set) var sorted: [MapLabel] = []
    /// The last query, and all tiles requested since the zoom, the layer or the language last changed.
    var asked: LabelQuestion?
    var askedTiles: Set<TileID> = []
    /// The view of the first request; nil once the surroundings were requested.
    var begunAt: Camera?
    /// The requested tiles that are not available yet.
    var missing: Set<TileID> = []
    /// The view of the last query.
    var camera: Camera?
    /// The time at which missing tiles in view are requested again; nil for none.
    var retryAt: Duration?
    var retries = 0
    /// The layout to draw.
    var layout: LabelLayout?
    /// The layout that is independent of the view, so that labels do not depend on the path to a view.
    var base: LabelLayout?
    /// True if the layout includes all available labels. Labels in view then keep their positions.
    var isSettled = false
    /// The last requested layout; nil for none.
    var task: Task?
    /// True while the layout is being made.
    var isLayingOut = false
    /// The heights of the contour lines in view.
    var heights = ContourLabels()
    /// The colours of the drawn labels.
    let inks = LabelInk.Memory()
    /// True if labels have arrived that the layout does not include.
    var isStale = false

    /// The number and the inputs of a requested layout.
    struct Task: Sendable {
        let number: Int
        let grid: LabelGrid
        let box: CellBox
        let view: CellBox
        /// The covered cells of the screen.
        let covered: [CellBox]
        /// The marks on the map.
        let marks: [WorldPoint]
        /// The name written at a mark; nil if there is none.
        let markedName: String?
        /// True if the view was at rest.
        let isAtRest: Bool
        /// True if the surroundings of the view were known.
        let hasSurroundings: Bool
        /// True if the layout does not change the base.
        let keepsBase: Bool
    }

    /// True if the surroundings of the view are known too.
    var hasSurroundings: Bool {
        begunAt == nil && askedTiles.allSatisfy { tiles[$0] != nil || missing.contains($0) }
    }

    /// Discards the labels of a map that is no longer shown, but keeps their layout.
    mutating func forget() {
        guard asked != nil || !tiles.isEmpty else { return }
        let before = self
        self = LabelState(places: places)
        layout = before.layout
        base = before.base
        task = before.task
        isLayingOut = before.isLayingOut
        isStale = true
    }

    /// Allows missing tiles to be requested again.
    mutating func forgive(_ tiles: Set<TileID>) {
        askedTiles.subtract(missing.intersection(tiles))
        missing.subtract(tiles)
    }

    /// Stores the labels of the requested tiles, unless the map was changed since.
    mutating func receive(_ answer: [TileLabels], to question: LabelQuestion) {
        guard asked?.isLike(question) == true else { return }
        if shown?.isLike(question) != true {
            tiles = [:]
            isSettled = false
        }
        shown = question
        // Tiles of a view of another size are not asked for any more.
        for tile in answer where askedTiles.contains(tile.tile) { tiles[tile.tile] = tile.labels }
        missing.formUnion(Set(question.tiles).subtracting(answer.map(\.tile)))
        let all = tiles.values.flatMap(\.self)
        sorted = all.indices.sorted { all[$0].rank < all[$1].rank }.map { all[$0] }
        isStale = true
    }
}

/// The known places of the gazetteer, and the part of the world that they cover.
struct PlaceLabelState: Sendable {
    /// A place to be named.
    struct Named: Sendable {
        let place: NamedPlace
        /// True for a town beside a city that is many times as large.
        let isSuburb: Bool
    }

    private(set) var places: [NamedPlace] = []
    /// For each place, the radius in metres of the city that it is a district of; nil if it is not a
    /// district.
    private var reaches: [Double?] = []
    /// The numbers of the suburbs.
    private var suburbs: Set<Int> = []
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
    /// The minimum population of a city with suburbs, the distance of a suburb in radii of the city, and its
    /// maximum share of the city's population.
    private static let (suburban, suburbReach, suburbShare) = (1_000_000, 3.0, 0.15)

    mutating func receive(_ places: [NamedPlace]) {
        self.places = places
        isKnown = true
        reaches = CityDistrict.reaches(of: places)
        suburbs = Self.suburbs(among: places)
        awaited = max(awaited - 1, 0)
    }

    /// Returns the places that are named on a map of the given zoom, most important first.
    func named(at zoom: Double, on grid: LabelGrid) -> [Named] {
        zip(places, reaches).compactMap { place, reach in
            let least =
                place.population >= Self.citySection ? Self.citySectionColumns : Self.sectionColumns
            let isHidden = reach.map { grid.columns(ofMetres: $0, at: place.coordinate) < least } ?? false
            guard place.isNamed(at: zoom), !isHidden else { return nil }
            return Named(place: place, isSuburb: suburbs.contains(place.number))
        }
    }

    private static func suburbs(among places: [NamedPlace]) -> Set<Int> {
        let cities = places.filter { $0.kind.isSettlement && $0.population >= suburban }
        let suburbs = places.filter { place in
            place.kind.isSettlement && place.kind != .capital
                && cities.contains {
                    CityDistrict.isSection(place, of: $0)
                        || Double(place.population) < suburbShare * Double($0.population)
                            && place.coordinate.sphericalMetres(to: $0.coordinate)
                                < suburbReach * CityDistrict.reach(of: $0)
                }
        }
        return Set(suburbs.map(\.number))
    }
}

/// The heights of the contour lines in view. Their query is not that of the map's labels, so that neither
/// replaces the other.
struct ContourLabels: Sendable {
    /// The last query; nil if no contours are shown.
    var asked: LabelQuestion?
    /// The requested tiles.
    var askedTiles: Set<TileID> = []
    var tiles: [TileID: [MapLabel]] = [:]
    /// The requested tiles that are not loaded yet.
    var missing: Set<TileID> = []
    /// The time at which they are requested again; nil for none.
    var retryAt: Duration?
    /// The number of such requests since a tile arrived.
    var retries = 0

    /// All labels, in a constant order.
    var all: [MapLabel] { tiles.sorted { $0.key < $1.key }.flatMap(\.value) }
}
