public import RhumbCore

/// What the engine tells those who listen; see `TileEngine.events()`.
public enum EngineEvent: Sendable {
    /// It has layers and a view, and works.
    case ready
    case cameraChanged(Viewport)
    /// A tile in view can be drawn now.
    case tileShown(TileKey)
    /// A tile in view surely does not exist.
    case tileAbsent(TileKey)
    /// A tile in view could not be had.
    case tileFailed(TileKey, TileFailure)
    /// Nothing is under way any more.
    case idle
}
