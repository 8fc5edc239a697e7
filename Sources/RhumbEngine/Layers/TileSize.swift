/// The side of a layer's tiles in pixels. It selects pixels and shifts the zoom: at map zoom z
/// (256-px convention) a 512-px tile of zoom z − 1 covers the same ground at the same scale.
public enum TileSize: Int, CaseIterable, Sendable {
    case pixels128 = 128
    case pixels256 = 256
    case pixels512 = 512

    /// The tile's zoom is the map's zoom plus this.
    public var zoomOffset: Int {
        switch self {
        case .pixels128: 1
        case .pixels256: 0
        case .pixels512: -1
        }
    }

    /// The deepest zoom a data source is asked for.
    public var maximumZoom: Int {
        switch self {
        case .pixels128: 21
        case .pixels256: 20
        case .pixels512: 19
        }
    }
}
