internal import Glibc
internal import RhumbGeo

/// A road of a tile, between two ends or borders. Its corners are in units of the tile, with
/// `TileRoads.extent` units to a side.
struct TileRoad: Hashable, Sendable {
    typealias Corner = SIMD2<Int32>

    var traits: RoadTraits
    /// The index of its name in the tile's list, and that of its number; 0 for none.
    var name = 0, reference = 0
    var corners: [Corner]
    /// True for corners that other roads share, which are junctions.
    var areJunctions: [Bool] = []
    /// The level, positive above the ground; not stored.
    var level = 0
}

/// The roads of a vector tile, cut at its borders and at their junctions: roads meet where they share a
/// junction.
package struct TileRoads: Sendable, Equatable {
    /// The length of a tile's side in units.
    static let extent: Int32 = 4096
    /// The maximum number of corners in a tile; further roads are dropped.
    static let cornerLimit = 200_000

    /// The names and numbers, sanitised for terminals. The first is empty.
    var names = [""]
    var roads: [TileRoad] = []

    /// Creates a tile without roads.
    package init() {}

    /// True if the tile has no roads.
    package var isEmpty: Bool { roads.isEmpty }

    var hasMotorway: Bool { roads.contains { $0.traits.kind == .motorway } }

    /// Adds the roads of the same tile of another source, which meet these at shared junctions.
    package mutating func add(_ other: TileRoads) {
        let first = names.count
        names += other.names.dropFirst()
        for var road in other.roads {
            if road.name > 0 { road.name += first - 1 }
            if road.reference > 0 { road.reference += first - 1 }
            roads.append(road)
        }
    }
}

/// The segments of roads by their place, to find those near a point.
struct SegmentGrid {
    struct Segment {
        let road: Int
        /// The index of its first corner.
        let corner: Int
        let from: TileRoad.Corner, to: TileRoad.Corner
    }

    private(set) var segments: [Segment] = []
    /// The numbers of the segments in each cell, and where those of a cell begin.
    private var members: [Int32] = []
    private var starts = [Int32](repeating: 0, count: SegmentGrid.side * SegmentGrid.side + 1)
    private static let shift: Int32 = 6
    /// The number of cells in a row: those of the tile, and one beyond each border.
    private static let side = Int(TileRoads.extent >> shift) + 2
    /// The maximum number of segments in one cell, ten times the usual one.
    private static let crowd: Int32 = 300

    /// - Parameter margin: Distance in units within which segments are found.
    init(_ roads: [TileRoad], margin: Int32) {
        var entries: [SIMD2<Int32>] = []
        for (road, line) in roads.enumerated() {
            for corner in line.corners.indices.dropLast() {
                let segment = Segment(
                    road: road, corner: corner, from: line.corners[corner], to: line.corners[corner + 1])
                add(segment, margin, &entries)
            }
        }
        for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
        var nexts = starts
        members = [Int32](repeating: 0, count: entries.count)
        for entry in entries {
            members[Int(nexts[Int(entry.x)])] = entry.y
            nexts[Int(entry.x)] += 1
        }
    }

    /// Adds a segment, and an entry of cell and segment for each cell that it touches. Counts the entries of
    /// each cell in `starts`.
    private mutating func add(_ segment: Segment, _ margin: Int32, _ entries: inout [SIMD2<Int32>]) {
        let number = Int32(segments.count)
        segments.append(segment)
        let low = pointwiseMin(segment.from, segment.to) &- margin,
            high = pointwiseMax(segment.from, segment.to) &+ margin
        let side = 1 << SegmentGrid.shift
        for row in SegmentGrid.cells(low.y, high.y) {
            // Of a long diagonal, only the cells along it are filled.
            let top = SIMD2(Double(low.x), Double(Int(row) * side)),
                bottom = SIMD2(Double(high.x), Double((Int(row) + 1) * side))
            guard
                let part = RoadGeometry.clipped(
                    segment.from, segment.to, top - Double(margin), bottom + Double(margin))
            else { continue }
            let first = Int32(min(part.0.x, part.1.x)) &- margin,
                last = Int32(max(part.0.x, part.1.x)) &+ margin
            for column in SegmentGrid.cells(first, last) {
                let cell = SegmentGrid.cell(column, row)
                guard starts[Int(cell) + 1] < SegmentGrid.crowd else { continue }
                starts[Int(cell) + 1] += 1
                entries.append(SIMD2(cell, number))
            }
        }
    }

    /// The rows or columns from one position to another, -1 before the tile.
    private static func cells(_ first: Int32, _ last: Int32) -> ClosedRange<Int32> {
        let limit = Int32(side) - 2, low = min(max(first >> shift, -1), limit)
        return low...max(low, min(last >> shift, limit))
    }

    private static func cell(_ column: Int32, _ row: Int32) -> Int32 {
        (row + 1) * Int32(side) + column + 1
    }

    /// Returns the segments in the cell of a point.
    func near(_ point: TileRoad.Corner) -> some Sequence<Segment> {
        let column = SegmentGrid.cells(point.x, point.x).lowerBound,
            row = SegmentGrid.cells(point.y, point.y).lowerBound
        return members(of: Int(SegmentGrid.cell(column, row))).lazy.map { segments[Int($0)] }
    }

    /// All pairs of segments in one cell, each pair once or more.
    func forEachPair(_ body: (Segment, Segment) -> Void) {
        for cell in 0..<starts.count - 1 {
            let members = members(of: cell)
            for at in members.indices {
                let first = segments[Int(members[at])]
                for second in members[(at + 1)...] { body(first, segments[Int(second)]) }
            }
        }
    }

    private func members(of cell: Int) -> ArraySlice<Int32> {
        members[Int(starts[cell])..<Int(starts[cell + 1])]
    }
}

/// Distances and crossings of segments, in the units of their corners.
enum RoadGeometry {
    typealias Point = SIMD2<Double>

    static func length(_ step: Point) -> Double { (step * step).sum().squareRoot() }

    static func point(_ corner: TileRoad.Corner) -> Point { Point(Double(corner.x), Double(corner.y)) }

    /// Returns the bearing of a step in degrees clockwise from north, -180...180.
    static func bearing(_ step: Point) -> Double { atan2(step.x, -step.y).degrees }

    /// Returns the first corner of a line, and the point at a distance along it, or else its end. Both are
    /// zero without a corner.
    static func start(
        of corners: some Sequence<Point>, within length: Double
    ) -> (start: Point, end: Point, length: Double) {
        var first: Point?, last = Point.zero, sum = 0.0
        for corner in corners {
            guard first != nil else {
                first = corner
                last = corner
                continue
            }
            let step = corner - last, metres = Self.length(step)
            if sum + metres >= length {
                return (first ?? last, metres > 0 ? last + step * ((length - sum) / metres) : last, length)
            }
            sum += metres
            last = corner
        }
        return (first ?? last, last, sum)
    }

    /// Returns the crossing of two segments as shares of their lengths; nil if they do not cross.
    static func crossing(_ a: (Point, Point), _ b: (Point, Point)) -> SIMD2<Double>? {
        let first = a.1 - a.0, second = b.1 - b.0, gap = b.0 - a.0
        let turn = first.x * second.y - first.y * second.x
        guard abs(turn) > 1e-9 else { return nil }
        let shares = SIMD2(
            (gap.x * second.y - gap.y * second.x) / turn, (gap.x * first.y - gap.y * first.x) / turn)
        return all(shares .>= 0) && all(shares .<= 1) ? shares : nil
    }

    /// Returns the part of a segment inside a box; nil if there is none.
    static func clipped(
        _ from: TileRoad.Corner, _ to: TileRoad.Corner, _ low: Point, _ high: Point
    ) -> (Point, Point)? {
        let start = point(from), along = point(to) - start
        var first = 0.0, last = 1.0
        for axis in 0..<2 {
            if along[axis] == 0 {
                guard start[axis] >= low[axis], start[axis] <= high[axis] else { return nil }
                continue
            }
            let enter = (low[axis] - start[axis]) / along[axis],
                leave = (high[axis] - start[axis]) / along[axis]
            first = max(first, min(enter, leave))
            last = min(last, max(enter, leave))
        }
        guard first <= last else { return nil }
        return (start + along * first, start + along * last)
    }
}

extension TileRoads {
    /// Returns the main roads, or the others, in a compact form: the names and numbers; then in columns
    /// the number of corners, the traits, the name and the number of each road, and the steps between
    /// corners. The lowest bit of a step to the east marks a junction.
    package func packed(isMain: Bool) -> [UInt8] {
        let chosen = roads.filter { $0.traits.kind.isMain == isMain }.sorted { $0.order < $1.order }
        guard !chosen.isEmpty else { return [] }
        var known: [Int: Int] = [0: 0], texts: [UInt8] = [], bytes: [UInt8] = []
        func number(_ name: Int) -> Int {
            if let number = known[name] { return number }
            known[name] = known.count
            texts += names[name].utf8 + [0]
            return known.count - 1
        }
        let columns = chosen.map {
            SIMD4($0.corners.count, Int($0.traits.rawValue), number($0.name), number($0.reference))
        }
        bytes.appendNumber(known.count - 1)
        bytes += texts
        bytes.appendNumber(chosen.count)
        for column in 0..<4 {
            for row in columns { bytes.appendNumber(row[column]) }
        }
        var east: [UInt8] = [], south: [UInt8] = [], last = TileRoad.Corner.zero
        for road in chosen {
            for (corner, isJunction) in zip(road.corners, road.areJunctions) {
                let step = corner &- last
                east.appendNumber(zigzag(step.x) << 1 | (isJunction ? 1 : 0))
                south.appendNumber(zigzag(step.y))
                last = corner
            }
        }
        return bytes + east + south
    }

    private func zigzag(_ step: Int32) -> Int { Int(UInt32(bitPattern: step << 1 ^ step >> 31)) }

    /// Adds roads from their compact form.
    /// - Returns: False, without adding any, if the bytes are damaged.
    package mutating func add(packed bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        var reader = PackedRoads(bytes)
        guard let count = reader.number(), let texts = reader.texts(count), let rows = reader.number(),
            let sizes = reader.numbers(rows), let traits = reader.numbers(rows),
            let ownNames = reader.numbers(rows), let references = reader.numbers(rows),
            sizes.allSatisfy({ (2...bytes.count).contains($0) }),
            (ownNames + references).allSatisfy({ $0 <= count }),
            let east = reader.numbers(sizes.reduce(0, +)), let south = reader.numbers(east.count)
        else { return false }
        let first = names.count - 1
        var found: [TileRoad] = [], last = TileRoad.Corner.zero, at = 0
        for row in 0..<rows {
            var road = TileRoad(
                traits: RoadTraits(rawValue: UInt16(truncatingIfNeeded: traits[row])), corners: [])
            road.name = ownNames[row] > 0 ? first + ownNames[row] : 0
            road.reference = references[row] > 0 ? first + references[row] : 0
            road.corners.reserveCapacity(sizes[row])
            road.areJunctions.reserveCapacity(sizes[row])
            for _ in 0..<sizes[row] {
                last = last &+ TileRoad.Corner(PackedRoads.step(east[at] >> 1), PackedRoads.step(south[at]))
                guard (0...TileRoads.extent).contains(last.x), (0...TileRoads.extent).contains(last.y)
                else { return false }
                road.corners.append(last)
                road.areJunctions.append(east[at] & 1 == 1)
                at += 1
            }
            found.append(road)
        }
        names += texts
        roads += found
        return true
    }
}

extension TileRoad {
    /// Roads that are close to each other have similar numbers (a Morton code).
    fileprivate var order: UInt32 {
        let x = UInt32(corners[0].x), y = UInt32(corners[0].y)
        var code: UInt32 = 0
        for bit: UInt32 in 0..<13 {
            code |= (x >> bit & 1) << (2 * bit)
            code |= (y >> bit & 1) << (2 * bit + 1)
        }
        return code
    }
}

/// Reads the numbers and texts of packed roads.
private struct PackedRoads {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number() -> Int? {
        var value = 0, shift = 0
        while at < bytes.count, shift < 42 {
            let byte = bytes[at]
            at += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Returns some numbers; nil if there are fewer.
    mutating func numbers(_ count: Int) -> [Int]? {
        guard count <= bytes.count - at else { return nil }
        var found: [Int] = []
        found.reserveCapacity(count)
        for _ in 0..<count {
            guard let number = number() else { return nil }
            found.append(number)
        }
        return found
    }

    mutating func texts(_ count: Int) -> [String]? {
        guard count <= bytes.count - at else { return nil }
        var found: [String] = []
        for _ in 0..<count {
            guard let end = bytes[at...].firstIndex(of: 0) else { return nil }
            found.append(String(decoding: bytes[at..<end], as: UTF8.self))
            at = end + 1
        }
        return found
    }

    static func step(_ value: Int) -> Int32 {
        let bits = UInt32(truncatingIfNeeded: value)
        return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
    }
}

extension [UInt8] {
    fileprivate mutating func appendNumber(_ value: Int) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
