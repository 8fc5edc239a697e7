import RhumbCore
import RhumbTestSupport

/// Returns a ring with this many vertices around a place, in degrees. It is uneven like a coast, and never
/// crosses itself.
func coast(
    around center: Position, radius: Double, corners: Int, seed: UInt64
) -> [Position] {
    var random = SplitMix(seed: seed)
    return (0..<corners).map { index in
        let turn = Double(index) / Double(corners) * 2 * .pi
        let reach = radius * .random(in: 0.5...1, using: &random)
        return Position(
            longitude: center.longitude + reach * cosine(turn),
            latitude: center.latitude + reach * cosine(turn - .pi / 2))
    }
}

/// Returns the cosine with an error of about 1e-9, which is sufficient for the fixtures.
private func cosine(_ angle: Double) -> Double {
    let x = angle - (angle / (2 * .pi)).rounded() * 2 * .pi
    var term = 1.0, sum = 1.0
    for step in 1...14 {
        term *= -x * x / Double((2 * step - 1) * (2 * step))
        sum += term
    }
    return sum
}

/// Returns the area that a ring shares with a box on the unit square, by clipping the ring to the box's four
/// sides. Independent of how tile sets are computed.
func sharedArea(_ ring: [Position], _ box: WorldBox) -> Double {
    var points = ring.map { position in
        let y = Mercator.world(position.coordinate).y
        return WorldPoint(x: (position.longitude + 180) / 360, y: y)
    }
    func cut(_ distance: (WorldPoint) -> Double) {
        points = points.indices.flatMap { index -> [WorldPoint] in
            let a = points[index], b = points[(index + 1) % points.count]
            let da = distance(a)
            let db = distance(b)
            var kept = da >= 0 ? [a] : []
            if (da >= 0) != (db >= 0) {
                let part = da / (da - db)
                kept.append(WorldPoint(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part))
            }
            return kept
        }
    }
    cut { $0.x - box.minX }
    cut { box.maxX - $0.x }
    cut { $0.y - box.minY }
    cut { box.maxY - $0.y }
    let twice = points.indices.reduce(0.0) { sum, index in
        let a = points[index], b = points[(index + 1) % points.count]
        return sum + (a.x - box.minX) * (b.y - box.minY) - (b.x - box.minX) * (a.y - box.minY)
    }
    return abs(twice) / 2
}

func tile(_ zoom: Int, _ x: Int, _ y: Int) -> TileID { TileID(zoom: zoom, x: x, y: y)! }
