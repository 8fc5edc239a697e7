internal import RhumbCore
internal import Synchronization

/// The heights of a tile with two samples of the eight tiles around, so that the lines and the shades of
/// neighbouring tiles meet.
struct JoinedHeights: Sendable {
    /// The heights.
    let grid: ElevationGrid
    /// The tile of the source: the requested one or an ancestor.
    let data: TileID
    /// The first column and row of the grid, counted from the north-western sample of `data`.
    let corner: SIMD2<Int>
    /// The numbers of columns and rows of `data`.
    let size: SIMD2<Int>
    /// True if the request for a neighbour failed.
    let isPartial: Bool

    /// True if pairs of samples are the same ones in all tiles.
    var hasPairs: Bool { size.x.isMultiple(of: 2) && size.y.isMultiple(of: 2) }
}

/// The outermost samples of tiles, for their neighbours.
final class HeightBorders: Sendable {
    /// The number of borders in memory, of at most 16 KB each.
    private static let limit = 96
    /// The borders; nil for tiles without heights.
    private let known = Mutex<[TileID: Border?]>([:])

    /// Removes all borders.
    func removeAll() { known.withLock { $0 = [:] } }

    fileprivate subscript(tile: TileID) -> Border?? { known.withLock { $0[tile] } }

    fileprivate func note(_ border: Border?, of tile: TileID) -> Border? {
        known.withLock { known in
            if known.count >= Self.limit { known.removeAll() }
            known[tile] = .some(border)
        }
        return border
    }
}

extension ElevationModel {
    /// The joined heights of a tile that are available without a request.
    enum StoredArea: Sendable {
        case known(JoinedHeights)
        /// The source has no such tile.
        case absent
        /// The tile or a neighbour must be requested from a server.
        case remote
    }

    /// Returns the heights in and around a tile that are available without a request.
    /// - Parameter levels: The number of zooms from the heights to the tile.
    /// - Throws: `TileFailure` if the tile can't be read or is damaged.
    func storedArea(around tile: TileID, levels: Int = 0) throws(TileFailure) -> StoredArea {
        guard let data = data(for: tile, levels) else { return .absent }
        switch try stored(data) {
        case .absent: return .absent
        case .remote: return .remote
        case .known(let grid):
            var around: [TileID: Border?] = [:]
            let window = Window(of: tile, in: data, grid)
            for neighbour in window.neighbours(of: data) {
                if let known = borders[neighbour] {
                    around[neighbour] = known
                    continue
                }
                switch try? stored(neighbour) {
                case .known(let grid): around[neighbour] = borders.note(Border(grid), of: neighbour)
                case .absent, nil: around[neighbour] = borders.note(nil, of: neighbour)
                case .remote: return .remote
                }
            }
            return .known(window.joined(data, grid, around, isPartial: false))
        }
    }

    /// Returns the heights in and around a tile, requested from the server if they aren't stored.
    /// - Parameter levels: The number of zooms from the heights to the tile.
    /// - Returns: nil if the source has no such tile.
    /// - Throws: `TileFailure` if the request for the tile fails, or it is damaged.
    func area(around tile: TileID, levels: Int = 0) async throws(TileFailure) -> JoinedHeights? {
        guard let data = data(for: tile, levels), case .known(let grid) = try await self.tile(data) else {
            return nil
        }
        var around: [TileID: Border?] = [:], isPartial = false
        let window = Window(of: tile, in: data, grid)
        for neighbour in window.neighbours(of: data) {
            if let known = borders[neighbour] {
                around[neighbour] = known
                continue
            }
            do throws(TileFailure) {
                let heights = try await self.tile(neighbour)
                if case .known(let grid) = heights {
                    around[neighbour] = borders.note(Border(grid), of: neighbour)
                } else {
                    around[neighbour] = borders.note(nil, of: neighbour)
                }
            } catch {
                isPartial = true
            }
        }
        return window.joined(data, grid, around, isPartial: isPartial)
    }

    /// True if the heights of a tile take no request.
    func isLocal(_ tile: TileID, levels: Int) -> Bool { data(for: tile, levels).map(isLocal) ?? false }

    private func data(for tile: TileID, _ levels: Int) -> TileID? {
        let zoom = min(max(tile.zoom - levels, zooms.lowerBound), zooms.upperBound)
        return tile.ancestor(levels: max(tile.zoom - zoom, 0))
    }
}

extension TileRequest {
    /// Completes the request with the result of a task, which ends when the request is cancelled.
    /// - Returns: True, as a source that accepts the request.
    func fulfil(_ answer: @escaping @Sendable () async throws(TileFailure) -> TileAnswer) -> Bool {
        let task = Task {
            do throws(TileFailure) {
                complete(try await answer())
            } catch {
                fail(error)
            }
        }
        onCancel { task.cancel() }
        return true
    }
}

/// The columns and rows of samples in and around a tile, counted from the north-western corner of the tile of
/// heights. They reach beyond its sides.
private struct Window {
    let columns: Range<Int>
    let rows: Range<Int>
    let width: Int
    let height: Int

    init(of tile: TileID, in data: TileID, _ grid: ElevationGrid) {
        let parts = 1 << max(tile.zoom - data.zoom, 0)
        func range(_ part: Int, _ samples: Int) -> Range<Int> {
            let first = part * samples / parts, end = ((part + 1) * samples + parts - 1) / parts
            // Pairs of samples must be the same ones in all tiles.
            let isEven = samples.isMultiple(of: 2)
            return (isEven ? first & ~1 : first) - 2..<(isEven ? (end + 1) & ~1 : end) + 2
        }
        (width, height) = (grid.width, grid.height)
        columns = range(tile.x - data.x * parts, width)
        rows = range(tile.y - data.y * parts, height)
    }

    /// Returns the tiles beside a tile of heights that the window reaches.
    func neighbours(of data: TileID) -> [TileID] {
        func steps(_ range: Range<Int>, _ samples: Int) -> [Int] {
            (range.lowerBound < 0 ? [-1] : []) + [0] + (range.upperBound > samples ? [1] : [])
        }
        return steps(rows, height).flatMap { row in
            steps(columns, width).compactMap { column in
                (row, column) == (0, 0)
                    ? nil : TileID(zoom: data.zoom, wrappingX: data.x + column, y: data.y + row)
            }
        }
    }

    /// Joins the heights of a tile and the borders of its neighbours.
    func joined(
        _ data: TileID, _ grid: ElevationGrid, _ around: [TileID: Border?], isPartial: Bool
    ) -> JoinedHeights {
        var metres: [Float] = []
        metres.reserveCapacity(columns.count * rows.count)
        let inside = columns.clamped(to: 0..<width)
        for row in rows {
            func outside(_ column: Int) -> Float {
                let beyond = SIMD2(
                    column < 0 ? -1 : column < width ? 0 : 1, row < 0 ? -1 : row < height ? 0 : 1)
                let border = TileID(
                    zoom: data.zoom, wrappingX: data.x + beyond.x, y: data.y + beyond.y
                ).flatMap { around[$0] ?? nil }
                if let border, border.width == width, border.height == height {
                    return border[column - beyond.x * width, row - beyond.y * height]
                }
                // The slope continues where there is no neighbour.
                let x = min(max(column, 0), width - 1), y = min(max(row, 0), height - 1)
                let mirrored = SIMD2(
                    min(max(2 * x - column, 0), width - 1), min(max(2 * y - row, 0), height - 1))
                return 2 * grid.metres[y * width + x] - grid.metres[mirrored.y * width + mirrored.x]
            }
            guard (0..<height).contains(row) else {
                for column in columns { metres.append(outside(column)) }
                continue
            }
            for column in columns.lowerBound..<inside.lowerBound { metres.append(outside(column)) }
            let start = row * width
            metres += grid.metres[(start + inside.lowerBound)..<(start + inside.upperBound)]
            for column in inside.upperBound..<columns.upperBound { metres.append(outside(column)) }
        }
        return JoinedHeights(
            grid: ElevationGrid(width: columns.count, height: rows.count, metres: metres), data: data,
            corner: SIMD2(columns.lowerBound, rows.lowerBound), size: SIMD2(width, height),
            isPartial: isPartial)
    }
}

/// The outermost two samples of a tile on all sides.
private struct Border: Sendable {
    let width: Int
    let height: Int
    /// Two rows, two rows, two columns, two columns.
    private let metres: [Float]

    init?(_ grid: ElevationGrid) {
        guard grid.width > 4, grid.height > 4 else { return nil }
        width = grid.width
        height = grid.height
        let last = (height - 2) * width
        metres =
            grid.metres[..<(2 * width)] + grid.metres[last...]
            + [0, 1, width - 2, width - 1].flatMap { column in
                (0..<grid.height).map { grid.metres[$0 * grid.width + column] }
            }
    }

    /// The height of one of the samples; NaN for others.
    subscript(column: Int, row: Int) -> Float {
        if row < 2 { return metres[row * width + column] }
        if row >= height - 2 { return metres[(row - height + 4) * width + column] }
        if column < 2 { return metres[4 * width + column * height + row] }
        if column >= width - 2 { return metres[4 * width + (column - width + 4) * height + row] }
        return .nan
    }
}
