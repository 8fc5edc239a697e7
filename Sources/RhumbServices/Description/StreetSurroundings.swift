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
        let kind: RoadClass
        /// The corners in metres around the place.
        let corners: [LocalPlane.Point]
        /// The corners in units of the zoom.
        let nodes: [SIMD2<Int32>]
        let areJunctions: [Bool]
    }

    /// - Parameters:
    ///   - zoom: The zoom of the tiles.
    ///   - name: The name of a street that the user asked for; nil for the nearest one.
    package init(around place: Coordinate, zoom: Int, name: String?, load: RoadLoader) {
        let plane = LocalPlane(place)
        let roads = plane.tiles(zoom: zoom, within: Self.reach.crossing).flatMap { tile in
            load(tile, false).map { Self.roads($0, tile, plane) } ?? []
        }
        let near = roads.map { (road: $0, nearest: PlaneGeometry.nearest(.zero, along: $0.corners)) }
            .filter { $0.nearest.distance < Self.reach.street }
            .sorted { ($0.nearest.distance, $0.road.label) < ($1.nearest.distance, $1.road.label) }
        let wanted = near.first { $0.road.label == name && $0.nearest.distance < 3 * Self.width }
        guard let own = wanted ?? near.first else { return }
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
        let crossings = Self.crossings(of: own.road.label, roads)
        items += crossings.prefix(Self.mostCrossings).map { item(.crossing, $0.road, $0.point) }
        var seen = Set(crossings.map(\.road.label)).union([own.road.label])
        let others = near.filter { seen.insert($0.road.label).inserted }
        items += others.prefix(Self.mostStreets).map { item(.near, $0.road, $0.nearest.point) }
    }

    private static func roads(_ tile: TileRoads, _ id: TileID, _ plane: LocalPlane) -> [Road] {
        let (corner, side) = plane.frame(of: id), unit = side / Double(TileRoads.extent)
        let origin = SIMD2(Int32(id.x), Int32(id.y)) &* TileRoads.extent
        return tile.roads.compactMap { road in
            let name = tile.names[road.name], number = tile.names[road.reference]
            guard !name.isEmpty || !number.isEmpty, road.traits.kind != .ferry else { return nil }
            let isNumbered = road.traits.kind.isMain && !number.isEmpty && !name.contains(number)
            return Road(
                label: name.isEmpty ? number : isNumbered ? "\(name) (\(number))" : name,
                kind: road.traits.kind, corners: road.corners.map { corner + RoadGeometry.point($0) * unit },
                nodes: road.corners.map { $0 &+ origin }, areJunctions: road.areJunctions)
        }
    }

    /// Returns the streets that meet a street, each once for a direction, the nearest first.
    private static func crossings(
        of label: String, _ roads: [Road]
    ) -> [(road: Road, point: LocalPlane.Point)] {
        var nodes: Set<SIMD2<Int32>> = []
        for road in roads where road.label == label { nodes.formUnion(road.nodes) }
        var found: [(road: Road, point: LocalPlane.Point, distance: Double)] = []
        for road in roads where road.label != label {
            for (at, node) in road.nodes.enumerated() where nodes.contains(node) {
                let isEnd = at == 0 || at == road.nodes.count - 1
                let distance = RoadGeometry.length(road.corners[at])
                if isEnd || road.areJunctions[at], distance < reach.crossing {
                    found.append((road, road.corners[at], distance))
                }
            }
        }
        found.sort { ($0.distance, $0.road.label) < ($1.distance, $1.road.label) }
        var kept: [(road: Road, point: LocalPlane.Point)] = []
        for crossing in found {
            let isKnown = kept.contains {
                $0.road.label == crossing.road.label
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
