internal import Rhumb
internal import RhumbBrowser

/// What came of opening a source.
enum Opening: Sendable {
    /// The layers of the map, bottom to top: of most sources a single one.
    case now([TileLayer])
    /// Its document must be fetched first.
    case later(LaterLayer)
}

/// A map that is there once its document has come.
struct LaterLayer: Sendable {
    /// What to call it meanwhile.
    let name: String
    let load: @Sendable () async -> Result<[TileLayer], Notice.Problem>
}

extension TileLayer {
    /// The same layer lying over a map.
    var laidOver: TileLayer {
        var layer = self
        layer.isTransparent = true
        layer.role = .hybridOverlay
        return layer
    }
}

extension Opening {
    /// The layers, waited for.
    /// - Throws: a sentence, when it can't be had or doesn't come in time.
    func settled(within seconds: Double = 30) throws(Notice.Problem) -> [TileLayer] {
        switch self {
        case .now(let layers): return layers
        case .later(let later):
            guard let loaded = wait(upTo: seconds, for: later.load) else {
                throw Notice.Problem("\(later.name) did not come within \(Int(seconds)) s; try again later")
            }
            return try loaded.get()
        }
    }

    /// The layer of a source, waited for.
    /// - Throws: a sentence, also for a style, which has sources of its own.
    func settledLayer(within seconds: Double = 30) throws(Notice.Problem) -> TileLayer {
        let layers = try settled(within: seconds)
        guard layers.count == 1, let layer = layers.first else {
            throw Notice.Problem("that is a style of \(layers.count) layers; name the source of one of them")
        }
        return layer
    }
}
