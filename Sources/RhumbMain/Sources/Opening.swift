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
