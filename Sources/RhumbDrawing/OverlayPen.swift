internal import RhumbCore
internal import RhumbEngine

/// Draws the lines and areas of an overlay on one tile.
struct OverlayPen {
    /// Maximum width in map pixels of a line with its casing, on both sides.
    static let widest = 24.0
    private static let usualWidth = 2.2
    /// Width of the casing on each side, in map pixels.
    private static let rim = 0.8
    /// Maximum number of segments in one stroke, because the cost of a stroke grows faster than its length.
    private static let legLimit = 256

    private let scale: Double
    private let corner: SIMD2<Double>
    private let ratio: Double
    private let tolerance: Double
    private let box: ClipBox
    private let palette: OverlayPalette
    private let overlayTheme: LiveLayer.OverlayTheme
    private var legs = 0

    init(
        _ tile: TileID, side: Int, ratio: Double, palette: OverlayPalette,
        overlayTheme: LiveLayer.OverlayTheme
    ) {
        scale = Double(side) * Double(1 << tile.zoom)
        corner = SIMD2(Double(tile.x), Double(tile.y)) * Double(side)
        self.ratio = ratio
        self.palette = palette
        self.overlayTheme = overlayTheme
        tolerance = 0.6 / scale
        box = ClipBox(side: Double(side), margin: Self.widest * ratio)
    }

    /// True in terminals with few colours, where glyphs leave no room for casings and tints.
    private var isPlain: Bool { overlayTheme.depth.needsGlyphs && !overlayTheme.isFine }

    // MARK: Areas

    mutating func fill(
        _ shapes: [(paths: [OverlayPath], turns: Double)], _ style: OverlayStyle?, on canvas: borrowing Canvas
    ) {
        var colour = StyleColour(style?.fill ?? style?.ink ?? palette.ink)
        colour.alpha = style?.fillOpacity ?? 0.22
        guard !isPlain, colour.alpha > 0 else { return }
        for shape in shapes {
            canvas.clearPath()
            var rings = UnpairedRings()
            for path in shape.paths {
                let ring = box.ring(path.level(within: tolerance).points.map { placed($0, shape.turns) })
                if ring.count > 2 { rings.add(ring) }
            }
            for ring in rings.all { addRing(ring, canvas) }
            canvas.fillPath(colour, isEvenOdd: true)
        }
        canvas.clearPath()
    }

    private func addRing(_ ring: [SIMD2<Double>], _ canvas: borrowing Canvas) {
        canvas.move(to: ring[0])
        for point in ring.dropFirst() { canvas.line(to: point) }
        canvas.close()
    }

    private func placed(_ point: SIMD2<Double>, _ turns: Double) -> SIMD2<Double> {
        SIMD2(point.x + turns, point.y) * scale - corner
    }

    // MARK: Lines

    mutating func stroke(
        _ shapes: [(paths: [OverlayPath], turns: Double)], _ style: OverlayStyle?, isArea: Bool,
        on canvas: borrowing Canvas
    ) {
        let width = (style?.width ?? Self.usualWidth) * (isArea && style?.width == nil ? 0.6 : 1)
        var ink = StyleColour(style?.ink ?? palette.ink)
        ink.alpha = style?.opacity ?? 1
        guard ink.alpha > 0 else { return }
        if !isPlain, style?.hasCasing ?? true {
            var casing = StyleColour(overlayTheme.theme == .day ? RGB(0xFFFFFF) : RGB(0x101418))
            casing.alpha = 0.85 * ink.alpha
            let rim = isArea ? Self.rim / 2 : Self.rim
            trace(
                shapes, areRings: isArea, canvas,
                Stroke(colour: casing, width: (width + 2 * rim) * ratio, cap: .round, join: .round))
        }
        var stroke = Stroke(colour: ink, width: width * ratio, cap: .round, join: .round)
        if isPlain {
            stroke.dashes = palette.dashes.map { $0 * ratio }
            stroke.cap = .butt
        }
        trace(shapes, areRings: isArea, canvas, stroke)
    }

    private mutating func trace(
        _ shapes: [(paths: [OverlayPath], turns: Double)], areRings: Bool, _ canvas: borrowing Canvas,
        _ stroke: Stroke
    ) {
        canvas.clearPath()
        legs = 0
        for shape in shapes {
            for path in shape.paths { trace(path, shape.turns, isRing: areRings, canvas, stroke) }
        }
        end(canvas, stroke)
    }

    private mutating func end(_ canvas: borrowing Canvas, _ stroke: Stroke) {
        if legs > 0 { canvas.strokePath(stroke) }
        canvas.clearPath()
        legs = 0
    }

    private mutating func trace(
        _ path: OverlayPath, _ turns: Double, isRing: Bool, _ canvas: borrowing Canvas, _ stroke: Stroke
    ) {
        let level = path.level(within: tolerance)
        for piece in level.pieces {
            let least = placed(piece.least, turns), greatest = placed(piece.greatest, turns)
            let relation = box.relation(of: least, greatest)
            guard relation != .outside else { continue }
            if piece.points.count > 1 {
                trace(level.points[piece.points], turns, isInside: relation == .inside, canvas)
            } else {
                dot(least, canvas)
            }
            if legs >= Self.legLimit { end(canvas, stroke) }
        }
        if isRing, let first = level.points.first, let last = level.points.last, level.points.count > 2 {
            trace([last, first], turns, isInside: false, canvas)
        }
    }

    /// Adds the dot of a line with one point: a leg so short that the ends of the stroke make it round.
    private mutating func dot(_ point: SIMD2<Double>, _ canvas: borrowing Canvas) {
        let half = SIMD2(ratio / 2, 0)
        canvas.move(to: point - half)
        canvas.line(to: point + half)
        legs += 1
    }

    private mutating func trace(
        _ line: ArraySlice<SIMD2<Double>>, _ turns: Double, isInside: Bool, _ canvas: borrowing Canvas
    ) {
        var pen: SIMD2<Double>?
        for (a, b) in zip(line, line.dropFirst()) {
            let from = placed(a, turns), to = placed(b, turns)
            guard let (start, end) = isInside ? (from, to) : box.part(from: from, to: to) else {
                pen = nil
                continue
            }
            if pen != start { canvas.move(to: start) }
            canvas.line(to: end)
            pen = end
            legs += 1
        }
    }
}

/// The rings of an area that is filled by the even-odd rule, without pairs of equal rings, which have no
/// effect. Cairo takes quadratic time for many equal edges.
struct UnpairedRings {
    private var rings: [[SIMD2<Double>]] = []
    /// The index of each ring without an equal one so far.
    private var unpaired: [[SIMD2<Int32>]: Int] = [:]

    /// Adds a ring of at least three corners, in pixels.
    mutating func add(_ ring: [SIMD2<Double>]) {
        let key = UnpairedRings.key(ring)
        guard key.count > 2 else { return }
        if unpaired.removeValue(forKey: key) == nil {
            unpaired[key] = rings.count
            rings.append(ring)
        }
    }

    /// The remaining rings in their order.
    var all: [[SIMD2<Double>]] { unpaired.values.sorted().map { rings[$0] } }

    /// Returns the corners in Cairo's units, from the least one on, in the direction of its lesser neighbour.
    private static func key(_ ring: [SIMD2<Double>]) -> [SIMD2<Int32>] {
        var corners: [SIMD2<Int32>] = []
        for point in ring {
            let unit = (point * 256).rounded(.toNearestOrEven)
            guard abs(unit.x) < 1e9, abs(unit.y) < 1e9 else { return [] }
            let corner = SIMD2(Int32(unit.x), Int32(unit.y))
            if corner != corners.last { corners.append(corner) }
        }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        func isLess(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>) -> Bool { (a.x, a.y) < (b.x, b.y) }
        guard corners.count > 2, let first = corners.indices.min(by: { isLess(corners[$0], corners[$1]) })
        else { return [] }
        let count = corners.count
        let isForward = isLess(corners[(first + 1) % count], corners[(first + count - 1) % count])
        return (0..<count).map { corners[(first + (isForward ? $0 : count - $0)) % count] }
    }
}
