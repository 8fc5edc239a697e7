/// A property of tiles that is shown on the map.
public enum TileMeasure: String, Sendable, CaseIterable {
    /// The stored size in bytes.
    case bytes
    /// The number of features of a vector tile.
    case features
    /// The number of points of all shapes of a vector tile.
    case vertices
    /// The time in seconds since the tile was received or its file was changed.
    case age
}
