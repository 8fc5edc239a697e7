internal import Dispatch
internal import RhumbBase
package import RhumbGeo
internal import Synchronization

/// Returns the roads of a tile, or only the main ones; nil if the tile isn't stored.
package typealias RoadLoader = @Sendable (_ tile: TileID, _ isMainOnly: Bool) -> TileRoads?

/// The roads that a mode of travel can use, as a graph. Tiles of one zoom are loaded when a search reaches
/// them, and joined at their borders. An edge has two directions: twice its number forwards, and one more
/// backwards.
final class RoadGraph {
    struct Edge {
        let from, to: Int32
        /// The length in metres.
        let length: Float
        let traits: RoadTraits
        /// The position of its line: a loaded tile, one of its roads, and the first and last corner.
        let tile, road, first, last: Int32
        /// The bearings of the first and of the last segment in the direction of the line, in degrees.
        let departure, arrival: Float
    }

    /// A loaded tile.
    struct Tile {
        let id: TileID
        let roads: TileRoads
        /// The length of a unit in metres.
        let scale: Double
    }

    /// A node at the border of a tile.
    private struct Seam {
        let position: SIMD2<Int32>
        let node: Int32
        let kind: RoadClass
        let tile: Int32

        func distance(to other: SIMD2<Int32>) -> Int32 {
            max(abs(position.x - other.x), abs(position.y - other.y))
        }
    }

    let profile: RoadProfile
    let zoom: Int
    private let load: RoadLoader
    private let isMainOnly: (TileID) -> Bool
    // A search reads these millions of times, so they go without checks for overlapping accesses. No
    // closure of this class changes them while it reads them.
    @exclusivity(unchecked) private(set) var tiles: [Tile] = []
    @exclusivity(unchecked) private(set) var edges: [Edge] = []
    /// The cost of a metre in each direction; infinity if forbidden.
    @exclusivity(unchecked) private(set) var costs: [Float] = []
    /// The positions of nodes, in units of the zoom from the north-west of the world.
    @exclusivity(unchecked) private(set) var positions: [SIMD2<Int32>] = []
    @exclusivity(unchecked) private(set) var degrees: [UInt8] = []
    @exclusivity(unchecked) private var heads: [Int32] = []
    @exclusivity(unchecked) private var nexts: [Int32] = []
    private var seams: [SIMD3<Int32>: [Seam]] = [:]
    /// True for tiles that are stored.
    private var stored: [TileID: Bool] = [:]
    /// Tiles that were loaded ahead, and the area they cover.
    private var ready: [TileID: TileRoads?] = [:]
    private(set) var area: RoadArea?
    /// The maximum distance in units between the ends of a road on both sides of a border.
    private static let gap: Int32 = 3
    /// The maximum number of tiles that are loaded ahead.
    private static let readyLimit = 100.0
    /// The distance in metres over which the bearing of a road at a junction is measured. The first segment
    /// of a line is often shorter than 1 m, and leads anywhere.
    static let reach = 15.0

    /// - Parameter isMainOnly: Returns true for tiles whose main roads suffice.
    init(
        _ profile: RoadProfile, zoom: Int, load: @escaping RoadLoader, isMainOnly: @escaping (TileID) -> Bool
    ) {
        self.profile = profile
        self.zoom = zoom
        self.load = load
        self.isMainOnly = isMainOnly
    }

    // MARK: Positions

    /// Returns the position of a coordinate in units.
    func position(_ place: Coordinate) -> SIMD2<Double> {
        let point = Mercator.world(place), side = Double(TileRoads.extent) * Double(1 << zoom)
        return SIMD2(point.x * side, point.y * side)
    }

    func coordinate(_ position: SIMD2<Double>) -> Coordinate {
        let side = Double(TileRoads.extent) * Double(1 << zoom)
        return Mercator.coordinate(WorldPoint(x: position.x / side, y: position.y / side))
    }

    /// Returns the length of a unit in metres at a latitude, on a sphere with the mean radius of the earth.
    /// That of Mercator, at the equator, is 0.1 % larger.
    func scale(_ latitude: Double) -> Double {
        Mercator.metresPerPixel(latitude: latitude, zoom: Double(zoom)) * 256 / Double(TileRoads.extent)
            * (Coordinate.meanEarthRadius / Mercator.earthRadius)
    }

    /// Returns the positions of the corners of an edge, in the direction of its line.
    func line(_ edge: Edge) -> [SIMD2<Double>] {
        let tile = tiles[Int(edge.tile)], origin = RoadGraph.origin(of: tile.id)
        return tile.roads.roads[Int(edge.road)].corners[Int(edge.first)...Int(edge.last)].map {
            RoadGeometry.point($0 &+ origin)
        }
    }

    static func origin(of tile: TileID) -> SIMD2<Int32> {
        SIMD2(Int32(tile.x), Int32(tile.y)) &* TileRoads.extent
    }

    // MARK: Directions

    func node(after direction: Int) -> Int {
        Int(direction & 1 == 0 ? edges[direction >> 1].to : edges[direction >> 1].from)
    }

    /// The bearing at the end of a direction.
    func arrival(_ direction: Int) -> Double {
        let edge = edges[direction >> 1]
        return direction & 1 == 0 ? Double(edge.arrival) : Double(edge.departure) + 180
    }

    func departure(_ direction: Int) -> Double { arrival(direction ^ 1) + 180 }

    /// Returns the angle of a turn in degrees, positive to the right.
    func angle(from first: Int, to second: Int) -> Double {
        (departure(second) - arrival(first)).remainder(dividingBy: 360)
    }

    /// Returns the bearing at the start of a direction over `reach`, in degrees. The costs of turns are those
    /// of segments: with this bearing, two of 60 more routes by bicycle differ from those of OSRM.
    func broadDeparture(_ direction: Int) -> Double {
        let line = line(edges[direction >> 1]), corners = direction & 1 == 0 ? line : line.reversed()
        let way = RoadGeometry.start(of: corners, within: Self.reach / scale(of: direction))
        return RoadGeometry.bearing(way.end - way.start)
    }

    /// Returns the length of a direction's unit in metres.
    func scale(of direction: Int) -> Double { tiles[Int(edges[direction >> 1].tile)].scale }

    /// Returns the extra cost of a turn in seconds; 0 where no other road leaves.
    func cost(ofTurnFrom first: Int, to second: Int) -> Double {
        guard degrees[node(after: first)] > 2 else { return 0 }
        let isRound = edges[first >> 1].traits[.roundabout] || edges[second >> 1].traits[.roundabout]
        return profile.cost(ofTurn: angle(from: first, to: second), isRound: isRound)
    }

    /// Calls a closure with the directions that leave a node, after loading the tiles on both sides of a
    /// border.
    /// - Returns: False if one of these tiles isn't stored.
    @discardableResult
    func forEachLeaving(_ node: Int, _ body: (Int) -> Void) -> Bool {
        let isWhole = loadTiles(at: positions[node])
        var at = heads[node]
        while at >= 0 {
            body(Int(at))
            at = nexts[Int(at)]
        }
        return isWhole
    }

    // MARK: Loading

    /// Loads the tiles that touch a position.
    private func loadTiles(at position: SIMD2<Int32>) -> Bool {
        let inside = position & SIMD2(repeating: TileRoads.extent - 1)
        guard inside.x == 0 || inside.y == 0 else { return true }
        var isWhole = true
        for y in (inside.y == 0 ? -1 : 0)...0 {
            for x in (inside.x == 0 ? -1 : 0)...0 {
                let column = Int(position.x / TileRoads.extent) + x,
                    row = Int(position.y / TileRoads.extent) + y
                if let tile = TileID(zoom: zoom, x: column, y: row), !add(tile) { isWhole = false }
            }
        }
        return isWhole
    }

    /// Loads the tiles between places on all cores, unless they are many.
    func prepare(_ places: [Coordinate]) {
        let points = places.map(position), extent = Double(TileRoads.extent)
        guard let first = points.first else { return }
        let low = points.reduce(first, pointwiseMin), high = points.reduce(first, pointwiseMax)
        // A search strays from the line by about a sixth of its length, and looks around its ends.
        let margin = SIMD2<Double>(repeating: (high - low).max() / 6 + 0.2 * extent)
        let side = Double(1 << zoom) - 1
        let
            from = ((low - margin) / extent).rounded(.down).clamped(
                lowerBound: .zero, upperBound: .init(side, side)),
            to = ((high + margin) / extent).rounded(.down).clamped(
                lowerBound: .zero, upperBound: .init(side, side))
        guard (to.x - from.x + 1) * (to.y - from.y + 1) <= Self.readyLimit else { return }
        var wanted: [TileID] = []
        for y in Int(from.y)...Int(to.y) {
            for x in Int(from.x)...Int(to.x) { TileID(zoom: zoom, x: x, y: y).map { wanted.append($0) } }
        }
        let loaded = Mutex<[TileID: TileRoads?]>([:]), load = load
        let tasks = wanted.map { (tile: $0, isMainOnly: isMainOnly($0)) }
        DispatchQueue.concurrentPerform(iterations: tasks.count) { at in
            let roads = load(tasks[at].tile, tasks[at].isMainOnly)
            loaded.withLock { _ = $0.updateValue(roads, forKey: tasks[at].tile) }
        }
        ready = loaded.withLock { $0 }
        area = RoadArea(wanted, fast: wanted.filter { tile in ready[tile]??.hasMotorway == true })
    }

    /// Loads a tile, once.
    /// - Returns: False if it isn't stored.
    @discardableResult
    func add(_ tile: TileID) -> Bool {
        if let isStored = stored[tile] { return isStored }
        let roads = ready.removeValue(forKey: tile) ?? load(tile, isMainOnly(tile))
        stored[tile] = roads != nil
        guard let roads, !roads.isEmpty else { return roads != nil }
        let number = Int32(tiles.count)
        tiles.append(Tile(id: tile, roads: roads, scale: scale(tile.center.latitude)))
        var nodes = CornerTable(capacity: 2 * roads.roads.count)
        for (index, road) in roads.roads.enumerated() {
            let pair = [true, false].map {
                profile.cost(road.traits, isForward: $0).map { Float($0) } ?? .infinity
            }
            guard pair[0].isFinite || pair[1].isFinite else { continue }
            var first = 0, from: Int32?
            for (corner, isJunction) in road.areJunctions.enumerated()
            where isJunction || corner == road.corners.count - 1 {
                let to = node(at: road.corners[corner], of: road, number, &nodes)
                if let from, corner > first {
                    add(road, pair, from, to, SIMD4(number, Int32(index), Int32(first), Int32(corner)))
                }
                from = to
                first = corner
            }
        }
        return true
    }

    private func add(_ road: TileRoad, _ pair: [Float], _ from: Int32, _ to: Int32, _ corners: SIMD4<Int32>) {
        var length = 0.0
        for at in Int(corners.z)..<Int(corners.w) {
            let step = RoadGeometry.point(road.corners[at + 1] &- road.corners[at])
            length += (step * step).sum().squareRoot()
        }
        let scale = tiles[Int(corners.x)].scale, first = Int(corners.z), last = Int(corners.w)
        func bearing(_ from: Int, _ to: Int) -> Float {
            Float(RoadGeometry.bearing(RoadGeometry.point(road.corners[to] &- road.corners[from])))
        }
        let departure = bearing(first, first + 1), arrival = bearing(last - 1, last)
        edges.append(
            Edge(
                from: from, to: to, length: Float(length * scale), traits: road.traits, tile: corners.x,
                road: corners.y, first: corners.z, last: corners.w, departure: departure, arrival: arrival))
        costs += pair
        for (node, direction) in [(from, 2 * (edges.count - 1)), (to, 2 * (edges.count - 1) + 1)] {
            nexts.append(heads[Int(node)])
            heads[Int(node)] = Int32(direction)
            if degrees[Int(node)] < 255 { degrees[Int(node)] += 1 }
        }
    }

    /// Returns the node at a junction. At borders, it is that of the road that continues in the
    /// neighbouring tile.
    private func node(
        at corner: SIMD2<Int32>, of road: TileRoad, _ tile: Int32, _ nodes: inout CornerTable
    ) -> Int32 {
        let known = nodes[corner]
        if known > 0 { return known - 1 }
        let position = corner &+ RoadGraph.origin(of: tiles[Int(tile)].id)
        var node: Int32?
        let keys = TileRoads.isOnBorder(corner) ? RoadGraph.borders(corner, position) : []
        for key in keys where node == nil {
            let near = (seams[key] ?? []).filter {
                $0.tile != tile && $0.distance(to: position) <= RoadGraph.gap
            }
            let same = near.filter { $0.kind == road.traits.kind || $0.position == position }
            node = same.min { $0.distance(to: position) < $1.distance(to: position) }?.node
        }
        let found = node ?? newNode(position)
        for key in keys {
            seams[key, default: []].append(
                Seam(position: position, node: found, kind: road.traits.kind, tile: tile))
        }
        nodes[corner] = found + 1
        return found
    }

    /// Returns the keys of the borders that a position is on.
    private static func borders(_ corner: SIMD2<Int32>, _ position: SIMD2<Int32>) -> [SIMD3<Int32>] {
        (0..<2).filter { corner[$0] == 0 || corner[$0] == TileRoads.extent }.map {
            SIMD3(Int32($0), position[$0] / TileRoads.extent, position[1 - $0] / TileRoads.extent)
        }
    }

    private func newNode(_ position: SIMD2<Int32>) -> Int32 {
        positions.append(position)
        degrees.append(0)
        heads.append(-1)
        return Int32(positions.count - 1)
    }
}

/// An area whose motorways are known, so that a search in it can expect the speeds of other roads.
struct RoadArea {
    private typealias Box = (low: SIMD2<Float>, high: SIMD2<Float>)

    private let whole: Box
    /// The tiles with motorways.
    private let fast: [Box]
    private static let fastLimit = 12

    /// Returns nil without tiles, or if more than `fastLimit` have motorways: then few routes avoid them.
    /// - Parameters:
    ///   - tiles: All tiles of a rectangle.
    ///   - fast: Those with motorways.
    init?(_ tiles: [TileID], fast: [TileID]) {
        guard let first = tiles.first, let last = tiles.last, fast.count <= RoadArea.fastLimit else {
            return nil
        }
        whole = (RoadArea.box(first).low, RoadArea.box(last).high)
        self.fast = fast.map(RoadArea.box)
    }

    /// Returns the least distance in units from a position to a motorway, or to the border of the area.
    func distance(_ position: SIMD2<Int32>) -> Float {
        let spot = SIMD2<Float>(position)
        var least = max(min((spot - whole.low).min(), (whole.high - spot).min()), 0)
        for box in fast where least > 0 {
            let gap = pointwiseMax(pointwiseMax(box.low - spot, spot - box.high), .zero)
            least = min(least, (gap * gap).sum().squareRoot())
        }
        return least
    }

    private static func box(_ tile: TileID) -> Box {
        let low = SIMD2(Float(tile.x), Float(tile.y)) * Float(TileRoads.extent)
        return (low, low + Float(TileRoads.extent))
    }
}
