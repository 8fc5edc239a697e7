internal import RhumbBase
internal import RhumbGeo
package import RhumbVector

extension TileRoads {
    /// Reads the roads of a tile in any known schema. Damaged layers and lines are skipped.
    package init(_ tile: VectorTile) { self.init(tile, touching: nil) }

    /// - Parameter area: The box in units of the tile that roads must touch; nil for all roads.
    init(_ tile: VectorTile, touching area: (low: RoadGeometry.Point, high: RoadGeometry.Point)?) {
        self.init()
        guard let (schema, layer) = RoadSchema.found(in: tile) else { return }
        var reader = RoadReader()
        reader.area = area
        if let labels = schema.labels.flatMap({ (try? tile.layer(named: $0)).flatMap(\.self) }) {
            reader.readLabels(labels)
        }
        reader.read(layer, schema)
        names = reader.names.list
        roads = RoadJunctions(Roundabouts(reader.roads).roads).joined
    }
}

/// The names of a tile, each once.
private struct RoadNames {
    private(set) var list = [""]
    private var numbers = ["": 0]

    mutating func number(of name: String) -> Int {
        let safe = SafeText.sanitised(name, limit: 120)
        if let number = numbers[safe] { return number }
        numbers[safe] = list.count
        list.append(safe)
        return list.count - 1
    }
}

/// The kinds of the roads of a layer, each found once for the many roads whose attributes are equal but for
/// names.
private struct RoadKinds {
    typealias Kind = (traits: RoadTraits, level: Int, isReversed: Bool)

    private let layer: VectorLayer
    private let schema: RoadSchema
    /// True for the keys of attributes that decide the kind.
    private let matter: [Bool]
    private var cached: [[UInt32]: Kind?] = [:]
    /// The tags of the last feature.
    private var tags: [UInt32] = []

    init(_ layer: VectorLayer, _ schema: RoadSchema) {
        self.layer = layer
        self.schema = schema
        matter = layer.keys.map { !$0.hasPrefix("name") && $0 != RoadReader.numberKey }
    }

    /// Returns the kind of a feature; nil if it is no road, or damaged.
    mutating func kind(of feature: VectorFeature) -> Kind? {
        guard layer.readTags(of: feature, into: &tags) else { return nil }
        var decisive: [UInt32] = []
        for at in stride(from: 0, to: tags.count, by: 2) where matter[Int(tags[at])] {
            decisive += [tags[at], tags[at + 1]]
        }
        if let kind = cached[decisive] { return kind }
        let kind = layer.attributes(of: feature).flatMap(schema.road)
        cached.updateValue(kind, forKey: decisive)
        return kind
    }

    /// Returns an attribute of the last feature as text; nil if it lacks it.
    func text(_ key: String) -> String? {
        for at in stride(from: 0, to: tags.count, by: 2) where layer.keys[Int(tags[at])] == key {
            if let value = layer.values[Int(tags[at + 1])] { return value.text }
        }
        return nil
    }
}

/// Reads the lines of a layer.
private struct RoadReader {
    var names = RoadNames()
    private(set) var roads: [TileRoad] = []
    private var labels: [TileRoad] = []
    private var classes: [RoadClass?] = []
    private var grid: SegmentGrid?
    private var cornerCount = 0
    private var geometry = GeometryReader()
    /// The box in units that features must touch; nil for all.
    var area: (low: RoadGeometry.Point, high: RoadGeometry.Point)?
    /// The distance in units within which a label belongs to a road.
    private static let reach: Int32 = 4
    fileprivate static let numberKey = "ref"

    /// Reads the layer with names. Its classes are often more specific than those of the lines.
    mutating func readLabels(_ layer: VectorLayer) {
        var cornerCount = 0
        for feature in layer.features where feature.kind == .line && labels.count < TileRoads.cornerLimit / 8
        {
            guard isNear(feature, layer), let values = layer.attributes(of: feature) else { continue }
            var label = TileRoad(traits: RoadTraits(.minor), corners: [])
            setNames(of: &label) { values[$0]?.text }
            let word = values["subclass"] ?? values["kind"] ?? values["class"]
            let kind = RoadSchema.all[0].road(["subclass": word ?? .string("")])?.traits.kind
            for corners in corners(of: feature, layer).flatMap(RoadReader.cut)
            where cornerCount < TileRoads.cornerLimit {
                label.corners = Array(corners.prefix(TileRoads.cornerLimit / 8))
                cornerCount += label.corners.count
                labels.append(label)
                classes.append(kind)
            }
        }
        grid = labels.isEmpty ? nil : SegmentGrid(labels, margin: RoadReader.reach)
    }

    mutating func read(_ layer: VectorLayer, _ schema: RoadSchema) {
        var kinds = RoadKinds(layer, schema)
        for feature in layer.features where feature.kind == .line && cornerCount < TileRoads.cornerLimit {
            guard isNear(feature, layer), let (traits, level, isReversed) = kinds.kind(of: feature) else {
                continue
            }
            var road = TileRoad(traits: traits, corners: [], level: level)
            setNames(of: &road) { kinds.text($0) }
            for corners in corners(of: feature, layer) {
                road.corners = isReversed ? corners.reversed() : corners
                add(road)
            }
        }
    }

    private mutating func add(_ whole: TileRoad) {
        for corners in RoadReader.cut(whole.corners) where cornerCount < TileRoads.cornerLimit {
            var road = whole
            road.corners = Array(corners.prefix(TileRoads.cornerLimit - cornerCount))
            takeLabel(&road)
            // A description mentions only these.
            let isRamp = road.traits.kind == .motorway && road.traits[.link]
            if area != nil, road.name == 0, road.reference == 0, !isRamp { continue }
            cornerCount += road.corners.count
            roads.append(road)
        }
    }

    private mutating func setNames(of road: inout TileRoad, _ text: (String) -> String?) {
        road.name = names.number(of: VectorLayer.nameKeys.firstNonNil(text) ?? "")
        let number = text(RoadReader.numberKey) ?? ""
        road.reference = names.number(
            of: number.utf8.contains(UInt8(ascii: ";")) ? number.replacing(";", with: ", ") : number)
    }

    /// Takes the name of the label along the longest segment of a road.
    private func takeLabel(_ road: inout TileRoad) {
        guard let grid,
            let longest = road.corners.indices.dropLast().max(by: { length(road, $0) < length(road, $1) })
        else { return }
        let from = RoadGeometry.point(road.corners[longest]),
            to = RoadGeometry.point(road.corners[longest + 1])
        let middle = (from + to) / 2, spot = TileRoad.Corner(middle, rounding: .toNearestOrEven)
        var best = Double(RoadReader.reach), found: Int?
        for segment in grid.near(spot) where isSimilar(classes[segment.road], road.traits.kind) {
            let ends = (RoadGeometry.point(segment.from), RoadGeometry.point(segment.to))
            let distance = PlaneGeometry.nearest(middle, ends.0, ends.1).distance
            let a = to - from, b = ends.1 - ends.0
            let isParallel = abs(a.x * b.y - a.y * b.x) <= 0.35 * ((a * a).sum() * (b * b).sum()).squareRoot()
            if distance < best, isParallel {
                best = distance
                found = segment.road
            }
        }
        guard let found else { return }
        if road.name == 0 { road.name = labels[found].name }
        if road.reference == 0 { road.reference = labels[found].reference }
        guard let kind = classes[found] else { return }
        let isVague = road.traits.kind == .footway || road.traits.kind == .minor
        if isVague, kind != .minor {
            road.traits.rawValue = road.traits.rawValue & ~15 | RoadTraits(kind).rawValue
        }
    }

    /// True if a label may belong to a road of a class: both are for cars, or neither is.
    private func isSimilar(_ label: RoadClass?, _ road: RoadClass) -> Bool {
        guard let label else { return true }
        return (label.rawValue < RoadClass.track.rawValue) == (road.rawValue < RoadClass.track.rawValue)
            && (label == .ferry) == (road == .ferry)
    }

    private func length(_ road: TileRoad, _ corner: Int) -> Int64 {
        let step = road.corners[corner + 1] &- road.corners[corner]
        return Int64(step.x) * Int64(step.x) + Int64(step.y) * Int64(step.y)
    }

    // MARK: Geometry

    /// Returns true if the box around a feature touches the area.
    private mutating func isNear(_ feature: VectorFeature, _ layer: VectorLayer) -> Bool {
        guard let area else { return true }
        let unit = Double(layer.extent) / Double(TileRoads.extent)
        return geometry.read(feature, of: layer)
            && geometry.geometry.touches(area.low * unit, area.high * unit)
    }

    /// Returns the lines of a feature in units of the tile, without repeated corners.
    private mutating func corners(of feature: VectorFeature, _ layer: VectorLayer) -> [[TileRoad.Corner]] {
        guard geometry.read(feature, of: layer) else { return [] }
        let shape = geometry.geometry, extent = Int64(layer.extent), side = Int64(TileRoads.extent)
        return (0..<shape.partCount).compactMap { part in
            var corners: [TileRoad.Corner] = []
            for point in shape.points[shape.part(part)] {
                let corner = TileRoad.Corner(
                    Int32(clamping: Int64(point.x) * side / extent),
                    Int32(clamping: Int64(point.y) * side / extent))
                if corner != corners.last { corners.append(corner) }
            }
            return corners.count > 1 ? corners : nil
        }
    }

    /// Cuts a line at the borders of the tile.
    static func cut(_ line: [TileRoad.Corner]) -> [[TileRoad.Corner]] {
        let side = Double(TileRoads.extent)
        var parts: [[TileRoad.Corner]] = [], part: [TileRoad.Corner] = []
        func end() {
            if part.count > 1 { parts.append(part) }
            part = []
        }
        for (from, to) in zip(line, line.dropFirst()) {
            guard let (start, stop) = RoadGeometry.clipped(from, to, .zero, RoadGeometry.Point(side, side))
            else {
                end()
                continue
            }
            let first = TileRoad.Corner(start, rounding: .toNearestOrEven),
                last = TileRoad.Corner(stop, rounding: .toNearestOrEven)
            if part.last != first {
                end()
                part = [first]
            }
            if last != first { part.append(last) }
            if last != to { end() }
        }
        end()
        return parts
    }
}
