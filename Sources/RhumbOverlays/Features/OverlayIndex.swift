internal import RhumbBase
public import RhumbGeo

/// A spatial index of an overlay's features. Immutable; created again for each new set of features.
public final class OverlayIndex: Sendable {
    /// The features in their original order.
    public let features: OverlayFeatureList
    /// The bounding box; nil without features.
    public let box: WorldBox?
    /// The spatial index of the points.
    private let points: PointTree
    /// Lines and areas in groups of neighbours, each with a bounding box.
    private let groups: [Group]

    private struct Group {
        var box: WorldBox
        var members: [(slot: Int32, box: WorldBox)]
    }

    private static let groupSize = 32

    /// The index without features.
    public static let empty = OverlayIndex([])

    /// Creates an index.
    /// - Parameter features: The features, identified by their indices in this list.
    public init(_ features: some Sequence<OverlayFeature>) {
        let features = features as? OverlayFeatureList ?? OverlayFeatureList(features)
        self.features = features
        var codes: [(UInt64, Int32)] = [], shapes: [(UInt64, Int32, WorldBox)] = []
        var whole = WorldBoxUnion()
        for slot in features.indices {
            if case .point(let point) = features.shape(at: slot) {
                if codes.isEmpty { codes.reserveCapacity(features.count - slot) }
                codes.append((PointTree.code(point), Int32(clamping: slot)))
                whole.add(WorldBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y))
            } else {
                let box = features[slot].box
                let middle = WorldPoint(x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2)
                shapes.append((PointTree.code(middle), Int32(clamping: slot), box))
                whole.add(box)
            }
        }
        box = whole.box
        codes.sort { $0 < $1 }
        points = PointTree(codes)
        shapes.sort { ($0.0, $0.1) < ($1.0, $1.1) }
        groups = stride(from: 0, to: shapes.count, by: Self.groupSize).map { start in
            let members = shapes[start..<min(start + Self.groupSize, shapes.count)].map {
                (slot: $0.1, box: $0.2)
            }
            return Group(
                box: members.dropFirst().reduce(members[0].box) { $0.joined($1.box) }, members: members)
        }
    }

    /// True if there are lines or areas.
    public var hasShapes: Bool { !groups.isEmpty }

    /// Returns the lines and areas whose boxes touch a box, in their original order: the index of each, and
    /// the number of world widths to shift it by.
    public func shapes(touching box: WorldBox) -> [(slot: Int, turns: Double)] {
        var found: [(slot: Int, turns: Double)] = []
        for turns in [-1.0, 0, 1] {
            let moved = WorldBox(
                minX: box.minX - turns, minY: box.minY, maxX: box.maxX - turns, maxY: box.maxY)
            for group in groups where group.box.touches(moved) {
                for member in group.members where member.box.touches(moved) {
                    found.append((Int(member.slot), turns))
                }
            }
        }
        return found.sorted { $0.slot < $1.slot }
    }

    /// Returns clusters of the points in a box: the index of one point and the number of points in each. The
    /// box must be within 0…1.
    /// - Parameters:
    ///   - grain: Points closer than this are one cluster, in widths of the world.
    ///   - limit: Maximum number of clusters.
    /// - Returns: nil if there are more clusters than the limit.
    public func points(in box: WorldBox, grain: Double, limit: Int) -> [(slot: Int, count: Int)]? {
        points.clusters(in: box, grain: grain, limit: limit)
    }

    /// Returns all points in a box within 0…1.
    public func points(in box: WorldBox) -> [Int] {
        (points.clusters(in: box, grain: 0, limit: .max) ?? []).map(\.slot).filter { slot in
            guard case .point(let point) = features.shape(at: slot) else { return false }
            return (box.minX...box.maxX).contains(point.wrapped.x) && (box.minY...box.maxY).contains(point.y)
        }
    }
}

/// Points in Morton order, in which each square of a quadtree is a contiguous run.
struct PointTree: Sendable {
    private let codes: [UInt64]
    private let slots: [Int32]
    /// Bits per axis of a Morton code.
    private static let depth = 26

    /// - Parameter places: The Morton codes and indices of the points, in ascending order.
    init(_ points: [(UInt64, Int32)]) {
        codes = points.map(\.0)
        slots = points.map(\.1)
    }

    static func code(_ point: WorldPoint) -> UInt64 {
        let point = point.wrapped, side = Double(1 << depth)
        func spread(_ value: Double) -> UInt64 {
            // NaN counts as 0.
            var bits = UInt64(value > 0 ? min(value * side, side - 1) : 0)
            bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
            bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
            bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
            bits = (bits | bits << 2) & 0x3333_3333_3333_3333
            return (bits | bits << 1) & 0x5555_5555_5555_5555
        }
        return spread(point.x) | spread(point.y) << 1
    }

    func clusters(in box: WorldBox, grain: Double, limit: Int) -> [(slot: Int, count: Int)]? {
        var found: [(slot: Int, count: Int)] = []
        let isWhole = visit(0..<codes.count, level: 0, x: 0, y: 0, box, grain, limit, &found)
        return isWhole ? found : nil
    }

    /// Visits a square of the quadtree, given by its run of points, its level and its corner.
    private func visit(
        _ run: Range<Int>, level: Int, x: Double, y: Double, _ box: WorldBox, _ grain: Double, _ limit: Int,
        _ found: inout [(slot: Int, count: Int)]
    ) -> Bool {
        guard !run.isEmpty else { return true }
        let side = 1 / Double(1 << level)
        guard x <= box.maxX, x + side >= box.minX, y <= box.maxY, y + side >= box.minY else { return true }
        if run.count == 1 || side <= grain || level == Self.depth {
            guard found.count < limit else { return false }
            if grain > 0 || run.count == 1 {
                found.append((Int(slots[run.lowerBound]), run.count))
            } else {
                for at in run { found.append((Int(slots[at]), 1)) }
            }
            return true
        }
        let shift = UInt64(2 * (Self.depth - level - 1)),
            base = (codes[run.lowerBound] >> (shift + 2)) << (shift + 2)
        var start = run.lowerBound
        for quarter in 0..<4 {
            let end =
                quarter == 3
                ? run.upperBound
                : first(in: start..<run.upperBound, notBelow: base + (UInt64(quarter + 1) << shift))
            let half = side / 2
            guard
                visit(
                    start..<end, level: level + 1, x: x + (quarter & 1 != 0 ? half : 0),
                    y: y + (quarter & 2 != 0 ? half : 0), box, grain,
                    limit, &found)
            else { return false }
            start = end
        }
        return true
    }

    private func first(in run: Range<Int>, notBelow code: UInt64) -> Int {
        run.partitioningIndex { codes[$0] >= code }
    }
}

extension WorldBox {
    /// Returns the bounding box of both boxes.
    func joined(_ other: WorldBox) -> WorldBox {
        WorldBox(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// Returns true if the boxes overlap or share an edge.
    public func touches(_ other: WorldBox) -> Bool {
        minX <= other.maxX && maxX >= other.minX && minY <= other.maxY && maxY >= other.minY
    }

    /// The box in degrees, enlarged to at least some metres.
    public var bounds: Bounds? {
        let least = 1e-6, isWide = maxX - minX >= 1
        let north = Mercator.coordinate(WorldPoint(x: minX - least, y: min(minY, 1) - least))
        let south = Mercator.coordinate(WorldPoint(x: maxX + least, y: max(maxY, 0) + least))
        return Bounds(
            west: isWide ? -180 : north.longitude, south: south.latitude,
            east: isWide ? 180 : south.longitude, north: north.latitude)
    }
}

/// The bounding box of boxes on both sides of the antimeridian. It is the narrower one of two: the first
/// begins at the antimeridian, the second at the prime meridian.
public struct WorldBoxUnion: Sendable {
    private var plain: WorldBox?
    private var turned: WorldBox?

    /// Creates the union of no boxes.
    public init() {}

    /// The bounding box, whose x may exceed 1; nil without boxes.
    public var box: WorldBox? {
        guard let plain, let turned else { return plain }
        return turned.maxX - turned.minX < plain.maxX - plain.minX ? turned : plain
    }

    /// Adds a box.
    public mutating func add(_ box: WorldBox) {
        plain = plain?.joined(box) ?? box
        let shift = -((box.minX + box.maxX) / 2 - 0.5).rounded(.down)
        let moved = WorldBox(
            minX: box.minX + shift, minY: box.minY, maxX: box.maxX + shift, maxY: box.maxY)
        turned = turned?.joined(moved) ?? moved
    }
}

/// Search for features at a position.
extension OverlayIndex {
    /// Returns the indices of the features at a position: points, then lines within reach, nearest first,
    /// then areas that contain the position.
    /// - Parameter reach: Maximum distance, in widths of the world.
    public func features(
        at place: WorldPoint, reach: Double, limit: Int = 20, withPoints: Bool = true
    ) -> [Int] {
        let here = place.wrapped
        let box = WorldBox(
            minX: here.x - reach, minY: here.y - reach, maxX: here.x + reach, maxY: here.y + reach)
        var near: [(slot: Int, kind: Int, apart: Double)] = (withPoints ? points(in: box) : []).compactMap {
            slot in
            guard case .point(let point) = features[slot].shape else { return nil }
            let apart = SIMD2(point.wrapped.x - here.x, point.y - here.y).length
            return apart <= reach ? (slot, 0, apart) : nil
        }
        for (slot, turns) in shapes(touching: box) {
            let place = SIMD2(here.x - turns, here.y)
            switch features[slot].shape {
            case .point: continue
            case .line(let paths):
                let apart = paths.map { $0.distance(to: place, within: reach) }.min() ?? .infinity
                if apart <= reach { near.append((slot, 1, apart)) }
            case .area(let areas):
                let holding = areas.contains { rings in rings.count { $0.encloses(place) } % 2 == 1 }
                if holding { near.append((slot, 2, 0)) }
            }
        }
        return near.sorted { ($0.kind, $0.apart, $0.slot) < ($1.kind, $1.apart, $1.slot) }.prefix(limit).map(
            \.slot)
    }
}

extension OverlayPath {
    /// Returns the distance of the line to a position, in widths of the world; infinite if it is out of
    /// reach.
    func distance(to place: SIMD2<Double>, within reach: Double) -> Double {
        let level = level(within: reach / 4)
        if level.points.count == 1 { return (level.points[0] - place).length }
        var nearest = Double.infinity
        for piece in level.pieces
        where all(piece.least - reach .<= place) && all(piece.greatest + reach .>= place) {
            for at in piece.points.dropFirst() {
                nearest = min(
                    nearest, PlaneGeometry.nearest(place, level.points[at - 1], level.points[at]).distance)
            }
        }
        return nearest
    }

    /// Returns true if a position is inside the ring.
    func encloses(_ place: SIMD2<Double>) -> Bool {
        all(least .<= place) && all(greatest .>= place) && PlaneGeometry.encloses(points, place)
    }
}
