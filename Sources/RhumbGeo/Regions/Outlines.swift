internal import Glibc

/// Rings around circles and corridors. They lie outside the true curve by less than a hundredth of the
/// radius.
enum Outlines {
    /// The number of corners of the ring around a circle.
    static let circleCorners = 128
    /// The number of corners around a point of a corridor, and of edges of the hull of two of them.
    private static let discCorners = 24
    static let legEdges = discCorners + 2
    /// The maximum number of legs of a corridor after thinning: fewer than all shapes together may have.
    private static let legGoal = RegionGeometry.edgeLimit / legEdges / 2

    /// Returns a ring around all places within `radius` metres. Around a pole it closes along the map's edge.
    static func circle(_ center: Position, radius: Double, corners: Int) -> [Position] {
        let reach = radius / cos(.pi / Double(corners)) / RegionGeometry.metresPerDegree
        let pole: Double? = center.latitude + reach >= 90 ? 90 : center.latitude - reach <= -90 ? -90 : nil
        let offsets = (0..<corners).map { offset(from: center.latitude, reach, Double($0) / Double(corners)) }
        guard let pole else { return offsets.map { shifted($0, from: center) } }
        let across = pole > 0 ? 180 - center.latitude - reach : -180 - center.latitude + reach
        let ends = [-180.0, 180].map { Position(longitude: $0, latitude: across) }
        let sorted = offsets.filter { abs($0.longitude) < 180 }.sorted { $0.longitude < $1.longitude }
        let edge = [180.0, -180].map { Position(longitude: $0, latitude: pole) }
        return ([ends[0]] + sorted + [ends[1]] + edge).map { shifted($0, from: center) }
    }

    private static func shifted(_ offset: Position, from center: Position) -> Position {
        Position(longitude: center.longitude + offset.longitude, latitude: offset.latitude)
    }

    /// Returns the place at a distance of `reach` degrees of arc in a direction, as a part of the full turn:
    /// its latitude, and its longitude relative to the start's.
    private static func offset(from latitude: Double, _ reach: Double, _ turn: Double) -> Position {
        let start = latitude.radians, arc = reach.radians, bearing = turn * 2 * .pi
        let sine = sin(start) * cos(arc) + cos(start) * sin(arc) * cos(bearing)
        let end = asin(min(max(sine, -1), 1))
        let east = atan2(sin(bearing) * sin(arc) * cos(start), cos(arc) - sin(start) * sin(end))
        return Position(longitude: east.degrees, latitude: end.degrees)
    }

    /// Makes rings that together cover the area within `halfWidth` metres of a line, one for each leg.
    /// - Parameter add: Receives each ring. All rings at once may exceed the memory.
    static func corridor(_ line: [Position], halfWidth: Double, _ add: ([WorldPoint]) -> Void) {
        let (kept, slack) = thinned(line, halfWidth: halfWidth)
        let disc = { (place: Position) in
            circle(place, radius: halfWidth + (kept.count < line.count ? slack : 0), corners: discCorners)
                .map(\.world)
        }
        guard var before = kept.first.map(disc) else { return }
        if kept.count == 1 { add(before) }
        for place in kept.dropFirst() {
            let here = disc(place)
            add(convexHull(of: before + here))
            before = here
        }
    }

    /// Returns the line without points that are close to the previous one. The minimum distance is a
    /// thirtieth of the half width, or up to a quarter if necessary to limit the number of legs.
    /// - Returns: The places, and the maximum distance in metres of an omitted one from the line.
    static func thinned(_ line: [Position], halfWidth: Double) -> (places: [Position], slack: Double) {
        var slack = 0.03 * halfWidth, places = thinned(line, closerThan: slack)
        while places.count > legGoal, slack < 0.2 * halfWidth {
            slack *= 2
            places = thinned(line, closerThan: slack)
        }
        return (places, slack)
    }

    /// Returns the line with legs the shorter way around the world, cut to the map's latitudes, without
    /// points closer than `metres` to the last point kept.
    private static func thinned(_ line: [Position], closerThan metres: Double) -> [Position] {
        var kept: [Position] = []
        for place in unrolled(line) {
            let limit = Mercator.latitudeLimit
            let here = Position(
                longitude: place.longitude, latitude: min(max(place.latitude, -limit), limit))
            if let last = kept.last {
                let north = (here.latitude - last.latitude) * RegionGeometry.metresPerDegree
                let narrowing = cos(min(abs(here.latitude), abs(last.latitude)).radians)
                let east = (here.longitude - last.longitude) * RegionGeometry.metresPerDegree * narrowing
                if north * north + east * east < metres * metres { continue }
            }
            kept.append(here)
        }
        return kept
    }

    /// Returns the line with each leg the shorter way around the world. Longitudes may exceed ±180.
    static func unrolled(_ line: [Position]) -> [Position] {
        var longitude = line.first?.longitude ?? 0
        return line.map { place in
            longitude += Coordinate.wrapped(longitude: place.longitude - longitude)
            return Position(longitude: longitude, latitude: place.latitude)
        }
    }

    /// Returns the convex hull (A. M. Andrew's monotone chain).
    private static func convexHull(of points: [WorldPoint]) -> [WorldPoint] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        let chains = [sorted, sorted.reversed()].map { points in
            points.reduce(into: [WorldPoint]()) { chain, point in
                while chain.count > 1, !turnsLeft(chain[chain.count - 2], chain[chain.count - 1], point) {
                    chain.removeLast()
                }
                chain.append(point)
            }
        }
        return Array(chains[0].dropLast() + chains[1].dropLast())
    }

    private static func turnsLeft(_ a: WorldPoint, _ b: WorldPoint, _ c: WorldPoint) -> Bool {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0
    }
}
