/// Lines of equal height through a grid of heights, by marching squares. Squares with an unknown height have
/// no lines, except that three known heights are a triangle. No two lines cross.
public struct ContourLines: Sendable {
    /// A position in the grid: columns and rows from the centre of the north-western sample.
    public typealias Point = SIMD2<Double>

    /// A line. A closed line ends at its first point. A sample that alone reaches a height is a closed line
    /// of two equal points.
    public struct Line: Sendable {
        /// The height in the unit of the grid.
        public let height: Double
        /// The positions, at least two.
        public let points: [Point]

        /// True if the line ends where it begins.
        public var isClosed: Bool { points.first == points.last }

        /// True if the line has no extent.
        public var isPoint: Bool { points.count == 2 && isClosed }
    }

    /// The vertical distance between two lines: the requested one, or a multiple of it for heights that would
    /// have more lines than the limit.
    public let interval: Double
    /// The lines in no particular order.
    public private(set) var lines: [Line]

    /// Finds the lines.
    /// - Parameters:
    ///   - interval: The vertical distance between two lines, above 0.
    ///   - limit: The maximum number of points. Beyond it, the interval is multiplied by five, so that every
    ///     line stays at a multiple of the requested interval.
    public init(of grid: ElevationGrid, every interval: Double, limit: Int = .max) {
        var interval = interval > 0 && interval.isFinite ? interval : 1
        var tracer = ContourTracer(grid, interval)
        while tracer.exceeds(limit), interval < 1e6 {
            interval *= 5
            tracer = ContourTracer(grid, interval)
        }
        self.interval = interval
        tracer.link()
        lines = tracer.lines
    }

    /// Returns the number of points of the lines before they are simplified. Takes much less time and memory
    /// than the lines.
    public static func pointCount(of grid: ElevationGrid, every interval: Double) -> Int {
        ContourTracer(grid, interval).count(upTo: .max)
    }
}

/// Finds the points where lines of equal height cross the edges between neighbouring samples, links the two
/// points of each line in each square, and follows the links.
private struct ContourTracer {
    private let width: Int
    private let height: Int
    private let metres: [Float]
    private let interval: Double
    /// The height of each sample in intervals, rounded down; `unknown` for none.
    private let bands: [Int32]
    private static let unknown = Int32.min

    private var points: [ContourLines.Point] = []
    /// The level of each point, in intervals.
    private var levels: [Int32] = []
    /// The neighbours of each point along its line; -1 for none.
    private var links: [SIMD2<Int32>] = []

    init(_ grid: ElevationGrid, _ interval: Double) {
        (width, height, metres, self.interval) = (grid.width, grid.height, grid.metres, interval)
        let step = Float(interval)
        bands = metres.map { metres in
            let band = (metres / step).rounded(.down)
            return abs(band) < 1e9 ? Int32(band) : ContourTracer.unknown
        }
    }

    /// Returns true if there are more points than a limit.
    func exceeds(_ limit: Int) -> Bool { limit < .max && count(upTo: limit) > limit }

    /// Returns the number of points, or of a part of them that exceeds a limit.
    func count(upTo limit: Int) -> Int {
        var count = 0
        for row in 0..<height {
            let start = row * width
            for at in start..<(start + width) where bands[at] != Self.unknown {
                let right = at + 1 < start + width ? at + 1 : at
                let below = at + width < bands.count ? at + width : at
                for next in [right, below] where bands[next] != Self.unknown {
                    count += abs(Int(bands[next]) - Int(bands[at]))
                }
            }
            if count > limit { return count }
        }
        return count
    }

    /// Links the points of all squares.
    mutating func link() {
        guard width > 1, height > 1 else { return }
        // The first point of each edge along the upper and the lower side of the squares in the row.
        var above = [Int32](repeating: 0, count: width), below = above
        for column in 0..<(width - 1) { above[column] = cross(column, column + 1) }
        for row in 0..<(height - 1) {
            let top = row * width, bottom = top + width
            var left = cross(top, bottom)
            for column in 0..<(width - 1) {
                let a = bands[top + column], b = bands[top + column + 1]
                let d = bands[bottom + column], c = bands[bottom + column + 1]
                if a == b, b == c, c == d { continue }
                let right = b == c ? 0 : cross(top + column + 1, bottom + column + 1)
                below[column] = c == d ? 0 : cross(bottom + column, bottom + column + 1)
                // After a flat square the left edge has no points, and `left` is not used.
                let square = Square(
                    samples: [top + column, top + column + 1, bottom + column + 1, bottom + column],
                    edges: [above[column], right, below[column], left])
                link(square)
                left = right
            }
            swap(&above, &below)
        }
    }

    /// A square of four samples, clockwise from the north-west, and the first point of the edge after each.
    private struct Square {
        let samples: SIMD4<Int>
        let edges: SIMD4<Int32>
    }

    private mutating func link(_ square: Square) {
        var known = 4, low = Int32.max, high = Int32.min, missing = 0
        for corner in 0..<4 {
            let band = bands[square.samples[corner]]
            if band == Self.unknown {
                known -= 1
                missing = corner
            } else {
                low = min(low, band)
                high = max(high, band)
            }
        }
        guard known > 2, low < high else { return }
        guard known == 4 else { return linkTriangle(square, missing) }
        let corners = SIMD4(
            bands[square.samples[0]], bands[square.samples[1]], bands[square.samples[2]],
            bands[square.samples[3]])
        // For each edge, the index of the first point minus the level of the first point.
        let bases =
            square.edges &- 1 &- pointwiseMin(corners, SIMD4(corners[1], corners[2], corners[3], corners[0]))
        for level in (low + 1)...high {
            let points = bases &+ level
            let code =
                (corners[0] >= level ? 1 : 0) | (corners[1] >= level ? 2 : 0) | (corners[2] >= level ? 4 : 0)
                | (corners[3] >= level ? 8 : 0)
            switch code {
            case 1, 14: join(points[3], points[0])
            case 2, 13: join(points[0], points[1])
            case 4, 11: join(points[1], points[2])
            case 8, 7: join(points[2], points[3])
            case 3, 12: join(points[1], points[3])
            case 6, 9: join(points[0], points[2])
            case 5, 10:
                var mean = 0.0
                for corner in 0..<4 { mean += Double(metres[square.samples[corner]]) / 4 }
                // The lines separate the two corners on the other side than the middle.
                let cutsFirst = (code == 5) != (mean >= Double(level) * interval)
                join(points[0], points[cutsFirst ? 3 : 1])
                join(points[2], points[cutsFirst ? 1 : 3])
            default: break
            }
        }
    }

    /// Links the points of a square without one of its heights, along the diagonal between its neighbours.
    private mutating func linkTriangle(_ square: Square, _ missing: Int) {
        let first = (missing + 1) & 3, middle = (missing + 2) & 3, last = (missing + 3) & 3
        let ends = (square.samples[first], square.samples[middle], square.samples[last])
        let diagonal = cross(ends.2, ends.0)
        let edges = [
            (ends.0, ends.1, square.edges[first]), (ends.1, ends.2, square.edges[middle]),
            (ends.2, ends.0, diagonal),
        ]
        let corners = [bands[ends.0], bands[ends.1], bands[ends.2]]
        guard let low = corners.min(), let high = corners.max(), low < high else { return }
        for level in (low + 1)...high {
            let crossed = edges.compactMap { (from, to, start) -> Int32? in
                let a = bands[from], b = bands[to]
                return (a >= level) != (b >= level) ? start + level - min(a, b) - 1 : nil
            }
            if crossed.count == 2 { join(crossed[0], crossed[1]) }
        }
    }

    /// Adds the points between two samples, the lowest first.
    /// - Returns: The index of the first.
    private mutating func cross(_ from: Int, _ to: Int) -> Int32 {
        let first = Int32(clamping: points.count), a = bands[from], b = bands[to]
        guard a != b, a != Self.unknown, b != Self.unknown else { return first }
        let start = Double(metres[from]), rise = Double(metres[to]) - start
        let origin = ContourLines.Point(Double(from % width), Double(from / width))
        let way = ContourLines.Point(Double(to % width), Double(to / width)) - origin
        for level in (min(a, b) + 1)...max(a, b) {
            let share = min(max((Double(level) * interval - start) / rise, 0), 1)
            points.append(origin + way * share)
            levels.append(level)
            links.append(SIMD2(-1, -1))
        }
        return first
    }

    private mutating func join(_ a: Int32, _ b: Int32) {
        if links[Int(a)].x < 0 { links[Int(a)].x = b } else { links[Int(a)].y = b }
        if links[Int(b)].x < 0 { links[Int(b)].x = a } else { links[Int(b)].y = a }
    }

    /// The lines along the links: first those with ends, then the closed ones.
    var lines: [ContourLines.Line] {
        var lines: [ContourLines.Line] = [], isDone = [Bool](repeating: false, count: points.count)
        for isOpen in [true, false] {
            for start in points.indices where !isDone[start] && links[start].x >= 0 {
                guard !isOpen || links[start].y < 0 else { continue }
                var line: [ContourLines.Point] = [], at = start
                while true {
                    isDone[at] = true
                    // Points of several edges may coincide in a sample.
                    if line.last != points[at] { line.append(points[at]) }
                    let next = links[at]
                    if next.x >= 0, !isDone[Int(next.x)] {
                        at = Int(next.x)
                    } else if next.y >= 0, !isDone[Int(next.y)] {
                        at = Int(next.y)
                    } else {
                        break
                    }
                }
                if !isOpen, line.last != points[start] { line.append(points[start]) }
                if line.count == 1 { line.append(line[0]) }
                lines.append(.init(height: Double(levels[start]) * interval, points: line))
            }
        }
        return lines
    }
}

// MARK: Simplification

extension ContourLines {
    /// The maximum number of points that one straight part replaces.
    private static let longestRun = 12

    /// Removes points that are not needed for the shape of the lines. A point only goes if the triangle with
    /// its neighbours contains no point of any line, so lines that did not cross don't cross afterwards.
    /// - Parameter tolerance: The maximum distance of a removed point from its line, in samples.
    public mutating func simplify(within tolerance: Double) {
        var field = PointField(lines)
        let limit = tolerance * tolerance
        for (number, line) in lines.enumerated() where line.points.count > 2 {
            let start = field.starts[number]
            var kept = [line.points[0]], anchor = 0
            for at in 1..<(line.points.count - 1) {
                let from = line.points[anchor], to = line.points[at + 1]
                var isFlat = at + 1 - anchor <= Self.longestRun
                for other in stride(from: at, to: anchor, by: -1) where isFlat {
                    isFlat = Self.squaredDistance(line.points[other], from, to) <= limit
                }
                if isFlat, field.isEmpty(start + anchor, start + at, start + at + 1) {
                    field.remove(start + at)
                } else {
                    kept.append(line.points[at])
                    anchor = at
                }
            }
            kept.append(line.points[line.points.count - 1])
            lines[number] = Line(height: line.height, points: kept)
        }
    }

    /// Returns the squared distance of a point from a segment.
    private static func squaredDistance(_ point: Point, _ a: Point, _ b: Point) -> Double {
        let way = b - a, offset = point - a
        let length = (way * way).sum()
        let share = length > 0 ? min(max((way * offset).sum() / length, 0), 1) : 0
        let rest = offset - way * share
        return (rest * rest).sum()
    }
}

/// The points of all lines, by the square in which they are.
private struct PointField {
    /// The index of the first point of each line.
    let starts: [Int]
    private let points: [ContourLines.Point]
    private var isRemoved: [Bool]
    /// The number of squares along the distance between two samples, so that a square has few points.
    private let density: Double
    private let width: Int
    private let height: Int
    /// For each square, the end of its points in `members`, after a zero for the beginning.
    private let ends: [Int32]
    private let members: [Int32]

    init(_ lines: [ContourLines.Line]) {
        var starts: [Int] = [], points: [ContourLines.Point] = []
        for line in lines {
            starts.append(points.count)
            points += line.points
        }
        let corner = points.reduce(ContourLines.Point(0, 0), pointwiseMax)
        let area = (corner.x + 1) * (corner.y + 1)
        let density = max((Double(points.count) / area / Self.pointsInSquare).squareRoot(), 1)
        let width = Int(corner.x * density) + 1, height = Int(corner.y * density) + 1
        let squares = points.map { Int($0.y * density) * width + Int($0.x * density) }
        var ends = [Int32](repeating: 0, count: width * height + 1)
        for square in squares { ends[square + 1] += 1 }
        for square in 1..<ends.count { ends[square] += ends[square - 1] }
        var next = ends, members = [Int32](repeating: 0, count: points.count)
        for (index, square) in squares.enumerated() {
            members[Int(next[square])] = Int32(clamping: index)
            next[square] += 1
        }
        self.starts = starts
        self.points = points
        self.density = density
        self.width = width
        self.height = height
        self.ends = ends
        self.members = members
        isRemoved = [Bool](repeating: false, count: points.count)
    }

    mutating func remove(_ point: Int) { isRemoved[point] = true }

    /// Returns true if no other remaining point is in the triangle of three points, or on its sides.
    func isEmpty(_ a: Int, _ b: Int, _ c: Int) -> Bool {
        let corners = (points[a], points[b], points[c])
        let low = min(corners.0.y, corners.1.y, corners.2.y) * density
        let high = max(corners.0.y, corners.1.y, corners.2.y) * density
        for row in Int(low)...min(Int(high), height - 1) {
            let columns = columns(of: corners, in: row)
            let first = row * width + columns.lowerBound, last = row * width + columns.upperBound
            for member in ends[first]..<ends[last + 1] {
                let other = Int(members[Int(member)])
                guard other != a, other != b, other != c, !isRemoved[other] else { continue }
                let point = points[other]
                let sides = SIMD3(
                    Self.side(corners.0, corners.1, point), Self.side(corners.1, corners.2, point),
                    Self.side(corners.2, corners.0, point))
                if sides.min() >= 0 || sides.max() <= 0 { return false }
            }
        }
        return true
    }

    /// Returns the columns of squares that a triangle reaches in a row.
    private func columns(
        of corners: (ContourLines.Point, ContourLines.Point, ContourLines.Point), in row: Int
    ) -> ClosedRange<Int> {
        let top = Double(row) / density, bottom = Double(row + 1) / density
        var low = Double.infinity, high = -Double.infinity
        func add(_ a: ContourLines.Point, _ b: ContourLines.Point) {
            guard min(a.y, b.y) <= bottom, max(a.y, b.y) >= top else { return }
            let rise = b.y - a.y
            for y in [top, bottom] {
                // Rounding must not put the end of a side beyond it.
                let share = rise == 0 ? (y == top ? 0 : 1) : min(max((y - a.y) / rise, 0), 1)
                let x = a.x + (b.x - a.x) * share
                low = min(low, x)
                high = max(high, x)
            }
        }
        add(corners.0, corners.1)
        add(corners.1, corners.2)
        add(corners.2, corners.0)
        guard low <= high else { return 0...width - 1 }
        let first = min(max(Int(low * density - 0.01), 0), width - 1)
        return first...min(max(Int(high * density + 0.01), first), width - 1)
    }

    /// The mean number of points in a square.
    private static let pointsInSquare = 2.0

    /// Returns twice the area of a triangle, negative if its corners run anticlockwise.
    private static func side(
        _ a: ContourLines.Point, _ b: ContourLines.Point, _ c: ContourLines.Point
    ) -> Double {
        (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
}
