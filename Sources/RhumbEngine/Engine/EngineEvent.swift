public import RhumbCore

/// An event of the engine; see `TileEngine.events()`.
public enum EngineEvent: Sendable {
    /// The engine has layers and a view, and is running.
    case ready
    case cameraChanged(Viewport)
    /// A tile in view can be drawn now.
    case tileShown(TileKey)
    /// A tile in view can be drawn without some of its parts.
    case tileIncomplete(TileKey, TileFailure)
    /// A tile in view is known not to exist.
    case tileAbsent(TileKey)
    /// A tile in view failed.
    case tileFailed(TileKey, TileFailure)
    /// No work is in flight any more.
    case idle
}
