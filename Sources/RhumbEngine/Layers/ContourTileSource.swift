public import RhumbCore
internal import Synchronization

/// Vector tiles of contour lines, made from the tiles of a source of heights. Each is made from the heights
/// of its own area and a narrow border of the eight tiles around, so that the lines of neighbouring tiles
/// meet. Coarser heights replace missing ones.
public final class ContourTileSource: HillTileSource {
    let ground: ElevationModel
    private let spacing: ContourSpacing
    private let zoomsAhead: Int
    /// Recently made tiles, of local sources and those that lack neighbours.
    private let recent = Mutex<[Key: Made]>([:])

    /// A tile for a zoom of the map.
    private struct Key: Hashable {
        let tile: TileID
        let zoom: Int
    }

    /// A made tile.
    private struct Made {
        let bytes: [UInt8]
        /// The time from which it is made again, because requests for neighbours failed; nil for never.
        let end: ContinuousClock.Instant?
    }

    private static let recentLimit = 48
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
            ground.zooms.upperBound + levels + Self.zoomsBeyond + zoomsAhead, TileSize.pixels512.usualDepth)
        return TileSourceInfo(
            name: "Contours", attribution: ground.attribution,
            zooms: ContourSpacing.firstZoom...max(deepest, ContourSpacing.firstZoom),
            bounds: ground.info.bounds, tileSize: .pixels512, isOverlay: true)
    }

    /// The number of zooms from the heights to the contours drawn from them, so that contours need the same
    /// tiles as the shading at a map's zoom.
    private var levels: Int { ground.tileSide > 256 ? 1 : 0 }

    /// Returns the contours if all heights are available without a request; nil otherwise.
    public func tile(_ tile: TileID, of layer: TileLayer) throws(TileFailure) -> TileAnswer? {
        let key = Key(tile: tile, zoom: mapZoom(tile, layer))
        if let made = recent.withLock({ $0[key] }), made.end.map({ $0 > .now }) ?? true {
            return .bitmap(.encoded(made.bytes))
        }
        return switch try ground.storedArea(around: tile, levels: levels) {
        case .absent: .absent
        case .remote: nil
        case .known(let area): .bitmap(.encoded(made(key, area)))
        }
    }

    /// Requests the heights of a tile and around it, and makes the contours.
    public func begin(_ request: TileRequest) -> Bool {
        request.fulfil { [self] () async throws(TileFailure) in
            guard let area = try await ground.area(around: request.tile, levels: levels) else {
                return .absent
            }
            return .bitmap(
                .encoded(made(Key(tile: request.tile, zoom: mapZoom(request.tile, request.layer)), area)))
        }
    }

    /// Returns true if making a tile takes no request.
    func isLocal(_ tile: TileID) -> Bool { ground.isLocal(tile, levels: levels) }

    func omission(of tile: TileID) -> TileFailure? { ground.omission(of: tile, levels: levels) }

    /// Removes the decoded heights and the contours.
    func forgetTiles() {
        ground.forgetTiles()
        recent.withLock { $0 = [:] }
    }

    /// Makes the contours of a tile. Those of a local source stay in memory for the labels, which read the
    /// same tiles as the map.
    private func made(_ key: Key, _ area: JoinedHeights) -> [UInt8] {
        let bytes = contours(key.tile, key.zoom, area)
        guard area.isPartial || isLocal(key.tile) else { return bytes }
        recent.withLock { recent in
            if recent.count >= Self.recentLimit { recent.removeAll() }
            recent[key] = Made(bytes: bytes, end: area.isPartial ? .now + Self.retryTime : nil)
        }
        return bytes
    }

    private func contours(_ tile: TileID, _ zoom: Int, _ area: JoinedHeights) -> [UInt8] {
        var heights = area.grid
        let data = area.data, parts = Double(1 << max(tile.zoom - data.zoom, 0))
        let part = SIMD2(Double(tile.x), Double(tile.y)) - SIMD2(Double(data.x), Double(data.y)) * parts
        let size = SIMD2(Double(area.size.x), Double(area.size.y)), corner = SIMD2<Double>(area.corner)
        var middle = 0.5, step = parts / size
        if area.hasPairs, size.x / parts > Double(Self.enoughSamples) {
            heights = heights.halved
            middle = 1
        }
        let origin = (corner + middle) * step - part
        step *= 2 * middle
        return spacing.tile(heights, zoom: zoom, origin: origin, step: step)
    }
}

extension TileLayer {
    /// True for a layer of contour lines.
    public var isContours: Bool { source is ContourTileSource }
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
