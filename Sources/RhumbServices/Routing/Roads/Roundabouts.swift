/// Finds the roundabouts among the roads of a tile: small circles of one or more lines. Tiles rarely say
/// that they are one-way, but their lines have the direction of the traffic.
struct Roundabouts {
    /// The roads with roundabouts marked.
    private(set) var roads: [TileRoad]
    private var starts: [TileRoad.Corner: [Int]] = [:]
    /// The maximum radius in units, some 80 m, and the maximum number of lines.
    private static let radius = 200.0, pieces = 14
    /// The radius in units, some 20 m, up to which a roundabout may be half as wide as long.
    private static let small = 50.0

    init(_ roads: [TileRoad]) {
        self.roads = roads
        for (number, road) in roads.enumerated() where isPiece(road) {
            starts[road.corners[0], default: []].append(number)
        }
        for (number, road) in roads.enumerated()
        where isPiece(road) && !self.roads[number].traits[.roundabout] {
            var steps = 0
            guard let ring = ring([number], &steps) else { continue }
            for piece in ring {
                self.roads[piece].traits[.roundabout] = true
                self.roads[piece].traits[.forward] = true
            }
        }
    }

    private func isPiece(_ road: TileRoad) -> Bool {
        road.traits.kind.rawValue <= RoadClass.service.rawValue && road.traits.kind != .ferry
            && !road.traits[.slow]
            && road.corners.count < 100
    }

    /// Returns the lines of a circle that begins with some; nil if there is none.
    private func ring(_ pieces: [Int], _ steps: inout Int) -> [Int]? {
        let end = roads[pieces[pieces.count - 1]].corners.last
        if end == roads[pieces[0]].corners.first { return isCircle(pieces) ? pieces : nil }
        guard let end, pieces.count < Roundabouts.pieces, isNear(end, roads[pieces[0]].corners[0]) else {
            return nil
        }
        for next in starts[end] ?? []
        where !pieces.contains(next) && roads[next].traits.kind == roads[pieces[0]].traits.kind {
            steps += 1
            guard steps < 200 else { return nil }
            if let found = ring(pieces + [next], &steps) { return found }
        }
        return nil
    }

    private func isNear(_ a: TileRoad.Corner, _ b: TileRoad.Corner) -> Bool {
        let step = RoadGeometry.point(a) - RoadGeometry.point(b)
        return (step * step).sum() <= 4 * Roundabouts.radius * Roundabouts.radius
    }

    /// True for a line that turns evenly. Streets around a square or a block turn by 90° at their corners,
    /// and large ellipses are squares, too, such as Piazza San Marco in Florence.
    private func isCircle(_ pieces: [Int]) -> Bool {
        let corners = pieces.flatMap { roads[$0].corners.dropLast() }.map(RoadGeometry.point)
        guard corners.count > 4 else { return false }
        let steps = zip(corners, corners.dropFirst() + corners.prefix(1)).map { $1 - $0 }
        let isEven = zip(steps, steps.dropFirst() + steps.prefix(1)).allSatisfy {
            ($0 * $1).sum() >= 0.5 * RoadGeometry.length($0) * RoadGeometry.length($1)
        }
        guard isEven else { return false }
        let low = corners.reduce(corners[0], pointwiseMin), high = corners.reduce(corners[0], pointwiseMax)
        let middles = zip(corners, steps).map { $0 + $1 / 2 }
        let radii = (corners + middles).map { RoadGeometry.length($0 - (low + high) / 2) }
        guard let least = radii.min(), let most = radii.max() else { return false }
        return most < Roundabouts.radius && least > most * (most < Roundabouts.small ? 0.5 : 0.8)
    }
}
