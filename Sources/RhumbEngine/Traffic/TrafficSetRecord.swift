internal import RhumbCore

/// A set that is shown or loading, and the state of its tiles.
struct TrafficSetRecord: Sendable {
    let set: TrafficSet
    let source: TrafficSource
    var layer: TileLayer
    /// The model of the first response, if the request named none.
    var model: TrafficModel?
    var isWhole = false
    /// The tiles that can be revalidated, or contain more than is drawn.
    private(set) var cached: [TileID: CachedTile] = [:]
    /// The tiles that were received but could not be read.
    var damaged: Set<TileID> = []
    private let tiles: TrafficSetTiles
    /// The number of changes of its drawing.
    private var changes = 0

    struct CachedTile: Sendable {
        let validators: Validators
        let answer: TileAnswer
        /// The content; nil for a picture.
        var content: TrafficTileContent?

        var isWorthKeeping: Bool { !validators.isEmpty || content != nil }
    }

    init(_ set: TrafficSet, _ source: TrafficSource, _ drawing: (any TileDrawing)?, _ tiles: TrafficSetTiles)
    {
        self.set = set
        self.source = source
        self.tiles = tiles
        model = set.model
        layer = source.layer(id: TrafficSetRecord.id(set), source: tiles, drawing)
    }

    private static func id(_ set: TrafficSet) -> TileLayer.ID { "traffic.\(set.kind.rawValue).\(set.number)" }

    /// Draws its tiles with another drawing, without requesting them again.
    mutating func draw(by drawing: any TileDrawing) {
        changes += 1
        layer = source.layer(id: "\(TrafficSetRecord.id(set)).\(changes)", source: tiles, drawing)
    }

    /// Returns true if a response belongs to this set's model. If the request named no model, the first
    /// response decides.
    mutating func accepts(_ found: TrafficModel?) -> Bool {
        guard let found, set.kind == .incidents else { return true }
        if model == nil { model = found }
        return model == found
    }

    /// Stores a tile. If there are many, those of an earlier view are removed.
    mutating func store(_ tile: CachedTile, _ id: TileID, in viewport: Viewport?) {
        if cached.count >= 64, let viewport {
            let seen = dataTiles(in: viewport)
            cached = cached.filter { seen.contains($0.key) }
        }
        cached[id] = tile
    }

    /// Returns the source's tiles from which a view is drawn.
    private func dataTiles(in viewport: Viewport) -> Set<TileID> {
        Set(layer.cover(of: viewport).map { layer.dataTile(for: $0.tile) })
    }

    /// Returns the marks of incidents in a view.
    func signs(in viewport: Viewport) -> [TrafficSign] {
        dataTiles(in: viewport).flatMap { cached[$0]?.content?.signs ?? [] }
    }

    /// The number of features on its tiles that can't be shown.
    var unknownCount: Int { cached.values.reduce(0) { $0 + ($1.content?.unknownCount ?? 0) } }

    /// Returns true if every tile of a view is loaded, known to be absent, or permanently failed while others
    /// are loaded.
    func isComplete(on board: TileBoard, in viewport: Viewport) -> Bool {
        let count = count(on: board, in: viewport)
        return count.missing == 0 && (count.lost == 0 || count.found > 0)
    }

    /// Returns true if every tile of a view has permanently failed.
    func isLost(on board: TileBoard, in viewport: Viewport) -> Bool {
        let count = count(on: board, in: viewport)
        return count.missing == 0 && count.found == 0 && count.lost > 0
    }

    private func count(on board: TileBoard, in viewport: Viewport) -> (found: Int, lost: Int, missing: Int) {
        var count = (found: 0, lost: 0, missing: 0)
        for placed in layer.cover(of: viewport) {
            switch board.state(of: TileKey(layer: layer.id, tile: placed.tile)) {
            case .ready, .absent: count.found += 1
            case .failed(let failure) where failure.isForGood: count.lost += 1
            case .failed, nil: count.missing += 1
            }
        }
        return count
    }
}

/// Provides the tiles of one set.
struct TrafficSetTiles: TileLayerDataSource {
    let zooms: ClosedRange<Int>
    /// Returns the tile in memory; nil for none.
    let stored: @Sendable (TileID) -> TileAnswer?
    let take: @Sendable (TileRequest) -> Void

    func hasTile(_ tile: TileID) -> Bool { zooms.contains(tile.zoom) }

    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? { stored(tile) }

    func begin(_ request: TileRequest) -> Bool {
        take(request)
        return true
    }
}

extension TileFailure {
    fileprivate var isForGood: Bool {
        switch reason {
        case .sourceFailed, .badContent, .wrongSize, .unsupportedFormat: true
        case .timedOut, .unreadable, .offline, .refused: false
        }
    }

    /// Creates the failure of a tile from a failure of the provider.
    /// - Parameter pause: The pause of the source.
    init(_ failure: TrafficFailure, pause: Duration) {
        let text = failure.description
        if failure.pausesSource {
            self.init(.refused, text, retryAfter: max(pause, .seconds(30)))
        } else if failure.reason == .offline {
            self.init(.offline, text, retryAfter: .seconds(5))
        } else if failure.isPermanent {
            self.init(
                failure.reason == .badAnswer ? .badContent : .sourceFailed, text, retryAfter: .seconds(600))
        } else {
            self.init(.unreadable, text)
        }
    }
}
