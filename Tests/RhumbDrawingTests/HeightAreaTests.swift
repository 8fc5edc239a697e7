import RhumbCore
import RhumbDrawing
import RhumbTestSupport
import Testing

@testable import RhumbEngine

/// Tests the heights of a box.
struct HeightAreaTests {
    private func area(_ box: WorldBox, _ tiles: [TileID: ElevationGrid]) throws -> HeightArea {
        try #require(HeightArea(box, 1, tiles, failures: []))
    }

    @Test func `the share of a box without heights contains missing tiles and pixels without data`() throws {
        let west = try #require(TileID(zoom: 1, x: 0, y: 0)), east = try #require(TileID(zoom: 1, x: 1, y: 0))
        let whole = ElevationGrid(width: 64, height: 64, metres: Array(repeating: 5, count: 64 * 64))
        let half = ElevationGrid(
            width: 64, height: 64, metres: (0..<64 * 64).map { $0 < 32 * 64 ? 5 : .nan })
        let box = WorldBox(minX: 0.1, minY: 0.1, maxX: 0.9, maxY: 0.4)
        #expect(try area(box, [west: whole, east: whole]).missingShare == 0)
        #expect(abs(try area(box, [west: whole]).missingShare - 0.5) < 0.02)
        // The lower half of the tile is that from 0.25 of the world on.
        #expect(abs(try area(box, [west: whole, east: half]).missingShare - 0.25) < 0.02)
        let sea = WorldBox(minX: 0.6, minY: 0.3, maxX: 0.9, maxY: 0.45)
        #expect(try area(sea, [east: half]).missingShare == 1)
    }

    @Test func `a box that ends with the tiles has all heights`() throws {
        let tile = try #require(TileID(zoom: 1, x: 0, y: 0))
        let whole = ElevationGrid(width: 64, height: 64, metres: Array(repeating: 5, count: 64 * 64))
        let box = WorldBox(minX: 0, minY: 0, maxX: 0.5, maxY: 0.5)
        #expect(try area(box, [tile: whole]).missingShare == 0)
    }
}
