internal import Glibc
internal import RhumbCore

/// A winding road of an endless fictional network. Roads cross the world north–south or east–west. Level n
/// has 2^(n−1) roads in each direction, midway between the roads of lower levels. Larger zooms therefore add
/// roads without moving existing ones.
struct DemoRoad: Hashable {
    let level: Int
    /// The number of the road within its level, always odd.
    let index: Int
    /// True if the road runs north–south.
    let isMeridian: Bool

    /// The levels, from main roads of continents to local roads.
    static let levels = 4...17

    private var spacing: Double { exp2(-Double(level)) }

    /// Returns the roads that may touch a box, high levels first.
    static func crossing(_ box: WorldBox, upTo level: Int) -> [DemoRoad] {
        var roads: [DemoRoad] = []
        guard level >= levels.lowerBound else { return [] }
        for level in (levels.lowerBound...min(level, levels.upperBound)).reversed() {
            let count = Double(1 << level), reach = 0.5
            for isMeridian in [true, false] {
                let edges = isMeridian ? (box.minX, box.maxX) : (box.minY, box.maxY)
                let first = Int((edges.0 * count - reach).rounded(.down))
                let last = Int((edges.1 * count + reach).rounded(.up))
                roads += (first...max(first, last)).filter { $0 % 2 != 0 }.map {
                    DemoRoad(level: level, index: $0, isMeridian: isMeridian)
                }
            }
        }
        return roads
    }

    /// Returns the position at a fraction of the road's length, 0…1.
    func point(_ along: Double) -> WorldPoint {
        let across = Double(index) * spacing + winding(along) * spacing
        return isMeridian ? WorldPoint(x: across, y: along) : WorldPoint(x: along, y: across)
    }

    /// Returns the lateral offset, −0.4…0.4, which combines large curves with smaller ones.
    private func winding(_ along: Double) -> Double {
        let phase = Double(seed & 1023) / 163
        let turn = 2 * Double.pi * along / spacing
        return 0.24 * sin(0.37 * turn + phase) + 0.1 * sin(1.31 * turn + 2 * phase)
            + 0.03 * sin(6.1 * turn + phase) + 0.002 * sin(29 * turn)
    }

    /// Returns the speed relative to free flow, 0…1, at a moment in minutes. Traffic is slow on all roads in
    /// towns, whose positions are derived from noise.
    func flow(_ along: Double, moment: Int) -> Double {
        let place = point(along)
        let town = 0.5 * noise(place.x * 220, place.y * 220) + 0.5 * noise(place.x * 1900, place.y * 1900)
        let drift = Double(moment) * 0.07
        let local =
            Self.noise1(along / spacing * 6 + drift, seed) * 0.6
            + Self.noise1(along / spacing * 41 + drift, seed &+ 7) * 0.4
        let load = 0.55 * town + 0.75 * local
        return min(max(2.3 - 2.2 * load, 0), 1)
    }

    /// The free-flow speed in km/h.
    var freeSpeed: Double { level <= 8 ? 130 : level <= 11 ? 100 : level <= 14 ? 80 : 50 }

    /// A pseudorandom seed that is constant for the road.
    var seed: UInt64 {
        DemoRoad.mixed(UInt64(truncatingIfNeeded: index) &* 64 &+ UInt64(level) &* 2 &+ (isMeridian ? 1 : 0))
    }

    static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns smooth noise, 0…1.
    private static func noise1(_ at: Double, _ seed: UInt64) -> Double {
        let floor = at.rounded(.down), share = at - floor
        let smooth = share * share * (3 - 2 * share)
        func value(_ step: Double) -> Double {
            Double(mixed(seed &+ UInt64(bitPattern: Int64(step))) & 0xFFFF) / 0xFFFF
        }
        return value(floor) * (1 - smooth) + value(floor + 1) * smooth
    }

    private func noise(_ x: Double, _ y: Double) -> Double {
        let row = y.rounded(.down), share = y - row
        let smooth = share * share * (3 - 2 * share)
        func value(_ row: Double) -> Double { Self.noise1(x, UInt64(bitPattern: Int64(row)) &* 7919) }
        return value(row) * (1 - smooth) + value(row + 1) * smooth
    }
}
