public import RhumbCore

/// The heights of a box, joined from the tiles of a source.
public struct HeightArea: Sendable {
    /// The heights.
    public let grid: ElevationGrid
    /// The zoom of the tiles.
    public let zoom: Int
    /// The failures of tiles, whose heights are unknown.
    public let failures: [TileFailure]
    /// The number of tiles whose heights are from coarser ones, without those that have none there.
    public private(set) var coarserCount = 0
    /// The failures of some of those tiles; the source does not have the others.
    public private(set) var replacedFailures: [TileFailure] = []
    /// The share of the requested box within the bounds of the source.
    fileprivate var coverage = 1.0
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
        return 1 - coverage * (1 - Double(missing) / Double(rows.count * columns.count))
    }

    /// Returns the coordinate of a position in the grid.
    public func coordinate(_ point: SIMD2<Double>) -> Coordinate {
        let position = origin + point * step
        return Mercator.coordinate(WorldPoint(x: position.x, y: position.y))
    }

    /// Creates the heights of tiles.
    /// - Returns: nil if no tile has any.
    init?(_ box: WorldBox, _ zoom: Int, _ tiles: [TileID: ElevationGrid], failures: [TileFailure]) {
        guard let side = tiles.values.map({ max($0.width, $0.height) }).max() else { return nil }
        let tiles = tiles.mapValues { $0.resampled(width: side, height: side) }
        let count = Double(side << zoom), last = side << zoom - 1
        func sample(_ position: Double, _ rounding: FloatingPointRoundingRule) -> Int {
            min(max(Int(clamping: (position * count - 0.5).rounded(rounding)), 0), last)
        }
        let columns = sample(box.minX, .down)...max(sample(box.maxX, .up), sample(box.minX, .down)),
            rows = sample(box.minY, .down)...max(sample(box.maxY, .up), sample(box.minY, .down))
        var metres: [Float] = []
        metres.reserveCapacity(columns.count * rows.count)
        for row in rows {
            for column in columns {
                let tile = TileID(zoom: zoom, x: column / side, y: row / side).flatMap { tiles[$0] }
                metres.append(tile?.metres[row % side * side + column % side] ?? .nan)
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

    /// Returns the heights of a box, requesting tiles that aren't stored. Coarser heights replace missing
    /// ones. Reports its progress in tiles.
    /// - Parameter zoom: The zoom of the tiles; nil for the deepest with tiles in the box, and at most 64.
    /// - Returns: nil if the source has no heights there.
    /// - Throws: `TileFailure` if no tile could be read, or the box has too many.
    public func area(_ box: WorldBox, zoom wanted: Int? = nil) async throws(TileFailure) -> HeightArea? {
        guard let part = box.intersection(boundingBox) else { return nil }
        var zoom = min(max(wanted ?? zooms.upperBound, zooms.lowerBound), zooms.upperBound)
        while true {
            var tiles = Self.tiles(in: part, zoom)
            while tiles == nil, wanted == nil, zoom > zooms.lowerBound {
                zoom -= 1
                tiles = Self.tiles(in: part, zoom)
            }
            guard let tiles else {
                throw TileFailure(
                    .refused, "\(name): the box has more than \(Self.areaLimit) tiles at zoom \(zoom)")
            }
            let found = await outcomes(of: tiles)
            let deepest = found.values.compactMap { (try? $0.get())?.source.zoom }.max() ?? zoom
            guard wanted == nil, deepest < zoom else {
                var area = try HeightArea(part, zoom, tiles, found)
                area?.coverage = part.area / max(box.area, part.area)
                return area
            }
            zoom = deepest
        }
    }

    /// Reads tiles, four at once.
    private func outcomes(of tiles: [TileID]) async -> [TileID: Result<SampledHeights, TileFailure>] {
        await withTaskGroup(of: HeightOutcome.self) { group in
            var found: [TileID: Result<SampledHeights, TileFailure>] = [:], rest = tiles[...], done = 0
            for tile in rest.prefix(Self.tilesAtOnce) { group.addTask { await outcome(of: tile) } }
            rest = rest.dropFirst(Self.tilesAtOnce)
            for await outcome in group {
                found[outcome.tile] = outcome.heights
                done += 1
                WorkProgress.report(done, of: tiles.count)
                if let tile = rest.popFirst() { group.addTask { await self.outcome(of: tile) } }
            }
            return found
        }
    }

    private static let tilesAtOnce = 4

    /// The heights of a tile, nil if there are none, or the reason why they are unknown.
    private struct HeightOutcome: Sendable {
        let tile: TileID
        let heights: Result<SampledHeights, TileFailure>?
    }

    private func outcome(of tile: TileID) async -> HeightOutcome {
        do throws(TileFailure) {
            return HeightOutcome(tile: tile, heights: try await sampled(tile).map { .success($0) })
        } catch {
            return HeightOutcome(tile: tile, heights: .failure(error))
        }
    }

    /// Returns the tiles of a box; nil if there are too many.
    private static func tiles(in box: WorldBox, _ zoom: Int) -> [TileID]? {
        let low = TileID(zoom: zoom, containing: WorldPoint(x: box.minX, y: box.minY))
        let end = Double(1 << zoom)
        func last(_ position: Double, _ first: Int) -> Int {
            max(min(Int(clamping: (position * end).rounded(.up)), 1 << zoom) - 1, first)
        }
        let columns = low.x...last(box.maxX, low.x), rows = low.y...last(box.maxY, low.y)
        guard columns.count <= areaLimit, rows.count <= areaLimit,
            columns.count * rows.count <= areaLimit
        else { return nil }
        return rows.flatMap { y in columns.compactMap { TileID(zoom: zoom, x: $0, y: y) } }
    }
}

extension HeightArea {
    /// Creates the heights of tiles that were read.
    /// - Returns: nil if no tile has any.
    /// - Throws: The first failure if no tile could be read.
    fileprivate init?(
        _ box: WorldBox, _ zoom: Int, _ tiles: [TileID],
        _ found: [TileID: Result<SampledHeights, TileFailure>]
    ) throws(TileFailure) {
        var grids: [TileID: ElevationGrid] = [:], failures: [TileFailure] = [], count = 0
        var replaced: [TileFailure] = []
        for tile in tiles {
            switch found[tile] {
            case .success(let heights):
                grids[tile] = heights.grid
                if heights.source != tile, heights.grid.hasHeights { count += 1 }
                if let failure = heights.failure { replaced.append(failure) }
            case .failure(let failure): failures.append(failure)
            case nil: break
            }
        }
        if grids.isEmpty, let failure = failures.first { throw failure }
        self.init(box, zoom, grids, failures: failures)
        coarserCount = count
        replacedFailures = replaced
    }
}

extension WorldBox {
    /// The share of the Mercator square.
    fileprivate var area: Double { (maxX - minX) * (maxY - minY) }

    /// Returns the box around the part within bounds; nil if there is none.
    /// - Parameter bounds: nil for no bounds.
    fileprivate func intersection(_ bounds: Bounds?) -> WorldBox? {
        guard let bounds else { return self }
        let parts = bounds.worldBoxes.filter { overlaps($0) }.map { other in
            WorldBox(
                minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
                maxY: min(maxY, other.maxY))
        }
        guard let first = parts.first else { return nil }
        return parts.dropFirst().reduce(first) { box, part in
            WorldBox(
                minX: min(box.minX, part.minX), minY: min(box.minY, part.minY),
                maxX: max(box.maxX, part.maxX), maxY: max(box.maxY, part.maxY))
        }
    }
}
