import Foundation
import RhumbCore
import RhumbTestSupport
import Testing

@testable import RhumbGeo

/// Tests the one answer to "is this point in that area".
struct PlaneGeometryTests {
    private typealias Point = SIMD2<Double>

    /// Returns the winding angle of a ring around a point in turns, computed from angles.
    private static func turns(_ ring: [Point], _ point: Point) -> Int {
        let angle = zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) { sum, edge in
            let a = edge.0 - point, b = edge.1 - point
            return sum + atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
        }
        return Int((angle / (2 * .pi)).rounded())
    }

    /// Returns a ring around the origin whose radius varies, without crossings.
    private static func star(_ random: inout SplitMix) -> [Point] {
        let count = Int.random(in: 3...40, using: &random)
        return (0..<count).map { at in
            let radius = Double.random(in: 1...10, using: &random),
                turn = 2 * .pi * Double(at) / Double(count)
            return Point(radius * cos(turn), radius * sin(turn))
        }
    }

    @Test func `generated rings enclose the points that they wind around`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<500 {
            var ring = Self.star(&random)
            if Bool.random(using: &random) { ring.reverse() }
            if Bool.random(using: &random) { ring.append(ring[0]) }
            for _ in 0..<20 {
                let point = Point(
                    .random(in: -11...11, using: &random), .random(in: -11...11, using: &random))
                #expect(PlaneGeometry.encloses(ring, point) == (Self.turns(ring, point) != 0))
                let isInside = PlaneGeometry.side(of: point, [ring]) == .inside
                #expect(isInside == (Self.turns(ring, point) != 0))
            }
        }
    }

    @Test func `of areas that share edges and corners exactly one encloses a point`() {
        var random = SplitMix(seed: 8)
        // A grid with moved corners: 6 by 6 areas without gaps.
        let corners = (0...6).map { y in
            (0...6).map { x -> Point in
                let isBorder = x == 0 || y == 0 || x == 6 || y == 6
                let step = isBorder ? 0 : 0.3
                return Point(
                    Double(x) + .random(in: -step...step, using: &random),
                    Double(y) + .random(in: -step...step, using: &random))
            }
        }
        let areas = (0..<36).map { at -> [Point] in
            let x = at % 6, y = at / 6
            return [corners[y][x], corners[y][x + 1], corners[y + 1][x + 1], corners[y + 1][x]]
        }
        var points = corners.joined().map { $0 }
        for area in areas {
            for (a, b) in zip(area, area.dropFirst() + area.prefix(1)) {
                points += [(a + b) / 2, a + (b - a) * 0.25]
            }
        }
        points += (0..<2000).map { _ in
            Point(.random(in: 0...6, using: &random), .random(in: 0...6, using: &random))
        }
        for point in points where all(point .> 0) && all(point .< 6) {
            #expect(areas.count { PlaneGeometry.encloses($0, point) } == 1, "\(point)")
        }
    }

    @Test func `a hole is outside, and edges are edges`() {
        let outer = [Point(0, 0), Point(10, 0), Point(10, 10), Point(0, 10)]
        let hole = [Point(4, 4), Point(4, 6), Point(6, 6), Point(6, 4)]
        func side(_ x: Double, _ y: Double) -> PlaneGeometry.Side {
            PlaneGeometry.side(of: Point(x, y), [outer, hole])
        }
        #expect(side(2, 2) == .inside && side(5, 5) == .outside && side(11, 5) == .outside)
        for (x, y) in [(0.0, 0.0), (10, 10), (5, 0), (10, 5), (4, 5), (6, 6), (5, 4)] {
            #expect(side(x, y) == .edge, "\(x) \(y)")
        }
        // A ray through a corner counts once, and not if both edges are on one side of it.
        #expect(side(2, 4) == .inside && side(2, 6) == .inside && side(-1, 0) == .outside)
        #expect(side(-1, 10) == .outside)
    }

    @Test func `rings without extent enclose nothing`() {
        let line = [Point(0, 0), Point(5, 5), Point(0, 0)]
        #expect(!PlaneGeometry.encloses([Point](), .zero) && !PlaneGeometry.encloses([.zero], .zero))
        #expect(!PlaneGeometry.encloses(line, Point(2, 3)) && !PlaneGeometry.encloses(line, Point(3, 2)))
        #expect(PlaneGeometry.side(of: Point(2, 2), [line]) == .edge)
        #expect(PlaneGeometry.side(of: Point(2, 2), [[Point]]()) == .outside)
    }

    @Test func `the nearest point of a segment is between its ends`() {
        let (share, distance) = PlaneGeometry.nearest(Point(3, 4), Point(0, 0), Point(10, 0))
        #expect(share == 0.3 && distance == 4)
        #expect(PlaneGeometry.nearest(Point(-3, 4), .zero, Point(10, 0)) == (0, 5))
        #expect(PlaneGeometry.nearest(Point(3, 4), .zero, .zero) == (0, 5))
    }

    @Test(arguments: [(179.9, true), (-179.9, true), (178.0, false), (-178.0, false), (180, true)])
    func `areas across the antimeridian contain the places on both sides`(longitude: Double, isInside: Bool) {
        let corners = [(179.0, -1.0), (181, -1), (181, 1), (179, 1)]
        let ring = corners.map { Position(longitude: $0.0, latitude: $0.1) }
        let area = PackageArea(polygons: [[ring]])
        #expect(area?.contains(Coordinate(latitude: 0, longitude: longitude)) == isInside)
    }
}
