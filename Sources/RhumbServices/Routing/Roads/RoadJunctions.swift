internal import RhumbGeo

/// Finds the junctions of the roads of a tile. Roads meet at shared corners, where a road ends on another
/// one, and where two roads on the ground cross.
struct RoadJunctions {
    /// The roads with their junctions marked.
    private(set) var joined: [TileRoad]
    /// The number of roads that have each corner, counted as often as they have it.
    private var users = CornerTable(capacity: 0)
    /// The maximum distance in units between an end and a road that it joins.
    private static let reach: Int32 = 2
    /// The maximum distance in units by which a removed corner changes a line.
    private static let tolerance = 2.0

    init(_ roads: [TileRoad]) {
        joined = roads
        countUsers()
        joinEnds()
        joinCrossings()
        countUsers()
        separateLevels()
        mark()
    }

    private mutating func countUsers() {
        users = CornerTable(capacity: joined.reduce(0) { $0 + $1.corners.count })
        for road in joined {
            for corner in road.corners { users[corner] += 1 }
        }
    }

    /// Corners to insert in the segments of roads.
    private typealias Insertions = [SIMD2<Int>: [(share: Double, corner: TileRoad.Corner)]]

    private mutating func insert(_ insertions: Insertions) {
        for (number, all) in Dictionary(grouping: insertions, by: \.key.x) {
            let bySegment = Dictionary(all.map { ($0.key.y, $0.value) }) { $0 + $1 }
            var corners: [TileRoad.Corner] = []
            for (at, corner) in joined[number].corners.enumerated() {
                corners.append(corner)
                for new in (bySegment[at] ?? []).sorted(by: { $0.share < $1.share })
                where new.corner != corners.last {
                    corners.append(new.corner)
                }
            }
            joined[number].corners = corners.enumerated().filter {
                $0.offset == 0 || $0.element != corners[$0.offset - 1]
            }
            .map(\.element)
        }
    }

    /// Joins each end that no other road shares to the road below it.
    private mutating func joinEnds() {
        var grid: SegmentGrid?, insertions: Insertions = [:]
        for (number, road) in joined.enumerated() where road.isOnGround {
            for end in Set([road.corners[0], road.corners[road.corners.count - 1]])
            where users[end] == 1 && !TileRoads.isOnBorder(end) {
                let segments = grid ?? SegmentGrid(joined, margin: RoadJunctions.reach + 1)
                grid = segments
                var best = Double(RoadJunctions.reach) + 0.01, found: (SegmentGrid.Segment, Double)?
                for segment in segments.near(end) where segment.road != number {
                    guard joined[segment.road].isOnGround, joined[segment.road].level == road.level else {
                        continue
                    }
                    let (share, distance) = PlaneGeometry.nearest(
                        RoadGeometry.point(end), RoadGeometry.point(segment.from),
                        RoadGeometry.point(segment.to))
                    if distance < best {
                        best = distance
                        found = (segment, share)
                    }
                }
                guard let (segment, share) = found else { continue }
                insertions[SIMD2(segment.road, segment.corner), default: []].append((share, end))
            }
        }
        insert(insertions)
    }

    /// Joins roads that cross on the ground without a shared corner. Motorways are left out: what crosses
    /// them is above or below.
    private mutating func joinCrossings() {
        var insertions: Insertions = [:], seen: Set<SIMD4<Int32>> = []
        let courses = joined.map(RoadCourse.init)
        SegmentGrid(joined, margin: 0).forEachPair { a, b in
            guard a.road != b.road, a.overlaps(b), seen.count < TileRoads.cornerLimit, a.from != b.from,
                a.from != b.to, a.to != b.from, a.to != b.to,
                courses[a.road].crosses(courses[b.road]),
                let shares = RoadGeometry.crossing(
                    (RoadGeometry.point(a.from), RoadGeometry.point(a.to)),
                    (RoadGeometry.point(b.from), RoadGeometry.point(b.to))),
                // Most pairs don't cross, so the set is asked last.
                seen.insert(SIMD4(Int32(a.road), Int32(a.corner), Int32(b.road), Int32(b.corner))).inserted
            else { return }
            let from = RoadGeometry.point(a.from), to = RoadGeometry.point(a.to)
            let corner = TileRoad.Corner(from + (to - from) * shares.x, rounding: .toNearestOrEven)
            insertions[SIMD2(a.road, a.corner), default: []].append((shares.x, corner))
            insertions[SIMD2(b.road, b.corner), default: []].append((shares.y, corner))
        }
        insert(insertions)
    }

    /// Moves corners inside roads of other levels apart by one unit, so that they are no junctions.
    private mutating func separateLevels() {
        let lowest = joined.lazy.map(\.level).min() ?? 0
        guard joined.contains(where: { $0.level > lowest }) else { return }
        // For each corner, the roads that have it and its indices in them.
        var shared: [TileRoad.Corner: [SIMD2<Int>]] = [:]
        for (number, road) in joined.enumerated() {
            for (at, corner) in road.corners.enumerated().dropFirst().dropLast()
            where users[corner] > 1 && !TileRoads.isOnBorder(corner) && !road.ends(at: corner) {
                shared[corner, default: []].append(SIMD2(number, at))
            }
        }
        for (corner, inside) in shared.sorted(by: { ($0.key.x, $0.key.y) < ($1.key.x, $1.key.y) }) {
            guard let lowest = inside.map({ joined[$0.x].level }).min() else { continue }
            for (at, use) in inside.enumerated()
            where joined[use.x].level > lowest && joined[use.x].corners[use.y] == corner {
                let steps = [
                    TileRoad.Corner(1, 0), TileRoad.Corner(0, 1), TileRoad.Corner(-1, 0),
                    TileRoad.Corner(0, -1),
                ]
                guard let free = steps.map({ corner &+ $0 }).first(where: { users[$0] == 0 }) else {
                    continue
                }
                for other in inside[at...].prefix(while: { $0.x == use.x }) {
                    joined[other.x].corners[other.y] = free
                    users[free] += 1
                    users[corner] -= 1
                }
            }
        }
    }

    /// Marks the junctions, and removes the other corners that a line hardly needs.
    private mutating func mark() {
        for number in joined.indices {
            let road = joined[number]
            var kept = [road.corners[0]], flags = [true], skipped: [TileRoad.Corner] = []
            for (at, corner) in road.corners.enumerated().dropFirst() {
                let isLast = at == road.corners.count - 1
                let isJunction = isLast || users[corner] > 1 || TileRoads.isOnBorder(corner)
                let start = RoadGeometry.point(kept[kept.count - 1]), end = RoadGeometry.point(corner)
                let isStraight = skipped.allSatisfy {
                    PlaneGeometry.nearest(RoadGeometry.point($0), start, end).distance
                        <= RoadJunctions.tolerance
                }
                if !isStraight, let last = skipped.last {
                    kept.append(last)
                    flags.append(false)
                    skipped = []
                }
                skipped.append(corner)
                if isJunction {
                    kept.append(corner)
                    flags.append(true)
                    skipped = []
                } else if skipped.count > 64 {
                    kept.append(corner)
                    flags.append(false)
                    skipped = []
                }
            }
            joined[number].corners = kept
            joined[number].areJunctions = flags
        }
        joined.removeAll { $0.corners.count < 2 }
    }
}

/// The traits of a road that decide whether it meets another one that crosses it.
private struct RoadCourse {
    let kind: RoadClass
    let level: Int
    let name: Int
    let isOnGround: Bool

    init(_ road: TileRoad) {
        kind = road.traits.kind
        level = road.level
        name = road.name
        isOnGround = road.isOnGround
    }

    /// True if roads that cross without a shared corner meet there. Service roads of cars are often
    /// inside buildings, on levels that tiles don't contain. A road that crosses itself is a spiral, such as
    /// the ramps of Monaco, whose floors tiles don't contain either.
    func crosses(_ other: RoadCourse) -> Bool {
        let areForCars = max(kind.rawValue, other.kind.rawValue) <= RoadClass.service.rawValue
        return isOnGround && other.isOnGround && level == other.level && (name == 0 || name != other.name)
            && !(areForCars && (kind == .service || other.kind == .service))
    }
}

extension SegmentGrid.Segment {
    /// True if the boxes around two segments touch.
    fileprivate func overlaps(_ other: SegmentGrid.Segment) -> Bool {
        all(pointwiseMin(from, to) .<= pointwiseMax(other.from, other.to))
            && all(pointwiseMin(other.from, other.to) .<= pointwiseMax(from, to))
    }
}

extension TileRoad {
    fileprivate var isOnGround: Bool {
        !traits[.bridge] && !traits[.tunnel] && traits.kind != .motorway && traits.kind != .ferry
    }

    fileprivate func ends(at corner: Corner) -> Bool { corners.first == corner || corners.last == corner }
}

extension TileRoads {
    static func isOnBorder(_ corner: TileRoad.Corner) -> Bool {
        corner.x == 0 || corner.y == 0 || corner.x == extent || corner.y == extent
    }
}
