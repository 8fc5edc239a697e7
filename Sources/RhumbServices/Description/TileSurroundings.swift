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
    private var areas: [Item] = []
    /// The borders of countries.
    private var borders: [(from: Point, to: Point)] = []
    private var house: (number: String, street: String, distance: Double)?

    fileprivate struct Near {
        var name: String
        var kind: String
        var point: LocalPlane.Point
        var distance: Double
        /// True if the place is inside the area.
        var isInside = false
        /// The height of a peak in metres.
        var height: Double?
    }

    /// The distance in metres within which the place is at a thing, and within which it is at a house.
    private static let (atThing, atHouse) = (40.0, 30.0)
    /// The area in square metres of the largest pond. Schemas call fountains lakes.
    private static let pond = 2000.0
    /// The distance in metres within which a thing is the place itself.
    private static let here = 10.0
    /// The maximum number of features of a topic, and their maximum distance if it is below the radius.
    private static let limits: [Topic: (count: Int, metres: Double)] = [
        .quarter: (2, 2500), .station: (2, .infinity), .stop: (1, .infinity), .sight: (4, .infinity),
        .shop: (3, .infinity), .food: (2, 1000), .service: (6, .infinity), .peak: (2, .infinity),
        .airport: (1, .infinity), .thing: (2, atThing),
    ]

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
        let (corner, side) = plane.frame(of: tile),
            isHome =
                TileID(
                    zoom: tile.zoom, containing: Mercator.world(place)) == tile
        var grounds: [VectorLayer] = []
        for (index, name) in bytes.layerNames.enumerated() {
            let kind = SearchLayer(name: name)
            let isWater = [.plain(.lake), .plain(.river)].contains(kind)
            if Self.borderLayers.contains(name), let layer = try? bytes.layer(at: index) {
                readBorders(layer, corner, side)
            }
            let isRead =
                isWater || [.sights, .settlements, .plain(.peak)].contains(kind)
                || isHome && (kind == .houses || kind == .buildings || Self.groundLayers.contains(name))
            guard isRead, let layer = try? bytes.layer(at: index) else { continue }
            if isWater { readWaters(layer, corner, side) }
            if kind == .houses { readHouses(layer, tile, corner, side) }
            if isHome, isWater || kind == .buildings || Self.groundLayers.contains(name) {
                grounds.append(layer)
            }
            if [.sights, .settlements, .plain(.peak)].contains(kind) {
                readFeatures(layer, kind, tile, corner, side)
            }
        }
        if isHome { readGround(grounds, corner, side) }
    }

    private static let groundLayers: Set<String> = [
        "landuse", "landcover", "natural", "land", "sites", "park", "parks", "aeroway", "landuse_overlay",
    ]

    private static let borderLayers: Set<String> = ["boundary", "boundaries", "admin"]

    // MARK: Borders

    private mutating func readBorders(_ layer: VectorLayer, _ corner: Point, _ side: Double) {
        var reader = GeometryReader()
        let unit = side / Double(layer.extent), extent = Int32(clamping: layer.extent)
        for feature in layer.features where feature.kind == .line {
            guard layer.attributes(of: feature)?.isBorderOfCountries == true,
                reader.read(feature, of: layer)
            else { continue }
            reader.geometry.forEachSegment(isClosed: false, within: extent) { from, to in
                guard from != to else { return }
                borders.append(
                    (
                        corner + Point(Double(from.x), Double(from.y)) * unit,
                        corner + Point(Double(to.x), Double(to.y)) * unit
                    ))
            }
        }
    }

    /// Returns true if a border of the tiles is between the place and another one.
    package func isAcrossBorder(_ other: Coordinate) -> Bool {
        let way = (Point.zero, plane.point(Mercator.world(other)))
        return borders.contains { RoadGeometry.crossing($0, way) != nil }
    }

    private var borderItem: Item? {
        let points = borders.map { from, to in
            from + (to - from) * PlaneGeometry.nearest(.zero, from, to).share
        }
        return points.min { $0.length < $1.length }.flatMap { point in
            point.length > radius ? nil : Item(.border, "", at: plane.coordinate(point), from: place)
        }
    }

    // MARK: Features

    private mutating func readFeatures(
        _ layer: VectorLayer, _ kind: SearchLayer, _ tile: TileID, _ corner: Point, _ side: Double
    ) {
        var found = TileFeatures(tile: tile), streets = StreetMerger(tile: tile)
        var reader = SearchLayerReader(layer, kind)
        reader.read(into: &found, &streets)
        let unit = side / Double(TileFeatures.extent)
        for feature in found.features {
            let point = corner + Point(Double(feature.middle.x), Double(feature.middle.y)) * unit
            let distance = point.length
            guard distance <= radius else { continue }
            if distance < Self.atThing, kind == .sights, !feature.name.isEmpty, feature.category.isThing {
                add(.thing, feature, point, distance)
            }
            if let topic = feature.category.topic(feature.kind) { add(topic, feature, point, distance) }
        }
    }

    private mutating func add(_ topic: Topic, _ feature: IndexedFeature, _ point: Point, _ distance: Double) {
        guard distance <= Self.limits[topic]?.metres ?? .infinity else { return }
        let word = feature.category.description(ofKind: feature.kind)
        let height = feature.details.lazy.compactMap { detail -> Double? in
            detail.hasPrefix("ele=") ? Double(detail.dropFirst(4)) : nil
        }.first { (-500...9000).contains($0) }
        features[topic, default: []].append(
            Near(name: feature.name, kind: word, point: point, distance: distance, height: height))
    }

    private mutating func readHouses(
        _ layer: VectorLayer, _ tile: TileID, _ corner: Point, _ side: Double
    ) {
        var found = TileFeatures(tile: tile), streets = StreetMerger(tile: tile)
        var reader = SearchLayerReader(layer, .houses)
        reader.read(into: &found, &streets)
        let unit = side / Double(TileFeatures.extent)
        for other in found.houses {
            let distance = (corner + Point(Double(other.place.x), Double(other.place.y)) * unit).length
            if distance < min(house?.distance ?? .infinity, Self.atHouse) {
                house = (other.number, other.street, distance)
            }
        }
    }

    // MARK: Waters and ground

    private mutating func readWaters(_ layer: VectorLayer, _ corner: Point, _ side: Double) {
        var reader = GeometryReader()
        let unit = side / Double(layer.extent), extent = Int32(clamping: layer.extent)
        for feature in layer.features where reader.read(feature, of: layer) {
            guard let facts = layer.attributes(of: feature), let kind = facts.waterKind(layer.name) else {
                continue
            }
            let name = facts.name, shape = reader.geometry
            guard feature.kind == .polygon || !name.isEmpty else { continue }
            var near = Near(name: name, kind: kind, point: .zero, distance: .infinity)
            near.isInside = feature.kind == .polygon && shape.contains((Point.zero - corner) / unit)
            if ["lake", "water"].contains(kind), shape.area(within: extent) * unit * unit < Self.pond {
                near.kind = "pond"
            }
            shape.forEachSegment(isClosed: feature.kind == .polygon, within: extent) { from, to in
                let start = corner + Point(Double(from.x), Double(from.y)) * unit
                let end = corner + Point(Double(to.x), Double(to.y)) * unit
                let (share, distance) = PlaneGeometry.nearest(.zero, start, end)
                if distance < near.distance {
                    (near.point, near.distance) = (start + (end - start) * share, distance)
                }
            }
            guard near.distance <= radius || near.isInside else { continue }
            if name.isEmpty { near.join(into: &shores[kind]) } else { near.join(into: &waters[name]) }
        }
    }

    private mutating func readGround(_ layers: [VectorLayer], _ corner: Point, _ side: Double) {
        var search = FeatureSearch(at: (Point.zero - corner) / side, reach: 0)
        search.wording = { facts in
            facts.groundKind.map { kind in
                [MapFeature.Attribute("kind", kind)]
                    + (facts.name.isEmpty ? [] : [MapFeature.Attribute("name", facts.name)])
            } ?? []
        }
        areas = search.features(in: layers).filter { $0.kind == .polygon && !$0.attributes.isEmpty }.map {
            let isBuilding = SearchLayer(name: $0.layer) == .buildings
            let kind = isBuilding ? "building" : $0.attributes.first { $0.name == "kind" }?.value ?? ""
            return Item(.ground, $0.attributes.first { $0.name == "name" }?.value ?? "", kind: kind)
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
            if topic == .sight {
                for kind in ["museum", "attraction", "castle"]
                where !chosen.contains(where: { $0.kind == kind }) {
                    chosen += nearest.first { $0.kind == kind }.map { [$0] } ?? []
                }
            }
            items += chosen.map { item(topic, $0) }
        }
        return items + waterItems + areas + [borderItem].compactMap(\.self)
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
                if near.distance <= radius { items.append(shore(near)) }
            } else if items.isEmpty && near.distance < 300 && kind != "pond"
                || near.isInside && !items.contains(where: { $0.metres == nil })
            {
                items.append(self.item(.water, near))
            }
        }
        return items
    }

    /// Returns the nearest shore of the sea, also for a place in the sea.
    private func shore(_ near: Near) -> Item {
        let kind = near.isInside ? "shore" : ""
        return Item(.coast, "", kind: kind, at: plane.coordinate(near.point), from: place)
    }

    private func item(_ topic: Topic, _ near: Near) -> Item {
        let isHere = near.isInside || topic == .thing && near.distance < Self.here
        guard !isHere else { return Item(topic, near.name, kind: near.kind) }
        var item = Item(topic, near.name, kind: near.kind, at: plane.coordinate(near.point), from: place)
        item.height = near.height
        return item
    }

    /// Returns features by distance, each name or unnamed kind once.
    /// - Parameter byKind: True to return only the nearest of each kind.
    private static func joined(_ found: [Near], byKind: Bool) -> [Near] {
        var seen: Set<String> = []
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.filter {
            seen.insert(byKind || $0.name.isEmpty ? "kind " + $0.kind : $0.name).inserted
        }
    }
}

extension TileSurroundings.Near {
    /// The maximum distance in metres from the middle of a river to its bank.
    private static let halfWidth = 300.0

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

extension PlaceCategory {
    /// True for features that name the place where they are.
    fileprivate var isThing: Bool {
        ![.parking, .bicycle, .toilets, .water, .shelter, .street, .address, .building].contains(self)
    }

    /// Returns the subject of a feature; nil if it is not mentioned.
    fileprivate func topic(_ kind: String) -> PlaceDescription.Topic? {
        switch self {
        case .settlement:
            let quarters = ["suburb", "neighbourhood", "neighborhood", "quarter", "borough", "macrohood"]
            return quarters.contains(kind) ? .quarter : nil
        case .transit:
            return ["station", "train_station", "railway_station", "halt"].contains(kind)
                ? .station : kind == "taxi" || kind.hasSuffix("entrance") ? nil : .stop
        case .sight: return ["information", "artwork", "tourism", "historic"].contains(kind) ? nil : .sight
        case .museum, .viewpoint: return .sight
        case .shop: return .shop
        case .food, .drinks: return .food
        case .supermarket, .pharmacy, .hospital, .bank, .post, .police, .toilets, .fuel: return .service
        case .peak: return .peak
        case .airport: return .airport
        default: return nil
        }
    }

    /// Returns the kind in words, such as "museum".
    fileprivate func description(ofKind kind: String) -> String {
        switch self {
        case .fuel: "fuel station"
        case .supermarket, .pharmacy, .hospital, .bank, .post, .police, .toilets: word
        default: kind.isEmpty ? word : kind.replacing("_", with: " ")
        }
    }
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
