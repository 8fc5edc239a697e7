internal import RhumbCore

/// An incident on a stretch of a fictional road.
struct DemoIncident {
    let road: DemoRoad
    /// The number of the stretch, counted from the start of the road.
    let stretch: Int
    /// TomTom's number for the category.
    let category: Int
    /// TomTom's number for the magnitude, 1…4.
    let magnitude: Int

    /// The position of the incident.
    var place: WorldPoint { road.point(alongs[2]) }
    /// The affected part of the road.
    var line: [WorldPoint] { alongs.map(road.point) }
    var id: String { "demo-\(road.level)-\(road.index)-\(road.isMeridian ? "n" : "e")-\(stretch)" }

    private var alongs: [Double] {
        let length = DemoIncident.length(road)
        return [0.2, 0.35, 0.5, 0.65, 0.8].map { (Double(stretch) + $0) * length }
    }

    private static func length(_ road: DemoRoad) -> Double { 0.25 / Double(1 << road.level) }

    /// Returns the incidents on the roads that touch a box, most of them inside the box. Each lasts five
    /// minutes.
    static func near(_ box: WorldBox, upTo level: Int, moment: Int) -> [DemoIncident] {
        DemoRoad.crossing(box, upTo: level).flatMap { road in
            let edges = road.isMeridian ? (box.minY, box.maxY) : (box.minX, box.maxX)
            let length = length(road)
            let first = Int((max(edges.0, 0) / length).rounded(.down)) - 1
            let last = Int((min(edges.1, 1) / length).rounded(.up)) + 1
            return (first...max(first, last)).compactMap { incident(on: road, $0, moment) }
        }
    }

    private static func incident(on road: DemoRoad, _ stretch: Int, _ moment: Int) -> DemoIncident? {
        let chance = DemoRoad.mixed(road.seed ^ UInt64(bitPattern: Int64(stretch &* 31 &+ moment / 5)))
        guard chance % 4 == 0 else { return nil }
        let categories = [6, 6, 6, 9, 9, 1, 7, 8]
        let category = categories[Int(chance >> 8 % 8)]
        let magnitude = category == 8 ? 4 : 1 + Int(chance >> 16 % 3)
        return DemoIncident(road: road, stretch: stretch, category: category, magnitude: magnitude)
    }
}
