public import RhumbCore
internal import Synchronization

/// Vector tiles of contour lines, made from the tiles of a source of heights. Each is made from the heights
/// of its own area and a narrow border of the eight tiles around, so that the lines of neighbouring tiles
/// meet.
public final class ContourTileSource: TileLayerDataSource {
    private let ground: ElevationModel
    private let spacing: ContourSpacing
    private let zoomsAhead: Int
    private let borders = Mutex<[TileID: Border?]>([:])
    /// Tiles made without some neighbours, whose requests failed, and the times from which they are made
    /// again.
    private let partial = Mutex<[TileID: (bytes: [UInt8], end: ContinuousClock.Instant)]>([:])

    /// The number of borders in memory, of at most 16 KB each.
    private static let borderLimit = 96
    private static let partialLimit = 48
    /// The time after which a tile without some neighbours is made again.
    private static let retryTime = Duration.seconds(60)
    /// The number of samples on a tile's side above which two are averaged. Twice as many are not visible in
    /// cells, and cost four times as much.
    private static let enoughSamples = 128
    /// The maximum number of zooms for which contours are made from the deepest tiles.
    private static let zoomsBeyond = 4

    /// Creates the tiles of contours from heights.
    /// - Parameter zoomsAhead: The number of zooms by which the tiles are finer than the map's zoom in cells,
    ///   which decides the distance of the lines.
    public init(_ ground: ElevationModel, _ spacing: ContourSpacing, zoomsAhead: Int = 0) {
        self.ground = ground
        self.spacing = spacing
        self.zoomsAhead = zoomsAhead
    }

    /// The same contours at the zooms of a map in cells, for labels.
    public var inCells: ContourTileSource { ContourTileSource(ground, spacing) }

    /// Returns the zoom of the map on which a layer shows a tile.
    private func mapZoom(_ tile: TileID, _ layer: TileLayer) -> Int {
        tile.zoom - zoomsAhead - max(Int(clamping: (layer.detail - Self.detail).rounded()), 0)
    }

    /// The detail of a layer whose tiles have the zoom of the map in cells.
    public static let detail = 1.0

    /// The description of the tiles.
    public var info: TileSourceInfo {
        // Finer tiles end at the same zoom of the map, so that they have the lines that the labels name.
        let deepest = min(
            ground.zooms.upperBound + levels + Self.zoomsBeyond + zoomsAhead, TileSize.pixels512.maximumZoom)
        return TileSourceInfo(
            name: "Contours", attribution: ground.attribution,
            zooms: ContourSpacing.firstZoom...max(deepest, ContourSpacing.firstZoom),
            bounds: ground.info.bounds, tileSize: .pixels512, isOverlay: true)
    }

    /// The number of zooms from the heights to the contours drawn from them, so that contours need the same
    /// tiles as the shading at a map's zoom.
    private var levels: Int { ground.tileSide > 256 ? 1 : 0 }

    /// Returns the tile of heights in which a tile of contours is.
    private func data(for tile: TileID) -> TileID? {
        let zoom = min(max(tile.zoom - levels, ground.zooms.lowerBound), ground.zooms.upperBound)
        return tile.ancestor(levels: max(tile.zoom - zoom, 0))
    }

    /// Returns the contours if all heights are available without a request; nil otherwise.
    public func tile(_ tile: TileID, of layer: TileLayer) throws(TileFailure) -> TileAnswer? {
        if let made = partial.withLock({ $0[tile] }), made.end > .now { return .bitmap(.encoded(made.bytes)) }
        guard let data = data(for: tile) else { return .absent }
        switch try ground.stored(data) {
        case .absent: return .absent
        case .remote: return nil
        case .known(let grid):
            var around: [TileID: Border?] = [:]
            for neighbour in neighbours(of: data, for: tile, grid) {
                if let known = borders.withLock({ $0[neighbour] }) {
                    around[neighbour] = known
                } else {
                    switch try? ground.stored(neighbour) {
                    case .known(let grid): around[neighbour] = note(Border(grid), of: neighbour)
                    case .absent, nil: around[neighbour] = note(nil, of: neighbour)
                    case .remote: return nil
                    }
                }
            }
            return .bitmap(.encoded(made(tile, mapZoom(tile, layer), data, grid, around)))
        }
    }

    /// Requests the heights of a tile and around it, and makes the contours.
    public func begin(_ request: TileRequest) -> Bool {
        let task = Task { await fulfil(request) }
        request.onCancel { task.cancel() }
        return true
    }

    private func fulfil(_ request: TileRequest) async {
        guard let data = data(for: request.tile) else { return _ = request.complete(.absent) }
        do throws(TileFailure) {
            guard case .known(let grid) = try await ground.tile(data) else {
                return _ = request.complete(.absent)
            }
            var around: [TileID: Border?] = [:], isPartial = false
            for neighbour in neighbours(of: data, for: request.tile, grid) {
                if let known = borders.withLock({ $0[neighbour] }) {
                    around[neighbour] = known
                    continue
                }
                do throws(TileFailure) {
                    let heights = try await ground.tile(neighbour)
                    guard case .known(let grid) = heights else {
                        around[neighbour] = note(nil, of: neighbour)
                        continue
                    }
                    around[neighbour] = note(Border(grid), of: neighbour)
                } catch {
                    isPartial = true
                }
            }
            let bytes = made(request.tile, mapZoom(request.tile, request.layer), data, grid, around)
            if isPartial { note(bytes, of: request.tile) }
            request.complete(.bitmap(.encoded(bytes)))
        } catch {
            request.fail(error)
        }
    }

    /// Stores the border of a tile; nil for a tile without heights.
    private func note(_ border: Border?, of tile: TileID) -> Border? {
        borders.withLock { borders in
            if borders.count >= Self.borderLimit { borders.removeAll() }
            borders[tile] = .some(border)
        }
        return border
    }

    private func note(_ bytes: [UInt8], of tile: TileID) {
        partial.withLock { partial in
            if partial.count >= Self.partialLimit { partial.removeAll() }
            partial[tile] = (bytes, .now + Self.retryTime)
        }
    }

    // MARK: Heights around a tile

    /// The columns and rows of samples from which a tile is made, counted from the north-western corner of
    /// the tile of heights. They reach beyond its sides.
    private struct Window {
        var columns: Range<Int>
        var rows: Range<Int>

        init(of tile: TileID, in data: TileID, _ width: Int, _ height: Int) {
            let parts = 1 << max(tile.zoom - data.zoom, 0)
            func range(_ part: Int, _ samples: Int) -> Range<Int> {
                let first = part * samples / parts, end = ((part + 1) * samples + parts - 1) / parts
                // Pairs of samples must be the same ones in all tiles.
                let isEven = samples.isMultiple(of: 2)
                return (isEven ? first & ~1 : first) - 2..<(isEven ? (end + 1) & ~1 : end) + 2
            }
            columns = range(tile.x - data.x * parts, width)
            rows = range(tile.y - data.y * parts, height)
        }
    }

    /// Returns the tiles beside a tile of heights that the contours of a tile need.
    private func neighbours(of data: TileID, for tile: TileID, _ grid: ElevationGrid) -> [TileID] {
        let window = Window(of: tile, in: data, grid.width, grid.height)
        var found: [TileID] = []
        for row in -1...1
        where row == 0 || (row < 0 ? window.rows.lowerBound < 0 : window.rows.upperBound > grid.height) {
            for column in -1...1
            where (row, column) != (0, 0)
                && (column == 0
                    || (column < 0
                        ? window.columns.lowerBound < 0 : window.columns.upperBound > grid.width))
            {
                if let neighbour = TileID(
                    zoom: data.zoom, wrappingX: data.x + column, y: data.y + row)
                {
                    found.append(neighbour)
                }
            }
        }
        return found
    }

    private func made(
        _ tile: TileID, _ zoom: Int, _ data: TileID, _ grid: ElevationGrid, _ around: [TileID: Border?]
    ) -> [UInt8] {
        let window = Window(of: tile, in: data, grid.width, grid.height)
        var metres: [Float] = []
        metres.reserveCapacity(window.columns.count * window.rows.count)
        let inside = window.columns.clamped(to: 0..<grid.width)
        for row in window.rows {
            func outside(_ column: Int) -> Float {
                let beyond = SIMD2(
                    column < 0 ? -1 : column < grid.width ? 0 : 1, row < 0 ? -1 : row < grid.height ? 0 : 1)
                let border = TileID(
                    zoom: data.zoom, wrappingX: data.x + beyond.x, y: data.y + beyond.y
                ).flatMap { around[$0] ?? nil }
                if let border, border.width == grid.width, border.height == grid.height {
                    return border[column - beyond.x * grid.width, row - beyond.y * grid.height]
                }
                // The slope continues where there is no neighbour.
                let x = min(max(column, 0), grid.width - 1), y = min(max(row, 0), grid.height - 1)
                let mirrored = SIMD2(
                    min(max(2 * x - column, 0), grid.width - 1), min(max(2 * y - row, 0), grid.height - 1))
                return 2 * grid.metres[y * grid.width + x]
                    - grid.metres[mirrored.y * grid.width + mirrored.x]
            }
            guard (0..<grid.height).contains(row) else {
                for column in window.columns { metres.append(outside(column)) }
                continue
            }
            for column in window.columns.lowerBound..<inside.lowerBound { metres.append(outside(column)) }
            let start = row * grid.width
            metres += grid.metres[(start + inside.lowerBound)..<(start + inside.upperBound)]
            for column in inside.upperBound..<window.columns.upperBound { metres.append(outside(column)) }
        }
        var heights = ElevationGrid(
            width: window.columns.count, height: window.rows.count, metres: metres)
        let parts = Double(1 << max(tile.zoom - data.zoom, 0))
        let part = SIMD2(Double(tile.x), Double(tile.y)) - SIMD2(Double(data.x), Double(data.y)) * parts
        var middle = 0.5, step = SIMD2(parts / Double(grid.width), parts / Double(grid.height))
        let corner = SIMD2(Double(window.columns.lowerBound), Double(window.rows.lowerBound))
        var origin = (corner + middle) * step - part
        let isEven = grid.width.isMultiple(of: 2) && grid.height.isMultiple(of: 2)
        if isEven, Double(grid.width) / parts > Double(Self.enoughSamples) {
            heights = heights.halved
            middle = 1
            origin = (corner + middle) * step - part
            step *= 2
        }
        return spacing.tile(heights, zoom: zoom, origin: origin, step: step)
    }
}

extension TileLayer {
    /// True for a layer of contour lines.
    public var isContours: Bool { source is ContourTileSource }
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

extension ElevationGrid {
    /// The means of two by two samples; of the known ones if some are unknown.
    fileprivate var halved: ElevationGrid {
        let columns = width / 2, rows = height / 2
        var means: [Float] = []
        means.reserveCapacity(columns * rows)
        metres.withUnsafeBufferPointer { metres in
            for row in 0..<rows {
                for column in 0..<columns {
                    let at = 2 * row * width + 2 * column
                    let four = SIMD4(metres[at], metres[at + 1], metres[at + width], metres[at + width + 1])
                    let mean = four.sum() / 4
                    if !mean.isNaN {
                        means.append(mean)
                    } else {
                        let known = (0..<4).map { four[$0] }.filter { !$0.isNaN }
                        means.append(known.isEmpty ? .nan : known.reduce(0, +) / Float(known.count))
                    }
                }
            }
        }
        return ElevationGrid(width: columns, height: rows, metres: means)
    }
}
