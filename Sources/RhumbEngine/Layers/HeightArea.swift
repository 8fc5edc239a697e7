public import RhumbCore

/// The heights of a box, joined from the tiles of a source.
public struct HeightArea: Sendable {
    /// The heights.
    public let grid: ElevationGrid
    /// The zoom of the tiles.
    public let zoom: Int
    /// The failures of tiles, whose heights are unknown.
    public let failures: [TileFailure]
    /// The position of the first sample on the Mercator square.
    private let origin: SIMD2<Double>
    /// The distance between two samples on the Mercator square.
    private let step: Double

    /// The share of the box without heights, 0…1: of failed and missing tiles, and without data, such as sea.
    /// Reads all heights.
    public var missingShare: Double {
        // The samples at the edges are outside the box.
        func inside(_ count: Int) -> Range<Int> { count < 3 ? 0..<count : 1..<count - 1 }
        let columns = inside(grid.width), rows = inside(grid.height)
        let missing = rows.reduce(0) { missing, row in
            let start = row * grid.width
            return missing
                + grid.metres[start + columns.lowerBound..<start + columns.upperBound].count(where: \.isNaN)
        }
        return Double(missing) / Double(rows.count * columns.count)
    }

    /// Returns the coordinate of a position in the grid.
    public func coordinate(_ point: SIMD2<Double>) -> Coordinate {
        let place = origin + point * step
        return Mercator.coordinate(WorldPoint(x: place.x, y: place.y))
    }

    /// Creates the heights of tiles.
    /// - Returns: nil if no tile has any.
    init?(_ box: WorldBox, _ zoom: Int, _ tiles: [TileID: ElevationGrid], failures: [TileFailure]) {
        guard let side = tiles.values.map(\.width).max() else { return nil }
        let count = Double(side << zoom), last = side << zoom - 1
        func sample(_ place: Double, _ rounding: FloatingPointRoundingRule) -> Int {
            min(max(Int(clamping: (place * count - 0.5).rounded(rounding)), 0), last)
        }
        let columns = sample(box.minX, .down)...max(sample(box.maxX, .up), sample(box.minX, .down)),
            rows = sample(box.minY, .down)...max(sample(box.maxY, .up), sample(box.minY, .down))
        var metres: [Float] = []
        metres.reserveCapacity(columns.count * rows.count)
        for row in rows {
            for column in columns {
                // Tiles of another size than the others are left out.
                let tile = TileID(zoom: zoom, x: column / side, y: row / side).flatMap { tiles[$0] }
                let isUsable = tile?.width == side && tile?.height == side
                metres.append(
                    isUsable ? tile?.metres[row % side * side + column % side] ?? .nan : .nan)
            }
        }
        grid = ElevationGrid(width: columns.count, height: rows.count, metres: metres)
        self.zoom = zoom
        self.failures = failures
        step = 1 / count
        origin = (SIMD2(Double(columns.lowerBound), Double(rows.lowerBound)) + 0.5) * step
    }
}

extension ElevationModel {
    /// The maximum number of tiles of one box.
    private static let areaLimit = 64

    /// Returns the heights of a box, requesting tiles that aren't stored.
    /// - Parameter zoom: The zoom of the tiles; nil for the deepest with at most 64 tiles.
    /// - Returns: nil if the source has no heights there.
    /// - Throws: `TileFailure` if no tile could be read, or the box has too many.
    public func area(_ box: WorldBox, zoom wanted: Int? = nil) async throws(TileFailure) -> HeightArea? {
        var zoom = min(max(wanted ?? zooms.upperBound, zooms.lowerBound), zooms.upperBound)
        var tiles = Self.tiles(in: box, zoom)
        while tiles == nil, wanted == nil, zoom > zooms.lowerBound {
            zoom -= 1
            tiles = Self.tiles(in: box, zoom)
        }
        guard let tiles else {
            throw TileFailure(
                .refused, "\(name): the box has more than \(Self.areaLimit) tiles at zoom \(zoom)")
        }
        let found = await withTaskGroup(of: HeightOutcome.self) { group in
            for tile in tiles { group.addTask { await outcome(of: tile) } }
            return await group.reduce(into: [:]) { $0[$1.tile] = $1.heights }
        }
        var grids: [TileID: ElevationGrid] = [:], failures: [TileFailure] = []
        for tile in tiles {
            switch found[tile] {
            case .success(.known(let grid)): grids[tile] = grid
            case .failure(let failure): failures.append(failure)
            case .success, nil: break
            }
        }
        let area = HeightArea(box, zoom, grids, failures: failures)
        if area == nil, let failure = failures.first { throw failure }
        return area
    }

    /// The heights of a tile, or the reason why they are unknown.
    private struct HeightOutcome: Sendable {
        let tile: TileID
        let heights: Result<Tile, TileFailure>
    }

    private func outcome(of tile: TileID) async -> HeightOutcome {
        do throws(TileFailure) {
            return HeightOutcome(tile: tile, heights: .success(try await self.tile(tile)))
        } catch {
            return HeightOutcome(tile: tile, heights: .failure(error))
        }
    }

    /// Returns the tiles of a box; nil if there are too many.
    private static func tiles(in box: WorldBox, _ zoom: Int) -> [TileID]? {
        let low = TileID(zoom: zoom, containing: WorldPoint(x: box.minX, y: box.minY))
        let end = Double(1 << zoom)
        func last(_ place: Double, _ first: Int) -> Int {
            max(min(Int(clamping: (place * end).rounded(.up)), 1 << zoom) - 1, first)
        }
        let columns = low.x...last(box.maxX, low.x), rows = low.y...last(box.maxY, low.y)
        guard columns.count <= areaLimit, rows.count <= areaLimit,
            columns.count * rows.count <= areaLimit
        else { return nil }
        return rows.flatMap { y in columns.compactMap { TileID(zoom: zoom, x: $0, y: y) } }
    }
}
