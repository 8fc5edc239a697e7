internal import RhumbCore

/// A set that is shown or to be shown, and what is known of its tiles.
struct TrafficSetRecord: Sendable {
    let set: TrafficSet
    let source: TrafficSource
    var layer: TileLayer
    /// The model the first answer said it is of, where none was asked for.
    var model: TrafficModel?
    var isWhole = false
    /// Tiles that can be asked about by a conditional request, as they were drawn.
    var kept: [TileID: Kept] = [:]

    struct Kept: Sendable {
        let validators: Validators
        let raster: Raster
    }

    init(_ set: TrafficSet, _ source: TrafficSource, take: @escaping @Sendable (TileRequest) -> Void) {
        self.set = set
        self.source = source
        model = set.model
        let zooms = source.definition.zooms
        layer = source.layer(
            id: "traffic.\(set.kind.rawValue).\(set.number)",
            source: TrafficSetTiles(zooms: zooms, take: take))
    }

    /// Whether an answer is of this set's model; the first answer decides where none was asked for.
    mutating func accepts(_ found: TrafficModel?) -> Bool {
        guard let found, set.kind == .incidents else { return true }
        if model == nil { model = found }
        return model == found
    }

    /// Remembers a tile; of many, those of an earlier view are let go.
    mutating func keep(_ tile: Kept, _ id: TileID) {
        if kept.count >= 64 { kept = [:] }
        kept[id] = tile
    }

    /// Whether a view's every tile is there, known to be absent, or lost for good while others
    /// are there.
    func isComplete(on board: TileBoard, in viewport: Viewport) -> Bool {
        var found = 0, lost = 0
        for placed in layer.cover(of: viewport) {
            switch board.state(of: TileKey(layer: layer.id, tile: placed.tile)) {
            case .ready, .absent: found += 1
            case .failed(let failure) where failure.isForGood: lost += 1
            case .failed, nil: return false
            }
        }
        return lost == 0 || found > 0
    }
}

/// Gives the tiles of one set, and of no other.
struct TrafficSetTiles: TileLayerDataSource {
    let zooms: ClosedRange<Int>
    let take: @Sendable (TileRequest) -> Void

    func hasTile(_ tile: TileID) -> Bool { zooms.contains(tile.zoom) }

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

    /// What a provider's failure means for a tile.
    /// - Parameter pause: how long the source is left alone.
    init(_ failure: TrafficFailure, pause: Duration) {
        let text = failure.description
        if failure.pausesSource {
            self.init(.refused, text, retryAfter: max(pause, .seconds(30)))
        } else if failure.reason == .offline {
            self.init(.offline, text, retryAfter: .seconds(5))
        } else if failure.isPermanent {
            self.init(failure.reason == .badAnswer ? .badContent : .sourceFailed, text, retryAfter: .seconds(600))
        } else {
            self.init(.unreadable, text)
        }
    }
}
