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
    /// The borders of countries.
    private var borders: [(from: Point, to: Point)] = []
    private var house: (number: String, street: String, distance: Double)?

    fileprivate struct Near {
        var name: String
        var kind: String
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
    /// The area in square metres of the largest pond. Schemas call fountains lakes.
    private static let pond = 2000.0
    /// The maximum number of features of a topic, and their maximum distance if it is below the radius.
    private static let limits: [Topic: (count: Int, metres: Double)] = [
        .quarter: (2, 2500), .station: (2, .infinity), .stop: (1, .infinity), .sight: (4, .infinity),
        .shop: (3, .infinity), .food: (2, 1000), .service: (6, .infinity), .peak: (2, .infinity),
        .airport: (1, .infinity), .thing: (2, atThing),
    ]
    private static let groundLayers: Set<String> = [
        "landuse", "landcover", "natural", "land", "sites", "park", "parks", "aeroway", "landuse_overlay",
    ]
    private static let borderLayers: Set<String> = ["boundary", "boundaries", "admin"]

    package init(_ place: Coordinate, radius: Double) {
        self.place = place
        self.radius = radius
        plane = LocalPlane(place)
    }

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
            let isGround = isHome && (kind == .buildings || Self.groundLayers.contains(name))
            let hasShapes = kind.isWater || isGround
            guard isBorder || hasFeatures || hasShapes, let layer = try? bytes.layer(at: index) else {
                continue
            }
            if isBorder { readBorders(layer, frame) }
            if hasFeatures { readFeatures(layer, kind, frame) }
            if hasShapes { readShapes(layer, kind, frame) }
        }
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
            if kind == .sights, !feature.name.isEmpty,
                let handicap = feature.category.handicap(feature.kind), distance + handicap < Self.atThing
            {
                add(.thing, feature, point, handicap)
            }
            if let topic = feature.category.topic(feature.kind) { add(topic, feature, point) }
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
        guard point.length <= Self.limits[topic]?.metres ?? .infinity else { return }
        let category = feature.category
        let service = category == .fuel ? "fuel station" : category.word
        let height = feature.details.lazy.compactMap { detail -> Double? in
            detail.hasPrefix("ele=") ? Double(detail.dropFirst(4)) : nil
        }.first { (-500...9000).contains($0) }
        features[topic, default: []].append(
            Near(
                name: feature.name, kind: topic == .service ? service : category.word(ofKind: feature.kind),
                point: point, distance: point.length, height: height, handicap: handicap))
    }

    // MARK: Waters, buildings and ground

    /// Reads the waters within the radius, and in the place's own tile the areas that contain the place.
    private mutating func readShapes(_ layer: VectorLayer, _ kind: SearchLayer, _ frame: Frame) {
        var reader = GeometryReader()
        let unit = frame.side / Double(layer.extent), here = (Point.zero - frame.corner) / unit
        let isWater = kind.isWater, isBuilding = kind == .buildings
        let reach = (isWater ? radius : isBuilding ? Self.atThing : 0) / unit
        for feature in layer.features where feature.kind == .polygon || isWater {
            guard reader.read(feature, of: layer), reader.geometry.touches(here - reach, here + reach),
                let facts = layer.attributes(of: feature)
            else { continue }
            let isArea = feature.kind == .polygon, extent = Int32(clamping: layer.extent)
            var near = Near(name: facts.name, kind: "")
            near.isInside = isArea && reader.geometry.contains(here)
            let size =
                feature.kind == .line ? .infinity : reader.geometry.area(within: extent) * unit * unit
            if near.isInside, frame.isHome, let ground = isBuilding ? "building" : facts.groundKind {
                areas.append((size, Item(.ground, near.name, kind: ground)))
            }
            guard isWater && (isArea || !near.name.isEmpty) || isBuilding && !near.name.isEmpty else {
                continue
            }
            reader.geometry.forEachSegment(isClosed: isArea, within: extent) { from, to in
                let nearest = PlaneGeometry.nearest(
                    .zero, along: [frame.corner + Point(from) * unit, frame.corner + Point(to) * unit])
                if nearest.distance < near.distance { (near.point, near.distance) = nearest }
            }
            if isBuilding {
                near.kind = "building"
                near.handicap = Self.ofBuilding
                if near.isInside { near.distance = 0 }
                if near.distance + near.handicap < Self.atThing { features[.thing, default: []].append(near) }
            } else if let kind = facts.waterKind(layer.name), near.distance <= radius || near.isInside {
                near.kind = ["lake", "water"].contains(kind) && size < Self.pond ? "pond" : kind
                if near.name.isEmpty {
                    near.join(into: &shores[kind])
                } else {
                    near.join(into: &waters[near.name])
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
            + [borderItem].compactMap(\.self)
    }

    /// The waters to describe, by distance: rivers first, small ones only if they are near.
    private var chosenWaters: [Near] {
        let sorted = waters.values.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        let rivers = sorted.filter { $0.kind == "river" }.prefix(3)
        let others = sorted.filter { near in
            let isSmall = ["water", "pond", "stream"].contains(near.kind)
            return near.kind != "river" && near.distance < (isSmall ? 200 : 1000)
        }
        return (rivers + others.prefix(2)).sorted { $0.distance < $1.distance }
    }

    private var waterItems: [Item] {
        var items: [Item] = []
        for near in chosenWaters {
            var item = self.item(.water, near)
            // The bank of a river is nearer than its middle.
            if let shore = shores[near.kind], near.isBehind(shore) {
                item.metres = shore.isInside ? nil : shore.distance
                if shore.isInside { item.degrees = nil }
            }
            items.append(item)
        }
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
        guard !near.isInside, !isThing || near.distance + near.handicap >= Self.here else {
            return Item(topic, near.name, kind: near.kind)
        }
        var item = Item(topic, near.name, kind: near.kind, at: plane.coordinate(near.point), from: place)
        item.height = near.height
        return item
    }

    /// Returns features by distance, each name or unnamed kind once.
    /// - Parameter byKind: True to return only the nearest of each kind.
    private static func joined(_ found: [Near], byKind: Bool) -> [Near] {
        var seen: Set<String> = []
        return found.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.filter {
            seen.insert(byKind || $0.name.isEmpty ? "kind " + $0.kind : $0.name).inserted
        }
    }
}

extension TileSurroundings.Near {
    /// The maximum distance in metres from the middle of a river to its bank.
    private static let halfWidth = 300.0

    /// The sort key: the distance, with the handicap of things.
    fileprivate var rank: Double { distance + handicap }

    /// True if the nearest shore, or the water around the place, is probably that of this river.
    fileprivate func isBehind(_ shore: Self) -> Bool {
        if shore.isInside { return distance < Self.halfWidth }
        return shore.distance < distance && (shore.point - point).length < Self.halfWidth
    }

    /// Keeps the nearer one of two parts of a water.
    fileprivate func join(into known: inout Self?) {
        let isInside = isInside || known?.isInside == true
        if distance < known?.distance ?? .infinity || known == nil { known = self }
        known?.isInside = isInside
    }
}

extension SearchLayer {
    fileprivate var isWater: Bool { [.plain(.lake), .plain(.river)].contains(self) }
}

extension [String: VectorValue] {
    /// The usual name, sanitised; empty if there is none.
    fileprivate var name: String {
        let text = self["name"] ?? self["name:latin"] ?? self["name_int"] ?? self["name_en"]
        return SafeText.sanitised(text?.text ?? "", limit: 120)
    }

    private func first(_ keys: [String]) -> String? {
        keys.lazy.compactMap { self[$0]?.text }.first { !$0.isEmpty && $0 != "yes" && $0 != "other" }
    }

    /// The kind of a water, such as "river" or "sea"; nil for pools, fountains and weirs.
    fileprivate func waterKind(_ layer: String) -> String? {
        if layer == "ocean" { return "sea" }
        let kind =
            first(["water", "waterway", "leisure", "kind", "class", "subclass", "landuse", "amenity"])
            ?? "water"
        switch kind {
        case "ocean", "sea", "bay", "strait": return "sea"
        case "riverbank": return "river"
        case "river", "canal", "stream", "lake", "pond", "reservoir", "lagoon", "harbour", "water":
            return kind
        case "waterway", "natural": return "water"
        default: return nil
        }
    }

    /// True for a line between countries on land.
    fileprivate var isBorderOfCountries: Bool {
        let level = first(["admin_level", "pmap:min_admin_level", "kind_detail"])
        let isMaritime = ["1", "true", "yes"].contains(self["maritime"]?.text ?? "")
        return (level == "2" || self["kind"]?.text == "country") && !isMaritime
    }

    /// The kind of ground in words; nil if it is unknown.
    fileprivate var groundKind: String? {
        first([
            "subclass", "kind_detail", "water", "natural", "landuse", "leisure", "amenity", "aeroway", "kind",
            "class", "pmap:kind",
        ]).map { SafeText.sanitised($0, limit: 40).replacing("_", with: " ") }
            ?? (isEmpty || name.isEmpty ? nil : "area")
    }
}
