internal import RhumbBase
package import RhumbGeo
package import RhumbVector

/// The features around a place in vector tiles of any known schema: waters, stations, sights, shops, quarters
/// and others, and the kinds of ground at the place.
package struct TileSurroundings {
    private typealias Point = LocalPlane.Point
    private typealias Item = PlaceDescription.Item
    private typealias Topic = PlaceDescription.Topic

    private let place: Coordinate
    private let radius: Double
    private let plane: LocalPlane
    private var features: [Topic: [Near]] = [:]
    /// The nearest point of each named water.
    private var waters: [String: Near] = [:]
    /// The nearest shore of unnamed water areas, by their kind, and true if the place is in one.
    private var shores: [String: Near] = [:]
    /// The areas that contain the place, with their sizes in square metres.
    private var areas: [(size: Double, item: Item)] = []
    /// The nearest point of a railway line above the ground.
    private var rail: Near?
    /// The names of quarters in the tiles.
    package private(set) var quarters: Set<String> = []
    /// The borders of countries.
    private var borders: [(from: Point, to: Point)] = []
    private var house: (number: String, street: String, distance: Double)?
    /// The unnamed areas of water and the named courses of the tile being read.
    private var banks: [Bank] = [], courses: [Near] = []

    /// An unnamed area of water, whose shore may be the bank of a river.
    private struct Bank {
        let area: VectorGeometry
        let near: Near
        let frame: Frame
        /// The length in metres of a unit of the tile.
        let unit: Double

        /// Returns a river with its distance from the bank, if its nearest point is on this water.
        func shoring(_ course: Near) -> Near? {
            guard area.contains((course.point - frame.corner) / unit),
                near.isInside || (near.point - course.point).length < Near.halfWidth
            else { return nil }
            var course = course
            course.isInside = near.isInside
            if near.distance < course.distance {
                course.point = near.point
                course.distance = near.distance
            }
            return course
        }
    }

    struct Near {
        var name: String
        var kind: String
        var category: PlaceCategory?
        var point = LocalPlane.Point.zero
        var distance = Double.infinity
        /// True if the place is inside the area.
        var isInside = false
        /// The height of a peak in metres.
        var height: Double?
        /// The distance in metres that is added when things are compared. See `PlaceCategory.handicap(_:)`.
        var handicap = 0.0
    }

    /// A tile on the plane.
    private struct Frame {
        let tile: TileID
        let corner: Point
        let side: Double
        /// True if the place is in the tile.
        let isHome: Bool
    }

    /// The distances in metres, with the handicap, within which a thing names the place, and within which it
    /// is the place itself.
    private static let (atThing, here) = (45.0, 20.0)
    /// The distance in metres within which the place is at a house.
    private static let atHouse = 30.0
    /// The handicap of a building with a name, such as a palace.
    private static let ofBuilding = 5.0
    /// The area in square metres of the largest pond, with and without a name. Schemas call fountains and
    /// pools lakes.
    private static let pond = (named: 2000.0, unnamed: 10_000.0)
    /// The maximum number of features of a topic, and their maximum distance if it is below the radius.
    private static let limits: [Topic: (count: Int, metres: Double)] = [
        .quarter: (2, 2500), .station: (2, .infinity), .stop: (1, .infinity), .sight: (4, .infinity),
        .worship: (1, .infinity), .park: (2, park), .harbour: (1, .infinity), .shop: (3, .infinity),
        .food: (2, 1000), .service: (8, .infinity), .peak: (2, .infinity), .airport: (1, .infinity),
        .thing: (2, atThing),
    ]
    /// The distance in metres within which parks and railway lines are described.
    private static let (park, rail) = (1500.0, 500.0)
    /// The kinds of ground that are parks.
    private static let parks: Set = ["park", "garden", "nature reserve", "national park"]
    private static let railLayers: Set = ["transit", "transportation", "roads", "streets"]
    private static let groundLayers: Set<String> = [
        "landuse", "landcover", "natural", "land", "sites", "park", "parks", "aeroway", "landuse_overlay",
    ]
    private static let borderLayers: Set<String> = ["boundary", "boundaries", "admin"]

    package init(_ place: Coordinate, radius: Double) {
        self.place = place
        self.radius = radius
        plane = LocalPlane(place)
    }

    /// Loads the table of categories.
    package static func prepare() { _ = PlaceCategory.of([""]) }

    /// Returns the tiles to read, the nearest first.
    package static func tiles(around place: Coordinate, radius: Double, zoom: Int) -> [TileID] {
        LocalPlane(place).tiles(zoom: zoom, within: radius)
    }

    /// Reads a tile. Damaged layers are skipped.
    package mutating func read(_ bytes: VectorTile, _ tile: TileID) {
        let (corner, side) = plane.frame(of: tile)
        let isHome = TileID(zoom: tile.zoom, containing: Mercator.world(place)) == tile
        let frame = Frame(tile: tile, corner: corner, side: side, isHome: isHome)
        for (index, name) in bytes.layerNames.enumerated() {
            let kind = SearchLayer(name: name), isBorder = Self.borderLayers.contains(name)
            let hasFeatures =
                [.sights, .settlements, .plain(.peak)].contains(kind) || isHome && kind == .houses
            let isGround = kind == .buildings || Self.groundLayers.contains(name)
            let hasShapes = kind.isWater || isGround, hasRails = Self.railLayers.contains(name)
            guard isBorder || hasFeatures || hasShapes || hasRails, let layer = try? bytes.layer(at: index)
            else {
                continue
            }
            if isBorder { readBorders(layer, frame) }
            // Hospitals, schools and museums may be areas instead of points of interest.
            if hasFeatures || isNamedGround(name, kind, layer) { readFeatures(layer, kind, frame) }
            if hasShapes, isHome || kind != .buildings { readShapes(layer, kind, frame) }
            if hasRails { readRails(layer, frame) }
        }
        for course in courses {
            (banks.firstNonNil { $0.shoring(course) } ?? course).join(into: &waters[course.name])
        }
        banks = []
        courses = []
    }

    /// Returns true if a layer has the grounds or buildings of services and sights with their names.
    private func isNamedGround(_ name: String, _ kind: SearchLayer, _ layer: VectorLayer) -> Bool {
        (kind == .buildings || Self.groundLayers.contains(name)) && layer.keys.contains("name")
    }

    /// Adds the features of other tiles.
    package mutating func join(_ other: Self) {
        for (topic, found) in other.features { features[topic, default: []] += found }
        for (name, water) in other.waters { water.join(into: &waters[name]) }
        for (kind, shore) in other.shores { shore.join(into: &shores[kind]) }
        areas += other.areas
        if let line = other.rail, line.distance < rail?.distance ?? .infinity { rail = line }
        quarters.formUnion(other.quarters)
        borders += other.borders
        if let near = other.house, near.distance < house?.distance ?? .infinity { house = near }
    }

    // MARK: Borders

    private mutating func readBorders(_ layer: VectorLayer, _ frame: Frame) {
        var reader = GeometryReader()
        let unit = frame.side / Double(layer.extent), extent = Int32(clamping: layer.extent)
        for feature in layer.features where feature.kind == .line {
            guard layer.attributes(of: feature)?.isBorderOfCountries == true,
                reader.read(feature, of: layer)
            else { continue }
            reader.geometry.forEachSegment(isClosed: false, within: extent) { from, to in
                guard from != to else { return }
                borders.append(
                    (frame.corner + Point(from) * unit, frame.corner + Point(to) * unit))
            }
        }
    }

    /// Returns true if a border of the tiles is between the place and another one.
    package func isAcrossBorder(_ other: Coordinate) -> Bool {
        let way = (Point.zero, plane.point(Mercator.world(other)))
        return borders.contains { RoadGeometry.crossing($0, way) != nil }
    }

    private var borderItem: Item? {
        let points = borders.map { PlaneGeometry.nearest(.zero, along: [$0.from, $0.to]) }
        return points.min { $0.distance < $1.distance }.flatMap { nearest in
            nearest.distance > radius
                ? nil : Item(.border, "", at: plane.coordinate(nearest.point), from: place)
        }
    }

    // MARK: Railways

    private mutating func readRails(_ layer: VectorLayer, _ frame: Frame) {
        guard layer.values.contains(.string("rail")) else { return }
        let unit = frame.side / Double(layer.extent), here = (Point.zero - frame.corner) / unit
        let reach = min(radius, Self.rail) / unit
        var reader = GeometryReader()
        for feature in layer.features where feature.kind == .line {
            guard reader.read(feature, of: layer), reader.geometry.touches(here - reach, here + reach),
                layer.attributes(of: feature)?.isRailway == true
            else { continue }
            var near = rail ?? Near(name: "", kind: "railway line")
            reader.geometry.forEachSegment(isClosed: false, within: Int32(clamping: layer.extent)) {
                near.approach(frame.corner + Point($0) * unit, frame.corner + Point($1) * unit)
            }
            rail = near
        }
    }

    // MARK: Features

    /// Reads points of interest, settlements, peaks or houses.
    private mutating func readFeatures(_ layer: VectorLayer, _ kind: SearchLayer, _ frame: Frame) {
        let unit = frame.side / Double(TileFeatures.extent), corner = frame.corner
        let reach = kind == .houses ? Self.atHouse : radius
        var found = TileFeatures(tile: frame.tile), streets = StreetMerger(tile: frame.tile)
        var reader = SearchLayerReader(layer, kind)
        reader.area = ((-corner - reach) / unit, (-corner + reach) / unit)
        reader.read(into: &found, &streets)
        for feature in found.features {
            let point = corner + Point(feature.middle) * unit, distance = point.length
            guard distance <= radius else { continue }
            // A helipad may have only a number.
            if kind == .sights, feature.name.contains(where: \.isLetter),
                let handicap = feature.category.handicap(feature.kind), distance + handicap < Self.atThing
            {
                add(.thing, feature, point, handicap)
            }
            // The nearest edges of parks are read with the shapes.
            let isGround = ![.sights, .settlements, .plain(.peak)].contains(kind)
            if let topic = feature.category.topic(feature.kind), !isGround || topic != .park {
                add(topic, feature, point)
            }
        }
        for other in found.houses {
            let distance = (corner + Point(other.place) * unit).length
            if distance < min(house?.distance ?? .infinity, Self.atHouse) {
                house = (other.number, other.street, distance)
            }
        }
    }

    private mutating func add(
        _ topic: Topic, _ feature: IndexedFeature, _ point: Point, _ handicap: Double = 0
    ) {
        if topic == .quarter { quarters.insert(feature.name) }
        guard point.length <= Self.limits[topic]?.metres ?? .infinity else { return }
        if feature.name.isEmpty, [.park, .worship, .harbour].contains(topic) { return }
        let height = feature.details.lazy.compactMap { detail -> Double? in
            detail.hasPrefix("ele=") ? Double(detail.dropFirst(4)) : nil
        }.first { (-500...9000).contains($0) }
        features[topic, default: []].append(
            Near(
                name: feature.name, kind: feature.kind, category: feature.category, point: point,
                distance: point.length, height: height, handicap: handicap))
    }

    // MARK: Waters, buildings and ground

    /// Reads the waters within the radius, and in the place's own tile the areas that contain the place.
    private mutating func readShapes(_ layer: VectorLayer, _ kind: SearchLayer, _ frame: Frame) {
        var reader = GeometryReader()
        let unit = frame.side / Double(layer.extent), here = (Point.zero - frame.corner) / unit
        let isWater = kind.isWater, isBuilding = kind == .buildings
        let reach = (isWater ? radius : isBuilding ? Self.atThing : min(radius, Self.park)) / unit
        for feature in layer.features where feature.kind == .polygon || isWater {
            guard reader.read(feature, of: layer), reader.geometry.touches(here - reach, here + reach),
                let facts = layer.attributes(of: feature)
            else { continue }
            let isArea = feature.kind == .polygon, extent = Int32(clamping: layer.extent)
            let isPark = !isWater && !isBuilding && Self.parks.contains(facts.groundKind ?? "")
            var near = Near(name: facts.name, kind: "")
            near.isInside =
                isArea && reader.geometry.touches(here, here) && reader.geometry.contains(here)
            lazy var size =
                feature.kind == .line ? .infinity : reader.geometry.area(within: extent) * unit * unit
            if near.isInside, frame.isHome, let ground = isBuilding ? "building" : facts.groundKind {
                areas.append((size, Item(.ground, near.name, kind: ground)))
            }
            let isNamed = !near.name.isEmpty
            guard isWater && (isArea || isNamed) || (isBuilding || isPark) && isNamed else { continue }
            reader.geometry.forEachSegment(isClosed: isArea, within: extent) { from, to in
                near.approach(frame.corner + Point(from) * unit, frame.corner + Point(to) * unit)
            }
            if isPark {
                // The ground at the place is described as such.
                let isNear = near.distance < min(radius, Self.park)
                if isNear, !near.isInside { features[.park, default: []].append(near) }
            } else if isBuilding {
                near.kind = "building"
                near.handicap = Self.ofBuilding
                if near.isInside { near.distance = 0 }
                if near.distance + near.handicap < Self.atThing { features[.thing, default: []].append(near) }
            } else if let kind = facts.waterKind(layer.name) {
                // The middle of a river may be farther away than its bank.
                let margin = isArea ? 0 : Near.halfWidth
                guard near.distance <= radius + margin || near.isInside else { continue }
                near.kind =
                    ["lake", "water"].contains(kind) && size < (isNamed ? Self.pond.named : Self.pond.unnamed)
                    ? "pond" : kind
                if near.name.isEmpty {
                    near.join(into: &shores[near.kind])
                    banks.append(Bank(area: reader.geometry, near: near, frame: frame, unit: unit))
                } else if isArea {
                    near.join(into: &waters[near.name])
                } else {
                    courses.append(near)
                }
            }
        }
    }

    // MARK: Results

    /// The facts, those of each topic by distance.
    /// - Parameter street: The name of the street at the place, for houses without one; nil if unknown.
    package func items(street: String?) -> [PlaceDescription.Item] {
        var items: [Item] = []
        if let house {
            let name = house.street.isEmpty ? street ?? "" : house.street
            items.append(Item(.address, name.isEmpty ? house.number : "\(name) \(house.number)"))
        }
        for topic in Topic.allCases {
            guard let limit = Self.limits[topic], let found = features[topic] else { continue }
            let nearest = Self.joined(found, byKind: topic == .service)
            var chosen = Array(nearest.prefix(limit.count))
            for kind in ["museum", "attraction", "castle"]
            where topic == .sight && !chosen.contains(where: { $0.kind == kind }) {
                chosen += nearest.first { $0.kind == kind }.map { [$0] } ?? []
            }
            items += chosen.map { item(topic, $0) }
        }
        return items + waterItems + areas.sorted { $0.size < $1.size }.map(\.item)
            + [rail.map { item(.rail, $0) }, borderItem].compactMap(\.self)
    }

    /// The waters to describe, by distance: rivers first, small ones only if they are near.
    private var chosenWaters: [Near] {
        var seen: Set<String> = []
        let sorted = waters.values.filter { $0.distance <= radius || $0.isInside }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .filter { seen.insert($0.name.withoutWaterWord).inserted }
        let rivers = sorted.filter { $0.kind == "river" }.prefix(3)
        let others = sorted.filter { near in
            let isSmall = ["water", "pond", "stream"].contains(near.kind)
            return near.kind != "river" && near.distance < (isSmall ? 200 : 1000)
        }
        return (rivers + others.prefix(2)).sorted { $0.distance < $1.distance }
    }

    private var waterItems: [Item] {
        var items = chosenWaters.map { item(.water, $0) }
        for (kind, near) in shores.sorted(by: { $0.key < $1.key }) {
            if kind == "sea" {
                if near.isInside { items.append(Item(.sea, "")) }
                guard near.distance <= radius else { continue }
                let shore = near.isInside ? "shore" : ""
                items.append(Item(.coast, "", kind: shore, at: plane.coordinate(near.point), from: place))
            } else if items.isEmpty && near.distance < 300 && kind != "pond"
                || near.isInside && !items.contains(where: { $0.metres == nil })
            {
                items.append(item(.water, near))
            }
        }
        return items
    }

    private func item(_ topic: Topic, _ near: Near) -> Item {
        let isThing = topic == .thing && near.kind != "building"
        let kind = near.category.map { category in
            topic != .service
                ? category.word(ofKind: near.kind) : category == .fuel ? "fuel station" : category.word
        }
        guard !near.isInside, !isThing || near.distance + near.handicap >= Self.here else {
            return Item(topic, near.name, kind: kind ?? near.kind)
        }
        var item = Item(
            topic, near.name, kind: kind ?? near.kind, at: plane.coordinate(near.point), from: place)
        item.height = near.height
        return item
    }

    /// Returns features by distance, each name or unnamed kind once.
    /// - Parameter byKind: True to return only the nearest of each kind.
    private static func joined(_ found: [Near], byKind: Bool) -> [Near] {
        var seen: Set<String> = []
        return found.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.filter {
            let kind = byKind ? $0.category.map { "\($0)" } ?? $0.kind : $0.kind
            return seen.insert(byKind || $0.name.isEmpty ? "kind " + kind : $0.name).inserted
        }
    }
}

extension SearchLayer {
    fileprivate var isWater: Bool { [.plain(.lake), .plain(.river)].contains(self) }
}
