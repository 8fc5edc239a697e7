@testable import RhumbOverlays
import RhumbCore
import Testing

/// Tests geometries of databases: curves, surfaces, and numbers that are NaN or infinite.
struct WKBReaderTests {
    private func bytes(_ value: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
    }

    private func geometry(_ kind: UInt8, _ rest: [UInt8]) -> [UInt8] {
        [0x47, 0x50, 0, 1, 0, 0, 0, 0, 1, kind, 0, 0, 0] + rest
    }

    private func shapes(_ bytes: [UInt8], _ reference: WKBReader.Reference) throws -> [OverlayFeature.Shape] {
        var reader = WKBReader(bytes, reference)
        return try reader.geoPackageShapes()
    }

    @Test(arguments: [WKBReader.Reference.degrees, .mercator])
    func
        `a point without numbers is empty, and lines with such points and places beyond the world are refused`(
            reference: WKBReader.Reference
        ) throws
    {
        #expect(try shapes(geometry(1, bytes(.nan) + bytes(.nan)), reference).isEmpty)
        #expect(throws: WKBReader.Failure.self) {
            try shapes(geometry(1, bytes(22) + bytes(.nan)), reference)
        }
        #expect(throws: WKBReader.Failure.self) {
            try shapes(geometry(1, bytes(.infinity) + bytes(60)), reference)
        }
        #expect(throws: WKBReader.Failure.self) {
            try shapes(geometry(1, bytes(1e300) + bytes(60)), reference)
        }
        let corners: [Double] = [22, 60, .nan, .nan],
            line: [UInt8] = [2, 0, 0, 0] + corners.flatMap { bytes($0) }
        #expect(throws: WKBReader.Failure.self) { try shapes(geometry(2, line), reference) }
    }

    /// Returns a geometry without the header of GeoPackage.
    private func part(_ kind: UInt8, _ rest: [UInt8]) -> [UInt8] { [1, kind, 0, 0, 0] + rest }

    private func positions(_ places: [(Double, Double)]) -> [UInt8] {
        [UInt8(places.count), 0, 0, 0] + places.flatMap { bytes($0.0) + bytes($0.1) }
    }

    private func paths(_ shapes: [OverlayFeature.Shape]) -> [[Coordinate]] {
        shapes.flatMap { shape -> [OverlayPath] in
            switch shape {
            case .point: []
            case .line(let lines): lines
            case .area(let areas): areas.flatMap { $0 }
            }
        }.map { path in path.points.map { Mercator.coordinate(WorldPoint(x: $0.x, y: $0.y)) } }
    }

    /// Returns the distances of positions from a centre, in degrees.
    private func radii(_ path: [Coordinate], _ latitude: Double, _ longitude: Double) -> [Double] {
        path.map { place in
            let x = place.longitude - longitude, y = place.latitude - latitude
            return (x * x + y * y).squareRoot()
        }
    }

    @Test func `an arc is drawn as a line along its circle`() throws {
        let arc = part(8, positions([(10, 50), (11, 51), (12, 50)]))
        let line = try #require(paths(shapes(geometry(8, Array(arc.dropFirst(5))), .degrees)).first)
        #expect(line.count == 46)
        #expect(radii(line, 50, 11).allSatisfy { abs($0 - 1) < 1e-6 })
        #expect(line.allSatisfy { $0.latitude > 50 - 1e-9 } && line.contains { $0.latitude > 50.999 })
    }

    @Test func `a full circle, an arc the other way round and three points on a line are drawn`() throws {
        let circle = try paths(shapes(geometry(8, positions([(10, 0), (12, 0), (10, 0)])), .degrees))[0]
        #expect(circle.count == 91 && radii(circle, 0, 11).allSatisfy { abs($0 - 1) < 1e-6 })
        let below = try paths(shapes(geometry(8, positions([(10, 0), (11, -1), (12, 0)])), .degrees))[0]
        #expect(below.allSatisfy { $0.latitude <= 1e-9 } && below.count == 46)
        let straight = try paths(shapes(geometry(8, positions([(10, 0), (11, 0), (12, 0)])), .degrees))[0]
        #expect(straight.count == 3)
    }

    @Test func `curves of several parts, curved areas, triangles and surfaces are drawn`() throws {
        let arc = part(8, positions([(10, 50), (11, 51), (12, 50)]))
        let line = part(2, positions([(12, 50), (10, 50)]))
        let chain = part(9, [2, 0, 0, 0] + arc + line)
        let joined = try paths(shapes(geometry(9, Array(chain.dropFirst(5))), .degrees))
        #expect(joined.map(\.count) == [47])
        let area = try shapes(geometry(10, [1, 0, 0, 0] + chain), .degrees)
        guard case .area(let areas)? = area.first else { throw Missing() }
        #expect(areas.count == 1 && paths(area).map(\.count) == [46])
        let corners = positions([(10, 50), (11, 50), (11, 51), (10, 50)])
        let triangle = part(17, [1, 0, 0, 0] + corners), polygon = part(3, [1, 0, 0, 0] + corners)
        for (kind, item) in [(16, triangle), (15, polygon), (12, polygon)] {
            let surface = try shapes(geometry(UInt8(kind), [2, 0, 0, 0] + item + item), .degrees)
            #expect(paths(surface).map(\.count) == [3, 3])
        }
        #expect(throws: WKBReader.Failure.self) { try shapes(geometry(9, [1, 0, 0, 0] + polygon), .degrees) }
    }

    private struct Missing: Error {}

    @Test func `an index accepts every valid place`() {
        for x in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(OverlayIndex([OverlayFeature(.point(WorldPoint(x: x, y: x)))]).features.count == 1)
        }
    }
}
