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

    // MARK: Sources

    private struct NoFetcher: TileFetcher {
        func fetch(_ want: WantedTile, holdsStored: Bool) async throws(TileFailure) -> FetchedTile {
            throw TileFailure(.offline, "no network")
        }
    }

    /// Creates a source with tiles of one height at the zooms 0 to 6.
    private func ground(
        absent: @escaping @Sendable (TileID) -> Bool = { _ in false }, damaged: TileID? = nil,
        dark: TileID? = nil, bounds: Bounds? = nil
    ) throws -> ElevationModel {
        let source = ScriptedSource { tile, _ in
            let colour: [UInt8] = tile == dark ? [16, 16, 0] : [16, 16, 128]
            return .answer(absent(tile) ? .absent : .bitmap(.encoded(tile == damaged ? [1] : colour)))
        }
        let info = TileSourceInfo(name: "Heights", zooms: 0...6, bounds: bounds, tileSize: .pixels256)
        let drawing = HillshadeDrawing(info, .terrarium, Hillshade(), decoder: ThreeByteDecoder())
        let layer = TileLayer(id: "heights", source: source, info: info)
        return try #require(ElevationModel(layer.drawn(by: drawing, size: .pixels256), NoFetcher()))
    }

    @Test func `missing and damaged tiles have coarser heights`() async throws {
        let west = try #require(TileID(zoom: 6, x: 30, y: 20))
        let east = try #require(TileID(zoom: 6, x: 31, y: 20))
        let box = WorldBox(
            minX: west.box.minX, minY: west.box.minY, maxX: east.box.maxX + 0.01, maxY: east.box.maxY)
        let area = try #require(try await ground(absent: { $0 == west }, damaged: east).area(box))
        #expect(area.zoom == 6 && area.missingShare == 0 && area.failures.isEmpty)
        #expect(area.coarserCount == 2 && area.replacedFailures.map(\.reason) == [.badContent])
    }

    @Test func `missing tiles over coarser ones without data don't count as coarser heights`() async throws {
        let west = try #require(TileID(zoom: 6, x: 30, y: 20)), parent = try #require(west.parent)
        let east = try #require(TileID(zoom: 6, x: 31, y: 20))
        let box = WorldBox(
            minX: west.box.minX, minY: west.box.minY, maxX: east.box.maxX, maxY: east.box.maxY)
        let ground = try ground(absent: { $0 == west }, dark: parent)
        let area = try #require(try await ground.area(box))
        #expect(area.zoom == 6 && area.coarserCount == 0 && abs(area.missingShare - 0.5) < 0.2)
    }

    @Test func `the deepest tiles in the box decide the zoom`() async throws {
        let box = try #require(TileID(zoom: 5, x: 15, y: 10)).box
        let coarse = try #require(try await ground(absent: { $0.zoom == 6 }).area(box))
        #expect(coarse.zoom == 5 && coarse.coarserCount == 0 && coarse.missingShare == 0)
        let bounds = try #require(Bounds(west: 7, south: 46, east: 8, north: 47))
        let world = WorldBox(minX: 0, minY: 0, maxX: 1, maxY: 1)
        let area = try #require(try await ground(bounds: bounds).area(world))
        #expect(area.zoom == 6 && area.missingShare > 0.99)
        #expect(try await ground(bounds: bounds).area(box) == nil)
    }

    @Test func `tiles of other sizes are resampled`() throws {
        let west = try #require(TileID(zoom: 1, x: 0, y: 0)), east = try #require(TileID(zoom: 1, x: 1, y: 0))
        func slope(_ side: Int, from start: Double) -> ElevationGrid {
            ElevationGrid(
                width: side, height: side,
                metres: (0..<side * side).map {
                    Float(start + 1000 * (Double($0 % side) + 0.5) / Double(side))
                })
        }
        let box = WorldBox(minX: 0.1, minY: 0.1, maxX: 0.9, maxY: 0.4)
        let area = try area(box, [west: slope(64, from: 0), east: slope(25, from: 1000)])
        #expect(area.missingShare == 0)
        let row = area.grid.metres.prefix(area.grid.width)
        for (a, b) in zip(row, row.dropFirst()) { #expect(abs(b - a - 1000.0 / 64) < 0.1) }
    }
}
