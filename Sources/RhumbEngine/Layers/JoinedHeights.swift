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
    /// The failure of the tile that coarser heights replace; nil if there was none.
    let failure: TileFailure?
    /// True if the tile or a neighbour failed.
    let isPartial: Bool

    /// True if pairs of samples are the same ones in all tiles.
    var hasPairs: Bool { size.x.isMultiple(of: 2) && size.y.isMultiple(of: 2) }
}

/// The outermost samples of tiles, for their neighbours.
final class HeightBorders: Sendable {
    /// The number of borders in memory, of at most 16 KB each.
    private static let limit = 96
    /// The borders; nil for tiles without heights.
    private let borders = Mutex<[TileID: Border?]>([:])

    /// Removes all borders.
    func removeAll() { borders.withLock { $0 = [:] } }

    fileprivate subscript(tile: TileID) -> Border?? { borders.withLock { $0[tile] } }

    fileprivate func note(_ border: Border?, of tile: TileID) -> Border? {
        borders.withLock { borders in
            if borders.count >= Self.limit { borders.removeAll() }
            borders[tile] = .some(border)
        }
        return border
    }
}

/// The recent failures of tiles that coarser ones replace.
final class HeightFailures: Sendable {
    private static let limit = 256
    private let failures = Mutex<[TileID: TileFailure]>([:])

    subscript(tile: TileID) -> TileFailure? { failures.withLock { $0[tile] } }

    /// Notes the failure of a tile; nil if there is none any more.
    func note(_ failure: TileFailure?, of tile: TileID) {
        failures.withLock { failures in
            if failures.count >= Self.limit { failures.removeAll() }
            failures[tile] = failure
        }
    }

    /// Removes all failures.
    func removeAll() { failures.withLock { $0 = [:] } }
}

extension ElevationModel {
    /// The joined heights of a tile that are available without a request.
    enum StoredArea: Sendable {
        case known(JoinedHeights)
        /// The source has neither such a tile nor a coarser one.
        case absent
        /// The tile or a neighbour must be requested from a server.
        case remote
    }

    /// Returns the heights in and around a tile that are available without a request.
    /// - Parameter levels: The number of zooms from the heights to the tile.
    /// - Throws: `TileFailure` if the tile can't be read or is damaged, and no coarser one replaces it.
    func storedArea(around tile: TileID, levels: Int = 0) throws(TileFailure) -> StoredArea {
        guard let data = data(for: tile, levels) else { return .absent }
        var gathering = HeightGathering(self)
        return switch try gathering.area(around: tile, in: data) {
        case .known(let area?): .known(area)
        case .known(nil): .absent
        case .remote: .remote
        }
    }

    /// Returns the heights in and around a tile, requested from the server if they aren't stored.
    /// - Parameter levels: The number of zooms from the heights to the tile.
    /// - Returns: nil if the source has neither such a tile nor a coarser one.
    /// - Throws: `TileFailure` if the request for the tile fails, or it is damaged, and no coarser one
    ///   replaces it.
    func area(around tile: TileID, levels: Int = 0) async throws(TileFailure) -> JoinedHeights? {
        guard let data = data(for: tile, levels) else { return nil }
        var gathering = HeightGathering(self)
        while true {
            switch try gathering.area(around: tile, in: data) {
            case .known(let area): return area
            case .remote(let missing): try await gathering.request(missing)
            }
        }
    }

    /// Returns the heights of a tile, requested from the server if they aren't stored. Those of a coarser
    /// tile replace missing ones.
    /// - Returns: nil if the source has neither such a tile nor a coarser one.
    /// - Throws: `TileFailure` if the request for the tile fails, or it is damaged, and no coarser one
    ///   replaces it.
    func sampled(_ tile: TileID) async throws(TileFailure) -> SampledHeights? {
        var gathering = HeightGathering(self)
        while true {
            switch try gathering.heights(of: tile) {
            case .known(let heights): return heights
            case .remote(let missing): try await gathering.request(missing)
            }
        }
    }

    /// Returns the failure of the heights from which a tile is made, if coarser ones replace them.
    func omission(of tile: TileID, levels: Int) -> TileFailure? {
        data(for: tile, levels).flatMap { failures[$0] }
    }

    /// True if the heights of a tile take no request.
    func isLocal(_ tile: TileID, levels: Int) -> Bool { data(for: tile, levels).map(isLocal) ?? false }

    /// Returns the source's tile from which a tile is made, even if a coarser one replaces it.
    func data(for tile: TileID, _ levels: Int) -> TileID? {
        let zoom = min(max(tile.zoom - levels, zooms.lowerBound), zooms.upperBound)
        return tile.ancestor(levels: max(tile.zoom - zoom, 0))
    }
}

/// The heights of a tile, in as many samples as those around it have.
struct SampledHeights: Sendable {
    let grid: ElevationGrid
    /// The tile that the heights are from: the tile itself or an ancestor.
    let source: TileID
    /// The failure of the tile that the source replaces; nil if there was none.
    let failure: TileFailure?
}

/// Gathers the heights in and around a tile. Stops at each tile that must be requested, and resumes once the
/// request has ended.
private struct HeightGathering {
    private let model: ElevationModel
    /// The tiles read so far.
    private var tiles: [TileID: Result<ElevationModel.Tile, TileFailure>] = [:]
    /// The borders of the neighbours read so far.
    private var around: [TileID: Neighbour] = [:]

    private struct Neighbour {
        let border: Border?
        let isPartial: Bool
    }

    typealias Step = ElevationModel.HeightStep

    init(_ model: ElevationModel) { self.model = model }

    /// Requests a tile from its server. Its failure is part of the result.
    /// - Throws: The failure if the task was cancelled.
    mutating func request(_ tile: TileID) async throws(TileFailure) {
        do throws(TileFailure) {
            let found = try await model.tile(tile)
            // Otherwise, it would be requested forever.
            if case .remote = found { tiles[tile] = .success(.absent) } else { tiles[tile] = .success(found) }
        } catch {
            if Task.isCancelled { throw error }
            tiles[tile] = .failure(error)
        }
    }

    /// Returns the heights in and around a tile.
    /// - Parameter data: The source's tile that contains the tile.
    /// - Returns: nil if there are none.
    mutating func area(around tile: TileID, in data: TileID) throws(TileFailure) -> Step<JoinedHeights?> {
        switch try heights(of: data) {
        case .remote(let missing): return .remote(missing)
        case .known(nil): return .known(nil)
        case .known(let heights?):
            return switch joined(tile, in: data, heights.grid, heights.failure) {
            case .remote(let missing): .remote(missing)
            case .known(let area): .known(noted(area, of: data))
            }
        }
    }

    private func noted(_ area: JoinedHeights, of data: TileID) -> JoinedHeights {
        model.failures.note(area.failure, of: data)
        return area
    }

    /// Returns the heights of a tile of the source, or those of its nearest known ancestor at the same
    /// positions.
    mutating func heights(of data: TileID) throws(TileFailure) -> Step<SampledHeights?> {
        let cover: ElevationModel.Cover?
        switch try model.cover(of: data, known: &tiles) {
        case .remote(let missing): return .remote(missing)
        case .known(let found): cover = found
        }
        guard let cover else { return .known(nil) }
        // Smaller tiles than the others get the same samples, so that lines meet.
        let width = max(cover.grid.width, model.tileSide), height = max(cover.grid.height, model.tileSide)
        let grid = cover.grid.resampled(width: width, height: height)
        if cover.tile == data { return .known(SampledHeights(grid: grid, source: data, failure: nil)) }
        switch joined(data, in: cover.tile, grid, cover.failure) {
        case .remote(let missing): return .remote(missing)
        case .known(let area):
            return .known(
                SampledHeights(
                    grid: area.resampled(of: data, width: width, height: height), source: cover.tile,
                    failure: cover.failure))
        }
    }

    /// Joins the heights of a tile of the source and those around it.
    private mutating func joined(
        _ tile: TileID, in data: TileID, _ grid: ElevationGrid, _ failure: TileFailure?
    ) -> Step<JoinedHeights> {
        let window = Window(of: tile, in: data, grid)
        var isPartial = failure != nil, borders: [TileID: Border?] = [:]
        for tile in window.neighbours(of: data) {
            switch neighbour(tile) {
            case .remote(let missing): return .remote(missing)
            case .known(let neighbour):
                borders[tile] = neighbour.border
                isPartial = isPartial || neighbour.isPartial
            }
        }
        return .known(window.joined(data, grid, borders, failure: failure, isPartial: isPartial))
    }

    private mutating func neighbour(_ tile: TileID) -> Step<Neighbour> {
        if let known = around[tile] { return .known(known) }
        if let border = model.borders[tile] { return .known(Neighbour(border: border, isPartial: false)) }
        let found: Neighbour
        do throws(TileFailure) {
            switch try heights(of: tile) {
            case .remote(let missing): return .remote(missing)
            case .known(let heights):
                found = Neighbour(
                    border: heights.flatMap { Border($0.grid) }, isPartial: heights?.failure != nil)
            }
        } catch {
            found = Neighbour(border: nil, isPartial: true)
        }
        around[tile] = found
        if case .success(.known)? = tiles[tile] { tiles[tile] = nil }
        // A local tile stays damaged; a server's may be whole the next time.
        guard !found.isPartial || model.isLocal(tile) else { return .known(found) }
        return .known(Neighbour(border: model.borders.note(found.border, of: tile), isPartial: false))
    }
}

extension JoinedHeights {
    /// Returns the heights at as many positions of a tile.
    /// - Parameter tile: The tile around which the heights are.
    fileprivate func resampled(of tile: TileID, width: Int, height: Int) -> ElevationGrid {
        let parts = Double(1 << max(tile.zoom - data.zoom, 0))
        let part = SIMD2(Double(tile.x), Double(tile.y)) - SIMD2(Double(data.x), Double(data.y)) * parts
        let step = SIMD2(Double(size.x), Double(size.y)) / parts
        let start = part * step - SIMD2<Double>(corner)
        return grid.resampled(
            width: width, height: height, from: start, step: step / SIMD2(Double(width), Double(height)))
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
        _ data: TileID, _ grid: ElevationGrid, _ around: [TileID: Border?], failure: TileFailure?,
        isPartial: Bool
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
            failure: failure, isPartial: isPartial)
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
