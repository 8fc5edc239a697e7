internal import RhumbCore

/// The terrain heights in the stored tiles of an elevation layer. `heights(at:)` and
/// `stored(_:)` request no tiles.
public struct ElevationModel: Sendable {
    /// The name of the layer.
    public let name: String
    /// The attribution; may be empty.
    public let attribution: String
    private let layer: TileLayer
    private let drawing: HillshadeDrawing
    private let fetcher: any TileFetcher
    /// The borders of recently read tiles.
    let borders: HeightBorders
    /// The failures of tiles that coarser ones replace.
    let failures: HeightFailures
    /// The maximum number of tiles read for one request. Long lines get coarser heights.
    private static let tileLimit = 64
    private static let deepest = 15

    /// Reads heights from a layer.
    /// - Parameters:
    ///   - drawing: The reader of the layer's tiles; nil for the layer's own.
    ///   - fetcher: Finds the stored tiles of web sources.
    /// - Returns: nil for a layer without heights.
    public init?(_ layer: TileLayer, readBy drawing: HillshadeDrawing? = nil, _ fetcher: any TileFetcher) {
        if let ground = layer.hillGround {
            self = ground
            return
        }
        guard let drawing = drawing ?? layer.drawing as? HillshadeDrawing else { return nil }
        self.layer = layer
        self.drawing = drawing
        self.fetcher = fetcher
        borders = HeightBorders()
        failures = HeightFailures()
        name = layer.info.name
        attribution = layer.info.attribution
    }

    /// The layer of light and shade from the heights, over the maps below.
    public var shading: TileLayer {
        var shaded = layer
        shaded.dataSource = HillshadeTileSource(ground: self, shade: drawing.shade)
        shaded.drawing = nil
        shaded.cacheIdentifier = nil
        shaded.info.zooms = zooms.lowerBound...max(zooms.upperBound, layer.tileSize.usualDepth)
        if layer.drawing == nil { shaded = shaded.named("hills:\(layer.id)") }
        shaded.isTransparent = true
        shaded.role = .hybridOverlay
        shaded.feature = .terrain
        shaded.info.hasLabels = true
        return shaded
    }

    /// The name, address or path of the heights.
    public var specifier: String { layer.specifier }

    /// True if the heights come from the network.
    public var isFromWeb: Bool { layer.isNamedOnWeb || layer.hasAddress(for: .world) }

    /// Returns the heights at positions on the Mercator square, in metres above sea level; NaN where no tile
    /// is stored.
    public func heights(at places: [SIMD2<Double>]) -> [Float] {
        var heights = [Float](repeating: .nan, count: places.count), groups: [TileID: [Int]] = [:]
        let zoom = zoom(for: places)
        for (at, place) in places.enumerated() where (0...1).contains(place.y) {
            groups[Self.tile(place, zoom), default: []].append(at)
        }
        for (tile, members) in groups {
            guard let (tile, grid) = finestGrid(over: tile) else { continue }
            let side = Double(1 << tile.zoom)
            for at in members {
                let part = WorldPoint(x: places[at].x, y: places[at].y).wrapped
                let x = (part.x * side - Double(tile.x)) * Double(grid.width) - 0.5,
                    y = (part.y * side - Double(tile.y)) * Double(grid.height) - 0.5
                heights[at] = Float(grid.metres(x: x, y: y))
            }
        }
        return heights
    }

    /// Fetches the tiles at the positions that aren't stored yet, at most 64.
    /// - Parameter places: Positions on the Mercator square.
    /// - Returns: The failures of tiles.
    func load(for places: [SIMD2<Double>]) async -> [TileFailure] {
        let zoom = zoom(for: places), tiles = Set(places.map { Self.tile($0, zoom) })
        return await withTaskGroup(of: TileFailure?.self) { group in
            for tile in tiles.prefix(Self.tileLimit) where layer.source.hasTile(tile, of: layer) {
                let want = WantedTile(layer: layer, tile: tile, urgency: .prefetch)
                guard layer.hasAddress(for: tile), fetcher.stored(want) == nil else { continue }
                group.addTask { [fetcher] in
                    do throws(TileFailure) {
                        _ = try await fetcher.fetch(want, holdsStored: false)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
        }
    }

    static func tile(_ place: SIMD2<Double>, _ zoom: Int) -> TileID {
        TileID(zoom: zoom, containing: WorldPoint(x: place.x, y: place.y).wrapped)
    }

    /// Returns the deepest zoom that does not need too many tiles.
    func zoom(for places: [SIMD2<Double>]) -> Int {
        let zooms = layer.dataZooms,
            some = stride(from: 0, to: places.count, by: places.count / 4000 + 1).map { places[$0] }
        var zoom = max(min(zooms.upperBound, Self.deepest), zooms.lowerBound)
        while zoom > zooms.lowerBound, Set(some.map { Self.tile($0, zoom) }).count > Self.tileLimit {
            zoom -= 1
        }
        return zoom
    }

    /// The maximum number of zooms between a missing tile and the ancestor that replaces it. A tile enlarged
    /// 2^8 times has a single height.
    private static let ancestorReach = 8
    /// The number of failures of one tile and its ancestors after which requests stop.
    private static let failureLimit = 3

    /// The finest known heights over a tile.
    struct Cover: Sendable {
        /// The tile itself or an ancestor.
        let tile: TileID
        let grid: ElevationGrid
        /// The first failure of a finer tile; nil if they are all absent.
        let failure: TileFailure?
    }

    /// Returns the stored heights of a tile, or of an ancestor where only coarser ones are stored.
    private func finestGrid(over tile: TileID) -> (TileID, ElevationGrid)? {
        var known: [TileID: Result<Tile, TileFailure>] = [:]
        while true {
            switch try? cover(of: tile, known: &known) {
            case .known(let cover?): return (cover.tile, cover.grid)
            case .remote(let missing): known[missing] = .success(.absent)
            case .known(nil), nil: return nil
            }
        }
    }

    /// Returns the finest heights over a tile: its own, or else those of its nearest ancestor with any.
    /// - Parameter known: The tiles read so far, by any means. Receives those that are read.
    /// - Returns: The heights, nil if no tile has any; or the tile that must be requested first.
    /// - Throws: The failure of the finest tile that failed, if no ancestor replaces it.
    func cover(
        of tile: TileID, known: inout [TileID: Result<Tile, TileFailure>]
    ) throws(TileFailure) -> HeightStep<Cover?> {
        var failure: TileFailure?, tile = tile, failures = 0
        for level in 0...Self.ancestorReach {
            let outcome = known[tile] ?? Result { () throws(TileFailure) in try stored(tile) }
            switch outcome {
            case .success(.remote):
                // A failing server receives no further requests.
                let isDown = failure?.concernsServer ?? false || failures >= Self.failureLimit
                guard isDown else { return .remote(tile) }
            case .success(let found):
                known[tile] = outcome
                if case .known(let grid) = found {
                    return .known(Cover(tile: tile, grid: grid, failure: failure))
                }
            case .failure(let found):
                known[tile] = outcome
                failure = failure ?? found
                failures += 1
            }
            guard level < Self.ancestorReach, tile.zoom > zooms.lowerBound, let parent = tile.parent
            else { break }
            tile = parent
        }
        if let failure { throw failure }
        return .known(nil)
    }

    // MARK: Tiles

    /// Heights, or the tile that must be requested first.
    enum HeightStep<Value> {
        case known(Value)
        case remote(TileID)
    }

    /// The heights of a tile.
    enum Tile: Sendable {
        case known(ElevationGrid)
        /// The source has no such tile.
        case absent
        /// The tile must be requested from a server.
        case remote
    }

    /// The zooms of the source's tiles.
    var zooms: ClosedRange<Int> { layer.dataZooms }

    /// The side of a tile in pixels, according to the source.
    var tileSide: Int { layer.tileSize.rawValue }

    /// The description of the source.
    var info: TileSourceInfo { layer.info }

    /// The area with heights; nil if unknown.
    var boundingBox: Bounds? { layer.boundingBox }

    /// Returns the heights of a tile that is available without a request.
    /// - Throws: `TileFailure` if the tile can't be read or is damaged.
    func stored(_ tile: TileID) throws(TileFailure) -> Tile {
        guard layer.source.hasTile(tile, of: layer) else { return .absent }
        if isLocal(tile) { return try local(tile) }
        let stored = fetcher.stored(WantedTile(layer: layer, tile: tile, urgency: .prefetch))?.answer
        if let answer = stored { return try heights(answer, of: tile) }
        if let answer = try layer.source.tile(tile, of: layer) { return try heights(answer, of: tile) }
        return layer.hasAddress(for: tile) ? .remote : .absent
    }

    /// Returns the heights of a tile of a local source. Shading and contours need the same tile at the same
    /// time, and the second waits until it is decoded.
    private func local(_ tile: TileID) throws(TileFailure) -> Tile {
        let grid = try drawing.heights(tile) { () throws(TileFailure) in
            try layer.source.tile(tile, of: layer).flatMap(Self.body)
        }
        return grid.map { .known($0) } ?? .absent
    }

    /// True if a tile is from a local source whose tiles never change.
    func isLocal(_ tile: TileID) -> Bool { layer.isFromLocalSource(tile) }

    /// Removes the decoded heights.
    func forgetTiles() {
        drawing.forgetTiles()
        borders.removeAll()
        failures.removeAll()
    }

    /// Returns the heights of a tile, requested from the server if it isn't stored.
    /// - Throws: `TileFailure` if the request fails, or the tile is damaged.
    func tile(_ tile: TileID) async throws(TileFailure) -> Tile {
        let stored = try stored(tile)
        guard case .remote = stored else { return stored }
        let request = WantedTile(layer: layer, tile: tile, urgency: .visible(view: 0))
        guard case .new(let answer, _) = try await fetcher.fetch(request, holdsStored: false) else {
            return try self.stored(tile)
        }
        return try heights(answer, of: tile)
    }

    private func heights(_ answer: TileAnswer, of tile: TileID) throws(TileFailure) -> Tile {
        try Self.body(answer).map { bytes throws(TileFailure) in
            .known(try drawing.heights(tile, from: bytes))
        } ?? .absent
    }

    private static func body(_ answer: TileAnswer) -> [UInt8]? {
        guard case .bitmap(.encoded(let bytes)) = answer else { return nil }
        return bytes
    }
}

/// A source of tiles that are made from heights.
protocol HillTileSource: TileLayerDataSource {
    /// The heights.
    var ground: ElevationModel { get }

    /// Returns true if making a tile takes no request.
    func isLocal(_ tile: TileID) -> Bool

    /// Returns the failure of the heights of a tile if coarser ones replace them; nil if there was none.
    func omission(of tile: TileID) -> TileFailure?

    /// Removes the decoded heights, and all pictures made from them.
    func forgetTiles()
}

extension TileLayer {
    /// The heights of a layer of shading or contours over a map; nil for other layers.
    public var hillGround: ElevationModel? { (source as? any HillTileSource)?.ground }

    /// Removes the decoded tiles of the layer and of the heights from which it is made.
    func forgetTiles() {
        drawing?.forgetTiles()
        (source as? any HillTileSource)?.forgetTiles()
    }
}

extension TileFailure {
    /// True if other requests to the same server would fail, too.
    fileprivate var concernsServer: Bool {
        switch reason {
        case .timedOut, .offline, .refused: true
        case .unreadable, .badContent, .wrongSize, .unsupportedFormat, .sourceFailed:
            remedy?.unreachableHost != nil
        }
    }
}
