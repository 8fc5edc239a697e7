internal import RhumbCore

/// Lines and tints that are part of a map in pixels. A map in cells has glyphs and tinted cells instead.
///
/// Positions are in widths of the world, and continue across its copies.
public struct PixelShapes: Equatable, Sendable {
    /// A line. Widths are in eighths of a cell's width.
    struct Line: Equatable, Sendable {
        let points: [SIMD2<Double>]
        let colour: RGB
        var width = 2.5
        /// The colour of the line's edges, which set it off from any map.
        let edge: RGB
    }

    /// An area with a colour over the map.
    struct Tint: Equatable, Sendable {
        enum Shape: Equatable, Sendable { case box, circle, hatch }
        let box: WorldBox
        let colour: RGB
        var share = 1.0
        var shape = Shape.box
    }

    var lines: [Line] = []
    var tints: [Tint] = []
    /// True if the shapes end near the borders of the view.
    var endsBesideView = false

    /// Creates shapes without lines and tints.
    public init() {}

    /// The shapes within a block, in its pixels.
    struct Part: Equatable, Sendable {
        fileprivate var strokes: [Stroke] = []
        fileprivate var tints: [PlacedTint] = []
    }

    fileprivate struct Stroke: Equatable, Sendable {
        var lines: [[SIMD2<Float>]]
        let colour: RGB, edge: RGB, width: Float
    }

    fileprivate struct PlacedTint: Equatable, Sendable {
        let columns: Range<Int>, rows: Range<Int>
        /// A sum of column and row on a line of a hatch.
        let origin: Int
        let tint: Tint
    }

    /// Returns the shapes within a block of a grid.
    func part(column: Int, row: Int, _ grid: PixelGrid) -> Part {
        guard !lines.isEmpty || !tints.isEmpty else { return Part() }
        var part = Part()
        let corner = grid.corner(column: column, row: row)
        let origin = SIMD2(Double(corner.x), Double(corner.y))
        let unit = Double(grid.cell.width) / 8
        for line in lines {
            let width = max(line.width * unit, 1)
            let pieces = Self.pieces(
                line.points.map { $0 * grid.side - origin },
                SIMD2(Double(grid.block.width), Double(grid.block.height)), margin: width + 4)
            guard !pieces.isEmpty else { continue }
            let stroke = Stroke(lines: pieces, colour: line.colour, edge: line.edge, width: Float(width))
            if let last = part.strokes.last, last.colour == stroke.colour, last.width == stroke.width {
                part.strokes[part.strokes.count - 1].lines += pieces
            } else {
                part.strokes.append(stroke)
            }
        }
        part.tints = tints.compactMap { tint in
            func range(_ low: Double, _ high: Double, _ from: Int) -> Range<Int> {
                let first = Int((low * grid.side).rounded()) - from
                return first..<max(Int((high * grid.side).rounded()) - from, first)
            }
            let columns = range(tint.box.minX, tint.box.maxX, corner.x)
            let rows = range(tint.box.minY, tint.box.maxY, corner.y)
            guard columns.overlaps(0..<grid.block.width), rows.overlaps(0..<grid.block.height) else {
                return nil
            }
            return PlacedTint(columns: columns, rows: rows, origin: -(corner.x + corner.y), tint: tint)
        }
        return part
    }

    /// Returns the parts of a line near a block, with rounded positions, so that they do not depend on the
    /// parts elsewhere.
    private static func pieces(
        _ points: [SIMD2<Double>], _ size: SIMD2<Double>, margin: Double
    ) -> [[SIMD2<Float>]] {
        var pieces: [[SIMD2<Float>]] = []
        for (from, to) in zip(points, points.dropFirst()) {
            guard let (start, end) = shares(from, to, size, margin) else { continue }
            let ends = [start, end].map { share in
                let point = (from + (to - from) * share) * 16
                return SIMD2(Float(point.x.rounded()), Float(point.y.rounded())) / 16
            }
            if pieces.last?.last == ends[0] {
                pieces[pieces.count - 1].append(ends[1])
            } else {
                pieces.append(ends)
            }
        }
        return pieces
    }

    /// Returns the part of a straight line within a box with a margin, as shares of its length; nil for none.
    private static func shares(
        _ from: SIMD2<Double>, _ to: SIMD2<Double>, _ size: SIMD2<Double>, _ margin: Double
    ) -> (Double, Double)? {
        var start = 0.0, end = 1.0
        for axis in 0..<2 {
            let low = -margin - from[axis], high = size[axis] + margin - from[axis]
            let along = to[axis] - from[axis]
            guard along != 0 else {
                guard low <= 0, high >= 0 else { return nil }
                continue
            }
            start = max(start, min(low / along, high / along))
            end = min(end, max(low / along, high / along))
        }
        return start <= end ? (start, end) : nil
    }
}

extension Picture {
    /// Draws the shapes of a block.
    /// - Parameter cell: The width of a cell in pixels.
    mutating func draw(_ part: PixelShapes.Part, cell: Int) {
        for area in part.tints {
            let tint = area.tint
            switch tint.shape {
            case .box:
                self.tint(
                    columns: area.columns, rows: area.rows, colour: tint.colour, share: Float(tint.share))
            case .circle:
                let radius = Float(area.columns.count) / 2
                tintCircle(
                    SIMD2(
                        Float(area.columns.lowerBound) + radius,
                        Float(area.rows.lowerBound) + Float(area.rows.count) / 2),
                    radius: radius, colour: tint.colour, share: Float(tint.share))
            case .hatch:
                hatch(
                    columns: area.columns, rows: area.rows, origin: area.origin, spacing: cell * 4,
                    colour: tint.colour)
            }
        }
        let edge = Float(cell) / 8
        for line in part.strokes {
            stroke(line.lines, width: line.width + 2 * edge, colour: line.edge, opacity: 0.6)
            stroke(line.lines, width: line.width, colour: line.colour)
        }
    }
}
