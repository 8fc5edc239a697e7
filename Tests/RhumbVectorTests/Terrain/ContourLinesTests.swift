import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbVector

/// The judge is GDAL's `gdal_contour`: for each level, no point of either is farther than a sample from the
/// lines of the other.
struct ContourLinesTests {
    typealias Point = ContourLines.Point

    /// A grid of heights in a file for GDAL.
    struct Model: CustomTestStringConvertible {
        let testDescription: String
        let grid: ElevationGrid
        let interval: Double

        /// The text of an Esri ASCII grid.
        var text: String {
            let rows = (0..<grid.height).map { row in
                (0..<grid.width).map { column in
                    let metres = grid.metres[row * grid.width + column]
                    return metres.isNaN ? "-9999" : "\(metres)"
                }.joined(separator: " ")
            }
            return "ncols \(grid.width)\nnrows \(grid.height)\nxllcorner 0\nyllcorner 0\ncellsize 1\n"
                + "NODATA_value -9999\n" + rows.joined(separator: "\n") + "\n"
        }
    }

    /// Heights made by code: a hill, a pit, a saddle between two hills, a cliff, a plateau at a level, and
    /// two holes without data.
    static let made = Model(
        testDescription: "pit, saddle, cliff and nodata",
        grid: grid(90, 70) { x, y in
            if (60..<66).contains(x) && (10..<15).contains(y) || x == 20 && y == 50 { return .nan }
            func hill(_ cx: Double, _ cy: Double, _ height: Double, _ size: Double) -> Double {
                let dx = (Double(x) - cx) / size, dy = (Double(y) - cy) / size
                return height * exp(-dx * dx - dy * dy)
            }
            let waves = 3 * sin(Double(x) * 0.9) * cos(Double(y) * 0.7)
            let ground =
                100 + hill(22, 22, 160, 9) + hill(45, 22, 150, 9) - hill(66, 45, 120, 8) + hill(20, 50, 90, 7)
                + waves
            return x + y > 118 ? ground + 310 : (3..<9).contains(x) && (55..<62).contains(y) ? 120 : ground
        }, interval: 20)

    static let real: Model? = {
        let text = String(
            decoding: TestFiles.bytes("Tests/Goldens/Terrain/jacksboro.asc") ?? [], as: UTF8.self)
        let heights = text.split(separator: "\n").dropFirst(6).flatMap {
            $0.split(separator: " ").compactMap { Float($0) }
        }
        guard heights.count == 128 * 128 else { return nil }
        return Model(
            testDescription: "Jacksboro fault",
            grid: ElevationGrid(width: 128, height: 128, metres: heights), interval: 20)
    }()

    static func grid(_ width: Int, _ height: Int, _ metres: (Int, Int) -> Double) -> ElevationGrid {
        ElevationGrid(
            width: width, height: height,
            metres: (0..<width * height).map { Float(metres($0 % width, $0 / width)) })
    }

    // MARK: GDAL

    @Test(
        .enabled(if: access("/usr/bin/gdal_contour", X_OK) == 0, "gdal-bin is not installed"),
        arguments: [made] + (real.map { [$0] } ?? []))
    func `every level agrees with GDAL within a sample`(model: Model) async throws {
        let folder = TemporaryFolder()
        let file = folder.write(Array(model.text.utf8), to: "model.asc")
        let output = folder.path + "/lines.geojson"
        let run = await ProgramRun.of(
            "/usr/bin/gdal_contour",
            ["-q", "-a", "ele", "-i", "\(model.interval)", "-f", "GeoJSON", file, output])
        try #require(run.status == 0, "\(run.errors)")
        var expected: [Double: [[Point]]] = [:]
        for feature in try JSON.parse(folder.bytes("lines.geojson"))["features"]?.array ?? [] {
            let height = try #require(feature["properties"]?["ele"]?.double)
            let points = feature["geometry"]?["coordinates"]?.array ?? []
            // GDAL's origin is the south-western corner, ours the centre of the north-western sample.
            let line = points.compactMap { point -> Point? in
                guard let x = point.array?.first?.double, let y = point.array?.last?.double else {
                    return nil
                }
                return Point(x - 0.5, Double(model.grid.height) - y - 0.5)
            }
            expected[height, default: []].append(line)
        }
        for tolerance in [0, 0.2] {
            var contours = ContourLines(of: model.grid, every: model.interval)
            if tolerance > 0 { contours.simplify(within: tolerance) }
            let found = Dictionary(grouping: contours.lines, by: \.height).mapValues { $0.map(\.points) }
            #expect(Set(found.keys) == Set(expected.keys))
            var worst = 0.0
            for (height, lines) in found {
                let others = try #require(expected[height])
                let distance = max(
                    Self.reach(of: lines, from: others), Self.reach(of: others, from: lines))
                worst = max(worst, distance)
                #expect(distance <= 1, "\(height) m: \(distance)")
            }
            print("\(model.testDescription), simplified by \(tolerance): \(found.count) levels, \(worst)")
        }
    }

    /// The greatest distance of a point of some lines, sampled densely, from other lines.
    private static func reach(of lines: [[Point]], from others: [[Point]]) -> Double {
        var squares: [SIMD2<Int>: [(Point, Point)]] = [:]
        for line in others {
            for (a, b) in zip(line, line.dropFirst()) {
                for square in Self.squares(around: a, b, by: 2) {
                    squares[square, default: []].append((a, b))
                }
            }
        }
        let all = others.flatMap { zip($0, $0.dropFirst()) }
        var reach = 0.0
        for line in lines {
            for (a, b) in zip(line, line.dropFirst()) {
                for share in [0, 0.5, 1] {
                    let point = a + (b - a) * share
                    let near = squares[SIMD2(Int(point.x.rounded(.down)), Int(point.y.rounded(.down)))] ?? []
                    let distance = Self.distance(point, near)
                    reach = max(reach, distance <= 2 ? distance : Self.distance(point, all))
                }
            }
        }
        return reach
    }

    /// The squares of the grid that are at most a number of samples away from a segment's box.
    private static func squares(around a: Point, _ b: Point, by margin: Double) -> [SIMD2<Int>] {
        let low = pointwiseMin(a, b) - margin, high = pointwiseMax(a, b) + margin
        return (Int(low.y.rounded(.down))...Int(high.y.rounded(.down))).flatMap { y in
            (Int(low.x.rounded(.down))...Int(high.x.rounded(.down))).map { SIMD2($0, y) }
        }
    }

    private static func distance(_ point: Point, _ segments: [(Point, Point)]) -> Double {
        var least = Double.infinity
        for (a, b) in segments {
            let way = b - a, length = (way * way).sum()
            let share = length > 0 ? min(max((way * (point - a)).sum() / length, 0), 1) : 0
            let rest = point - a - way * share
            least = min(least, (rest * rest).sum())
        }
        return least.squareRoot()
    }

    // MARK: Properties

    @Test(arguments: [made] + (real.map { [$0] } ?? []), [0, 0.1, 0.5])
    func `no line crosses another, and lines end only at the edge or beside unknown heights`(
        model: Model, tolerance: Double
    ) {
        var contours = ContourLines(of: model.grid, every: model.interval)
        let before = contours.lines.reduce(0) { $0 + $1.points.count }
        if tolerance > 0 { contours.simplify(within: tolerance) }
        let after = contours.lines.reduce(0) { $0 + $1.points.count }
        #expect(tolerance == 0 ? after == before : after < before)
        for line in contours.lines where !line.isClosed {
            for end in [line.points[0], line.points[line.points.count - 1]] {
                let isAtEdge =
                    end.x == 0 || end.y == 0 || end.x == Double(model.grid.width - 1)
                    || end.y == Double(model.grid.height - 1)
                #expect(isAtEdge || isNearUnknown(end, model.grid), "\(line.height) m ends at \(end)")
            }
        }
        #expect(crossings(contours.lines) == 0)
    }

    private func isNearUnknown(_ point: Point, _ grid: ElevationGrid) -> Bool {
        for y in Int(point.y) - 1...Int(point.y) + 2 {
            for x in Int(point.x) - 1...Int(point.x) + 2
            where (0..<grid.width).contains(x) && (0..<grid.height).contains(y) {
                if grid.metres[y * grid.width + x].isNaN { return true }
            }
        }
        return false
    }

    /// The number of pairs of segments that properly cross.
    private func crossings(_ lines: [ContourLines.Line]) -> Int {
        var cells: [SIMD2<Int>: [(Point, Point)]] = [:], count = 0
        for line in lines {
            for (a, b) in zip(line.points, line.points.dropFirst()) {
                let low = pointwiseMin(a, b), high = pointwiseMax(a, b)
                for y in Int(low.y)...Int(high.y) {
                    for x in Int(low.x)...Int(high.x) {
                        let cell = SIMD2(x, y)
                        for (c, d) in cells[cell] ?? [] where cross(a, b, c, d) { count += 1 }
                        cells[cell, default: []].append((a, b))
                    }
                }
            }
        }
        return count
    }

    private func cross(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        func side(_ p: Point, _ q: Point, _ r: Point) -> Double {
            (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
        }
        let slack = 1e-9
        return side(a, b, c) * side(a, b, d) < -slack && side(c, d, a) * side(c, d, b) < -slack
    }

    @Test func `the mean decides which corners of a saddle are joined`() {
        func lines(_ corner: Double) -> [ContourLines.Line] {
            ContourLines(
                of: Self.grid(2, 2) { x, y in x == y ? corner : 5 }, every: 10
            ).lines
        }
        // A mean above the level joins the high corners, so each line separates a low one.
        let high = lines(19), low = lines(12)
        #expect(high.count == 2 && low.count == 2)
        #expect(high.allSatisfy { $0.points.contains { $0.x == 0 } != $0.points.contains { $0.x == 1 } })
        let cutsLowCorner = { (line: ContourLines.Line) in
            line.points.contains { $0.y == 0 } == line.points.contains { $0.x == 1 }
        }
        #expect(high.allSatisfy(cutsLowCorner))
        #expect(!low.contains(where: cutsLowCorner))
    }

    @Test func `four parts with shared edges have the lines of the whole model`() throws {
        for model in [Self.made] + (Self.real.map { [$0] } ?? []) {
            let whole = Set(segments(ContourLines(of: model.grid, every: 20).lines, by: Point(0, 0)))
            var parts: [String] = []
            let middle = (x: 40, y: 33), grid = model.grid
            for (left, right) in [(0, middle.x), (middle.x, grid.width - 1)] {
                for (top, bottom) in [(0, middle.y), (middle.y, grid.height - 1)] {
                    let part = Self.grid(right - left + 1, bottom - top + 1) { x, y in
                        Double(grid.metres[(y + top) * grid.width + x + left])
                    }
                    parts += segments(
                        ContourLines(of: part, every: 20).lines, by: Point(Double(left), Double(top)))
                }
            }
            #expect(Set(parts) == whole)
        }
    }

    /// The segments of lines without a direction, moved, in millionths of a sample.
    private func segments(_ lines: [ContourLines.Line], by offset: Point) -> [String] {
        // A sample may be a point in one part and on a line in the other.
        lines.filter { !$0.isPoint }.flatMap { line in
            zip(line.points, line.points.dropFirst()).map { a, b in
                let ends = [a, b].map { point in
                    let moved = ((point + offset) * 1e6).rounded(.toNearestOrEven)
                    return "\(Int(moved.x)),\(Int(moved.y))"
                }.sorted()
                return "\(line.height): \(ends[0]) \(ends[1])"
            }
        }
    }

    @Test func `heights with too many lines have a multiple of the interval`() {
        var random = SplitMix(seed: 7)
        let noise = Self.grid(64, 64) { _, _ in Double.random(in: -29_000...29_000, using: &random) }
        let contours = ContourLines(of: noise, every: 10, limit: 20_000)
        #expect([1250, 6250, 31_250].contains(contours.interval))
        #expect(contours.lines.reduce(0) { $0 + $1.points.count } <= 20_000 * 2)
        #expect(contours.lines.allSatisfy { $0.height.remainder(dividingBy: contours.interval) == 0 })
    }

    @Test func `lines that are denser than the samples are simplified, and keep their order`() {
        var contours = ContourLines(of: Self.grid(40, 12) { x, _ in Double(x) * 100 }, every: 1)
        #expect(ContourLines.pointCount(of: Self.grid(40, 12) { x, _ in Double(x) * 100 }, every: 1) > 40_000)
        contours.simplify(within: 0.1)
        #expect(contours.lines.count == 3900)
        for line in contours.lines {
            #expect(line.points.count == 2)
            #expect(line.points.allSatisfy { abs($0.x * 100 - line.height) < 1e-6 })
        }
    }

    @Test(arguments: [(1, 1), (1, 9), (9, 1), (2, 2)])
    func `grids without squares or heights have no lines`(width: Int, height: Int) {
        let unknown = Self.grid(width, height) { _, _ in .nan }
        let flat = Self.grid(width, height) { _, _ in 20 }
        for grid in [unknown, flat] {
            for interval in [20, 0, -1, .nan, .infinity] {
                var contours = ContourLines(of: grid, every: interval)
                contours.simplify(within: 0.2)
                #expect(contours.lines.isEmpty)
            }
        }
    }
}
