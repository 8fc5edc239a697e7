internal import Rhumb
internal import RhumbBrowser

/// What came of opening a source.
enum Opening: Sendable {
    case now(TileLayer)
    /// Its document must be fetched first.
    case later(LaterLayer)
}

/// A layer that is there once its document has come.
struct LaterLayer: Sendable {
    /// What to call it meanwhile.
    let name: String
    let load: @Sendable () async -> Result<TileLayer, Notice.Problem>
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
    /// The layer, waited for.
    /// - Throws: a sentence, when it can't be had or doesn't come in time.
    func settled(within seconds: Double = 30) throws(Notice.Problem) -> TileLayer {
        switch self {
        case .now(let layer): return layer
        case .later(let later):
            guard let loaded = wait(upTo: seconds, for: later.load) else {
                throw Notice.Problem("\(later.name) did not come within \(Int(seconds)) s; try again later")
            }
            return try loaded.get()
        }
    }
}
