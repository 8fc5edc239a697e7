internal import RhumbBase
package import RhumbGeo
package import RhumbVector

/// The street at a place, the streets that cross it, and others nearby, from the roads of tiles.
package struct StreetSurroundings: Sendable {
    /// The facts: at most one about the street, those that cross it by distance, then others nearby.
    package private(set) var items: [PlaceDescription.Item] = []
    /// The distance in metres within which the place is on a street.
    private static let width = 25.0
    /// The distances in metres within which crossings and other streets are named.
    package static let reach = (crossing: 600.0, street: 250.0)
    private static let (mostCrossings, mostStreets) = (7, 4)

    private struct Road {
        let label: String
        /// The name, or the number of a road without one.
        let name: String
        let kind: RoadClass
        /// True in a tunnel, which may be under the place.
        let isTunnel: Bool
        /// The corners in metres around the place.
        let corners: [LocalPlane.Point]
        /// The corners in units of the zoom.
        let nodes: [SIMD2<Int32>]
        let areJunctions: [Bool]
    }

    /// - Parameters:
    ///   - zoom: The zoom of the tiles.
    ///   - name: The name of a street that the user asked for; nil for the nearest one.
    ///   - radius: The distance in metres within which anything is named.
    package init(around place: Coordinate, zoom: Int, name: String?, radius: Double, load: RoadLoader) {
        let plane = LocalPlane(place)
        let roads = plane.tiles(zoom: zoom, within: min(Self.reach.crossing, radius)).flatMap { tile in
            load(tile, false).map { Self.roads($0, tile, plane) } ?? []
        }
        let all = roads.map { (road: $0, nearest: PlaneGeometry.nearest(.zero, along: $0.corners)) }
            .sorted { ($0.nearest.distance, $0.road.label) < ($1.nearest.distance, $1.road.label) }
        let reach = min(Self.reach.street, radius), near = all.filter { $0.nearest.distance < reach }
        let wanted = near.first {
            [$0.road.label, $0.road.name].contains(name) && $0.nearest.distance < 3 * Self.width
        }
        guard let own = wanted ?? near.first(where: { !$0.road.isTunnel }) ?? near.first else { return }
        func item(
            _ topic: PlaceDescription.Topic, _ road: Road, _ point: LocalPlane.Point
        )
            -> PlaceDescription.Item
        {
            PlaceDescription.Item(
                topic, road.label, kind: road.kind.word, at: plane.coordinate(point), from: place)
        }
        var street = item(.street, own.road, own.nearest.point)
        if own.nearest.distance < Self.width { (street.metres, street.degrees) = (nil, nil) }
        items = [street]
        let named = roads.filter { $0.name != Self.ramp }
        let crossings = Self.crossings(of: own.road.name, named, within: min(Self.reach.crossing, radius))
        items += crossings.prefix(Self.mostCrossings).map { item(.crossing, $0.road, $0.point) }
        var seen = Set(crossings.map(\.road.name)).union([own.road.name, Self.ramp])
        let motorway = all.first { $0.road.kind == .motorway && $0.nearest.distance < radius }
        let beside = [motorway].compactMap(\.self) + near.filter { !$0.road.isTunnel }
        items += beside.filter { seen.insert($0.road.name).inserted }.prefix(Self.mostStreets)
            .sorted { $0.nearest.distance < $1.nearest.distance }
            .map { item(.near, $0.road, $0.nearest.point) }
    }

    /// The label of a ramp of a motorway that has neither a name nor a number.
    private static let ramp = "motorway ramp"

    private static func roads(_ tile: TileRoads, _ id: TileID, _ plane: LocalPlane) -> [Road] {
        let (corner, side) = plane.frame(of: id), unit = side / Double(TileRoads.extent)
        let origin = SIMD2(Int32(id.x), Int32(id.y)) &* TileRoads.extent
        return tile.roads.compactMap { road in
            let name = tile.names[road.name], number = tile.names[road.reference]
            let isRamp = road.traits.kind == .motorway && road.traits[.link]
            guard !name.isEmpty || !number.isEmpty || isRamp, road.traits.kind != .ferry else { return nil }
            let isNumbered = road.traits.kind.isMain && !number.isEmpty && !name.contains(number)
            return Road(
                label: name.isEmpty
                    ? number.isEmpty ? ramp : number : isNumbered ? "\(name) (\(number))" : name,
                name: name.isEmpty ? number.isEmpty ? ramp : number : name,
                kind: road.traits.kind, isTunnel: road.traits[.tunnel],
                corners: road.corners.map { corner + RoadGeometry.point($0) * unit },
                nodes: road.corners.map { $0 &+ origin }, areJunctions: road.areJunctions)
        }
    }

    /// Returns the streets that meet a street, each once for a direction, the nearest first.
    private static func crossings(
        of name: String, _ roads: [Road], within reach: Double
    ) -> [(road: Road, point: LocalPlane.Point)] {
        var nodes: Set<SIMD2<Int32>> = []
        for road in roads where road.name == name { nodes.formUnion(road.nodes) }
        var found: [(road: Road, point: LocalPlane.Point, distance: Double)] = []
        for road in roads where road.name != name {
            for (at, node) in road.nodes.enumerated() where nodes.contains(node) {
                let isEnd = at == 0 || at == road.nodes.count - 1
                let distance = RoadGeometry.length(road.corners[at])
                if isEnd || road.areJunctions[at], distance < reach {
                    found.append((road, road.corners[at], distance))
                }
            }
        }
        found.sort { ($0.distance, $0.road.label) < ($1.distance, $1.road.label) }
        var kept: [(road: Road, point: LocalPlane.Point)] = []
        for crossing in found {
            let isKnown = kept.contains {
                $0.road.name == crossing.road.name
                    && (($0.point * crossing.point).sum() > 0
                        || RoadGeometry.length($0.point - crossing.point) < 2 * width)
            }
            if !isKnown { kept.append((crossing.road, crossing.point)) }
        }
        return kept
    }
}

extension TileRoads {
    /// Reads the roads within a distance of a place in metres. To join all roads of a tile takes 20 ms.
    package init(_ bytes: VectorTile, _ tile: TileID, within metres: Double, of place: Coordinate) {
        let (corner, side) = LocalPlane(place).frame(of: tile), unit = Double(TileRoads.extent) / side
        self.init(bytes, touching: ((-corner - metres) * unit, (-corner + metres) * unit))
    }
}

extension RoadClass {
    /// The kind of road in words.
    fileprivate var word: String {
        switch self {
        case .motorway: "motorway"
        case .trunk, .primary, .secondary: "main road"
        case .track: "track"
        case .cycleway: "cycle path"
        case .path, .footway, .bridleway: "path"
        case .pedestrian: "pedestrian street"
        case .steps: "steps"
        case .tertiary, .ferry, .minor, .living, .service: "street"
        }
    }
}
