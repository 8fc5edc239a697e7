internal import RhumbCore

/// Adds the shapes of a tile's layer to a canvas as paths. Transforms them to pixels, clips them to the
/// square, and drops points too close together to be distinguished.
struct PathBuilder {
    private let scale: Double
    private let extent: Int32
    private let offset: SIMD2<Double>
    private let box: ClipBox
    private let seen: ClipBox
    private let step: Double
    private var points: [SIMD2<Double>] = []
    /// The bounding box of the current points.
    private var least = SIMD2<Double>.zero, greatest = SIMD2<Double>.zero
    /// True if the path is empty.
    private(set) var isEmpty = true
    private var legs = 0

    /// Maximum number of segments in one stroke, because the cost of a self-crossing stroke grows faster than
    /// its length.
    private static let legLimit = 256

    /// Creates a builder.
    /// - Parameters:
    ///   - extent: Length of the tile's side in its own units.
    ///   - seen: The visible pixels; shapes that leave no marks there are dropped. nil for all.
    ///   - margin: Margin around the square that is drawn as well, in pixels, for wide lines.
    ///   - shift: Translation of all shapes, in pixels.
    init(
        _ part: TilePart, extent: Int, side: Int, seen: PixelBox?, margin: Double,
        shift: SIMD2<Double> = .zero
    ) {
        let across = Double(side * part.count)
        scale = across / Double(extent)
        self.extent = Int32(clamping: extent)
        offset = shift - part.corner * Double(side)
        box = ClipBox(side: Double(side), margin: margin)
        self.seen = ClipBox(seen)
        step = Double(side) / 1024
    }

    mutating func clear(_ canvas: borrowing Canvas) {
        canvas.clearPath()
        isEmpty = true
        legs = 0
    }

    /// Adds a shape to fill.
    /// - Parameter reach: Maximum distance of a mark from the shape, in pixels.
    mutating func addRings(_ shape: VectorGeometry, reach: Double, to canvas: borrowing Canvas) {
        for part in 0..<shape.partCount {
            guard let relation = take(shape.points[shape.part(part)]), isSeen(reach) else { continue }
            addRing(relation, canvas)
        }
    }

    /// Returns true if the current points may leave visible marks. Antialiasing adds a pixel to the reach.
    private func isSeen(_ reach: Double) -> Bool {
        seen.isTouched(from: least, to: greatest, reach: reach + 1)
    }

    /// Adds a shape to stroke. Invisible segments count towards the limit, so that the grouping into strokes
    /// doesn't depend on visibility.
    /// - Parameters:
    ///   - areRings: True if the parts are closed.
    ///   - reach: Maximum distance of a mark from the line, in pixels.
    ///   - offset: Offset to the right of the line, in pixels.
    ///   - isDashed: True if the stroke depends on the start of the line.
    ///   - stroke: Strokes the path when it reaches the limit. The path is cleared afterwards.
    mutating func addLines(
        _ shape: VectorGeometry, areRings: Bool, reach: Double, offset: Double, isDashed: Bool,
        to canvas: borrowing Canvas,
        stroke: (borrowing Canvas) -> Void
    ) {
        for part in 0..<shape.partCount {
            guard var relation = take(shape.points[shape.part(part)]) else { continue }
            if offset != 0 { relation = move(by: offset, areRings: areRings) }
            if areRings && points.count <= PathBuilder.legLimit {
                if isSeen(reach) { addRing(relation, canvas) }
                legs += points.count
            } else {
                if areRings { points.append(points[0]) }
                addLine(relation, canvas, reach: isDashed && isSeen(reach) ? .infinity : reach, stroke)
            }
            if legs >= PathBuilder.legLimit { end(canvas, stroke) }
        }
    }

    private mutating func end(_ canvas: borrowing Canvas, _ stroke: (borrowing Canvas) -> Void) {
        if !isEmpty { stroke(canvas) }
        clear(canvas)
    }

    /// Adds a circle around each point.
    /// - Parameters:
    ///   - areCorners: True for the corners of a line or area. Those of its cut at the tile's margin and
    ///     those that can't be distinguished have no circle.
    ///   - rim: Width of the outline in pixels.
    mutating func addCircles(
        _ shape: VectorGeometry, areCorners: Bool, radius: Double, rim: Double, to canvas: borrowing Canvas
    ) {
        guard let first = shape.points.first else { return }
        let least = shape.points.reduce(first, pointwiseMin),
            greatest = shape.points.reduce(first, pointwiseMax)
        var last: SIMD2<Double>?, left = areCorners ? PathBuilder.cornerLimit : .max
        for point in shape.points {
            let isOutside = any(point .< 0) || any(point .> extent)
            if areCorners, isOutside, any(point .== least) || any(point .== greatest) { continue }
            let centre = placed(point)
            if areCorners, let last, abs(last.x - centre.x) + abs(last.y - centre.y) < step { continue }
            last = centre
            guard box.contains(centre), seen.isTouched(from: centre, to: centre, reach: radius + rim + 1)
            else { continue }
            canvas.circle(at: centre, radius: radius)
            isEmpty = false
            left -= 1
            guard left > 0 else { return }
        }
    }

    /// The maximum number of circles at the corners of one feature. They cover each other long before, and
    /// millions would take gigabytes.
    private static let cornerLimit = 20_000

    private func placed(_ point: VectorGeometry.Point) -> SIMD2<Double> {
        SIMD2(Double(point.x), Double(point.y)) * scale + offset
    }

    /// Converts a part's points to pixels.
    /// - Returns: The relation of the part to the box; nil if there is nothing to draw.
    private mutating func take(_ part: ArraySlice<VectorGeometry.Point>) -> ClipBox.Relation? {
        points.removeAll(keepingCapacity: true)
        guard let first = part.first else { return nil }
        var last = placed(first)
        least = last
        greatest = last
        points.append(last)
        for point in part.dropFirst() {
            let position = placed(point)
            guard abs(position.x - last.x) >= step || abs(position.y - last.y) >= step else { continue }
            points.append(position)
            least = pointwiseMin(least, position)
            greatest = pointwiseMax(greatest, position)
            last = position
        }
        let relation = box.relation(of: least, greatest)
        return relation == .outside || points.count < 2 ? nil : relation
    }

    /// Offsets the current points to the right of the line.
    private mutating func move(by offset: Double, areRings: Bool) -> ClipBox.Relation {
        if areRings, points.count > 2, points.first == points.last { points.removeLast() }
        points = LineOffset.moved(points, by: offset, isRing: areRings)
        least = points.reduce(points[0], pointwiseMin)
        greatest = points.reduce(points[0], pointwiseMax)
        return box.relation(of: least, greatest)
    }

    private mutating func addRing(_ relation: ClipBox.Relation, _ canvas: borrowing Canvas) {
        let ring = relation == .inside ? points : box.ring(points)
        guard ring.count > 2 else { return }
        canvas.move(to: ring[0])
        for point in ring.dropFirst() { canvas.line(to: point) }
        canvas.close()
        isEmpty = false
    }

    private mutating func addLine(
        _ relation: ClipBox.Relation, _ canvas: borrowing Canvas, reach: Double,
        _ stroke: (borrowing Canvas) -> Void
    ) {
        var pen: SIMD2<Double>?
        for (a, b) in zip(points, points.dropFirst()) {
            guard let (from, to) = relation == .inside ? (a, b) : box.part(from: a, to: b) else {
                pen = nil
                continue
            }
            let isSeen = seen.isTouched(
                from: pointwiseMin(from, to), to: pointwiseMax(from, to), reach: reach + 1)
            if isSeen { addLeg(from, to, isNew: pen != from, canvas) }
            pen = isSeen ? to : nil
            legs += 1
            guard legs >= PathBuilder.legLimit else { continue }
            end(canvas, stroke)
            // Repeats the segment in the next stroke, so that the line has no notch.
            if isSeen { addLeg(from, to, isNew: true, canvas) }
        }
    }

    private mutating func addLeg(
        _ from: SIMD2<Double>, _ to: SIMD2<Double>, isNew: Bool, _ canvas: borrowing Canvas
    ) {
        if isNew { canvas.move(to: from) }
        canvas.line(to: to)
        isEmpty = false
    }
}

/// Offsets lines to their right, seen in the direction of the line with y pointing down. Negative distances
/// offset to the left.
enum LineOffset {
    /// Minimum of 1 + cos(turn) at a mitred corner. Sharper corners are bevelled, because their mitre would
    /// be too far away.
    private static let leastLean = 0.25

    /// Returns the offset line.
    /// - Parameters:
    ///   - points: Points without equal neighbours.
    ///   - isRing: True to join the last point with the first.
    static func moved(_ points: [SIMD2<Double>], by distance: Double, isRing: Bool) -> [SIMD2<Double>] {
        guard distance != 0, points.count > 1 else { return points }
        let legs = isRing ? points.count : points.count - 1
        let sides = (0..<legs).map { side(of: points[($0 + 1) % points.count] - points[$0]) }
        var moved: [SIMD2<Double>] = []
        moved.reserveCapacity(points.count)
        for (at, point) in points.enumerated() {
            let before = at > 0 ? sides[at - 1] : isRing ? sides[legs - 1] : sides[0]
            let after = at < legs ? sides[at] : before
            let lean = 1 + (before * after).sum()
            if lean < leastLean {
                moved += [point + before * distance, point + after * distance]
            } else {
                moved.append(point + (before + after) * (distance / lean))
            }
        }
        return moved
    }

    /// Returns the unit vector to the right of a segment; zero for a segment without length.
    private static func side(of leg: SIMD2<Double>) -> SIMD2<Double> {
        let length = (leg * leg).sum().squareRoot()
        return length > 0 ? SIMD2(-leg.y, leg.x) / length : .zero
    }
}
