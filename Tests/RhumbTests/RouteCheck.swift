import Rhumb

/// Checks routes against the lines of map tiles of the schemas OpenMapTiles and Protomaps before v4, without
/// the code that finds routes: each part of a route must be on a road, in its direction, and leave bridges
/// at their ends.
struct RouteCheck {
    private struct Segment {
        let from: SIMD2<Double>, to: SIMD2<Double>
        let isOneWay: Bool
        let isBridge: Bool
        let isForCars: Bool
    }

    private var cells: [SIMD2<Int>: [Segment]] = [:]
    /// The ends of bridges, and their corners at which other roads end, such as those of squares on bridges.
    private var bridgeEnds: [SIMD2<Double>] = []
    private var bridgeCorners: Set<SIMD2<Double>> = []
    private var otherEnds: Set<SIMD2<Double>> = []
    private static let zoom = 14
    private static let side = 4096.0 * Double(1 << zoom)
    private static let cell = 64.0
    /// The distance in units that simplified lines and ends at the borders of tiles may differ: 1.7 m.
    private static let tolerance = 4.0

    /// The classes of lines that are not for cars.
    private static let otherKinds: Set = [
        "path", "track", "pier", "rail", "transit", "abandoned", "footway", "cycleway", "steps", "pedestrian",
        "bridleway",
    ]

    /// - Parameter body: Returns the body of a tile; nil if there is none.
    init(_ tiles: [TileID], body: (TileID) -> [UInt8]?) {
        for tile in tiles where tile.zoom == RouteCheck.zoom {
            guard let bytes = body(tile), let read = try? VectorTile(bytes),
                let layer = ["transportation", "roads"].lazy.compactMap({
                    (try? read.layer(named: $0)).flatMap(\.self)
                }).first
            else { continue }
            var reader = GeometryReader()
            for feature in layer.features where feature.kind == .line {
                guard let values = layer.attributes(of: feature), reader.read(feature, of: layer) else {
                    continue
                }
                add(reader.geometry, values, tile, extent: Double(layer.extent))
            }
        }
        bridgeEnds += bridgeCorners.intersection(otherEnds)
    }

    private mutating func add(
        _ shape: VectorGeometry, _ values: [String: VectorValue], _ tile: TileID, extent: Double
    ) {
        let kind = (values["class"] ?? values["highway"])?.json.string ?? ""
        let direction = values["oneway"]?.json
        let way = direction?.double ?? (direction == "yes" ? 1 : direction == "-1" ? -1.0 : 0)
        let isBridge = values["brunnel"]?.json.string == "bridge" || values["bridge"]?.json.string == "yes"
        for part in 0..<shape.partCount {
            var points = shape.points[shape.part(part)].map {
                SIMD2(Double($0.x), Double($0.y)) * (4096 / extent)
                    + SIMD2(Double(tile.x), Double(tile.y)) * 4096
            }
            if way < 0 { points.reverse() }
            let ends = [points.first, points.last].compactMap(\.self)
            if isBridge {
                bridgeEnds += ends
                bridgeCorners.formUnion(points)
            } else {
                otherEnds.formUnion(ends)
            }
            for (from, to) in zip(points, points.dropFirst()) {
                let segment = Segment(
                    from: from, to: to, isOneWay: way != 0, isBridge: isBridge,
                    isForCars: !RouteCheck.otherKinds.contains(kind))
                let low = pointwiseMin(from, to) - RouteCheck.tolerance,
                    high = pointwiseMax(from, to) + RouteCheck.tolerance
                for y in Int(low.y / RouteCheck.cell)...Int(high.y / RouteCheck.cell) {
                    for x in Int(low.x / RouteCheck.cell)...Int(high.x / RouteCheck.cell) {
                        cells[SIMD2(x, y), default: []].append(segment)
                    }
                }
            }
        }
    }

    /// Returns the faults of a route; empty if nothing is.
    func faults(_ line: [Coordinate], _ mode: RouteMode) -> [String] {
        let points = line.map { place -> SIMD2<Double> in
            let point = Mercator.world(place)
            return SIMD2(point.x, point.y) * RouteCheck.side
        }
        var faults: [String] = [], wasOnlyBridge = false
        for (from, to) in zip(points, points.dropFirst()) {
            let step = to - from, length = (step * step).sum().squareRoot()
            guard length > 0.5 else { continue }
            let count = max(Int(length / 8), 1)
            for at in 0..<count {
                let spot = from + step * ((Double(at) + 0.5) / Double(count))
                let near = (cells[SIMD2(Int(spot.x / RouteCheck.cell), Int(spot.y / RouteCheck.cell))] ?? [])
                    .filter { RouteCheck.distance(spot, $0) <= RouteCheck.tolerance }
                if near.isEmpty { faults.append("no road at \(coordinate(spot))") }
                if mode == .car, !near.isEmpty, length > 6,
                    !near.contains(where: { $0.isForCars && !($0.isOneWay && RouteCheck.isAgainst(step, $0)) }
                    )
                {
                    faults.append("against a one-way street at \(coordinate(spot))")
                }
                let isOnlyBridge = !near.isEmpty && near.allSatisfy(\.isBridge)
                let isNoBridge = !near.isEmpty && !near.contains(where: \.isBridge)
                if wasOnlyBridge, isNoBridge, !isAtEnd(spot, length: 8 + RouteCheck.tolerance * 2) {
                    faults.append("off a bridge at \(coordinate(spot))")
                }
                if isOnlyBridge || isNoBridge { wasOnlyBridge = isOnlyBridge }
            }
        }
        return faults
    }

    private func coordinate(_ spot: SIMD2<Double>) -> String {
        let place = Mercator.coordinate(
            WorldPoint(x: spot.x / RouteCheck.side, y: spot.y / RouteCheck.side))
        return "\(place.latitude),\(place.longitude)"
    }

    private func isAtEnd(_ spot: SIMD2<Double>, length: Double) -> Bool {
        bridgeEnds.contains { (($0 - spot) * ($0 - spot)).sum() <= length * length }
    }

    private static func distance(_ spot: SIMD2<Double>, _ segment: Segment) -> Double {
        let along = segment.to - segment.from, square = (along * along).sum()
        let share = square > 0 ? min(max(((spot - segment.from) * along).sum() / square, 0), 1) : 0
        let gap = spot - segment.from - along * share
        return (gap * gap).sum().squareRoot()
    }

    private static func isAgainst(_ step: SIMD2<Double>, _ segment: Segment) -> Bool {
        let along = segment.to - segment.from
        return (step * along).sum() < 0.3 * ((step * step).sum() * (along * along).sum()).squareRoot()
    }
}
