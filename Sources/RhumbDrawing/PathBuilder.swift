internal import RhumbCore

/// Puts shapes of a tile's layer on a canvas as paths: moved, scaled, cut to the square, and
/// without points that lie too near to each other to be told apart.
struct PathBuilder {
    private let scale: Double
    private let offset: SIMD2<Double>
    private let box: ClipBox
    private let seen: ClipBox
    private let step: Double
    private var points: [SIMD2<Double>] = []
    /// The least and the greatest of their coordinates.
    private var least = SIMD2<Double>.zero, greatest = SIMD2<Double>.zero
    /// Whether the path has anything in it.
    private(set) var isEmpty = true
    private var legs = 0

    /// Legs that are stroked together at most: what a stroke costs grows faster than its length
    /// where it crosses itself.
    private static let legLimit = 256

    /// - Parameters:
    ///   - extent: the side of the data's tile in its units.
    ///   - seen: the pixels that are seen: what leaves marks only elsewhere stays out of the path. Nil: all.
    ///   - margin: pixels round the square that are drawn as well, for wide lines.
    init(_ part: TilePart, extent: Int, side: Int, seen: PixelBox?, margin: Double) {
        let across = Double(side * part.count)
        scale = across / Double(extent)
        offset = -part.corner * Double(side)
        box = ClipBox(side: Double(side), margin: margin)
        self.seen = ClipBox(seen)
        step = Double(side) / 1024
    }

    mutating func clear(_ canvas: borrowing Canvas) {
        canvas.clearPath()
        isEmpty = true
        legs = 0
    }

    /// Adds a shape to be filled.
    /// - Parameter reach: pixels round it on which it may leave marks.
    mutating func addRings(_ shape: VectorGeometry, reach: Double, to canvas: borrowing Canvas) {
        for part in 0..<shape.partCount {
            guard let place = take(shape.points[shape.part(part)]), isSeen(reach) else { continue }
            addRing(place, canvas)
        }
    }

    /// Whether the points taken last may leave marks on what is seen; antialiasing reaches a pixel farther.
    private func isSeen(_ reach: Double) -> Bool {
        seen.isTouched(from: least, to: greatest, reach: reach + 1)
    }

    /// Adds a shape to be stroked. Legs that are not seen count all the same, so that what is seen is
    /// stroked together whatever else is.
    /// - Parameters:
    ///   - areRings: whether its parts end where they begin.
    ///   - reach: pixels round it on which its stroke may leave marks.
    ///   - offset: pixels that it is moved to its right.
    ///   - isDashed: whether its stroke depends on where a line begins.
    ///   - stroke: strokes the path, which is then begun anew, whenever it has become long.
    mutating func addLines(
        _ shape: VectorGeometry, areRings: Bool, reach: Double, offset: Double, isDashed: Bool,
        to canvas: borrowing Canvas,
        stroke: (borrowing Canvas) -> Void
    ) {
        for part in 0..<shape.partCount {
            guard var place = take(shape.points[shape.part(part)]) else { continue }
            if offset != 0 { place = move(by: offset, areRings: areRings) }
            if areRings && points.count <= PathBuilder.legLimit {
                if isSeen(reach) { addRing(place, canvas) }
                legs += points.count
            } else {
                if areRings { points.append(points[0]) }
                addLine(place, canvas, reach: isDashed && isSeen(reach) ? .infinity : reach, stroke)
            }
            if legs >= PathBuilder.legLimit { end(canvas, stroke) }
        }
    }

    private mutating func end(_ canvas: borrowing Canvas, _ stroke: (borrowing Canvas) -> Void) {
        if !isEmpty { stroke(canvas) }
        clear(canvas)
    }

    /// A circle round each point.
    /// - Parameter rim: pixels that its rim is wide.
    mutating func addCircles(
        _ shape: VectorGeometry, radius: Double, rim: Double, to canvas: borrowing Canvas
    ) {
        for point in shape.points {
            let centre = placed(point)
            guard box.contains(centre), seen.isTouched(from: centre, to: centre, reach: radius + rim + 1)
            else { continue }
            canvas.circle(at: centre, radius: radius)
            isEmpty = false
        }
    }

    private func placed(_ point: VectorGeometry.Point) -> SIMD2<Double> {
        SIMD2(Double(point.x), Double(point.y)) * scale + offset
    }

    /// Moves a part's points into pixels.
    /// - Returns: where they lie; nil for nothing to draw.
    private mutating func take(_ part: ArraySlice<VectorGeometry.Point>) -> ClipBox.Place? {
        points.removeAll(keepingCapacity: true)
        guard let first = part.first else { return nil }
        var last = placed(first)
        least = last
        greatest = last
        points.append(last)
        for point in part.dropFirst() {
            let place = placed(point)
            guard abs(place.x - last.x) >= step || abs(place.y - last.y) >= step else { continue }
            points.append(place)
            least = pointwiseMin(least, place)
            greatest = pointwiseMax(greatest, place)
            last = place
        }
        let place = box.place(of: least, greatest)
        return place == .outside || points.count < 2 ? nil : place
    }

    /// Moves the points taken last to the right of the line.
    private mutating func move(by offset: Double, areRings: Bool) -> ClipBox.Place {
        if areRings, points.count > 2, points.first == points.last { points.removeLast() }
        points = LineOffset.moved(points, by: offset, isRing: areRings)
        least = points.reduce(points[0], pointwiseMin)
        greatest = points.reduce(points[0], pointwiseMax)
        return box.place(of: least, greatest)
    }

    private mutating func addRing(_ place: ClipBox.Place, _ canvas: borrowing Canvas) {
        let ring = place == .inside ? points : box.ring(points)
        guard ring.count > 2 else { return }
        canvas.move(to: ring[0])
        for point in ring.dropFirst() { canvas.line(to: point) }
        canvas.close()
        isEmpty = false
    }

    private mutating func addLine(
        _ place: ClipBox.Place, _ canvas: borrowing Canvas, reach: Double,
        _ stroke: (borrowing Canvas) -> Void
    ) {
        var pen: SIMD2<Double>?
        for (a, b) in zip(points, points.dropFirst()) {
            guard let (from, to) = place == .inside ? (a, b) : box.part(from: a, to: b) else {
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
            // The leg is there twice, so that the line has no notch.
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
