public import RhumbCore

/// The description of a source before any tile is read. All strings are safe for a terminal.
public struct TileSourceInfo: Sendable, Equatable {
    /// A short name for the status line.
    public var name: String
    /// The attribution to show with its tiles; may be empty.
    public var attribution: String
    /// The zooms for which it has tiles.
    public var zooms: ClosedRange<Int>
    /// The area for which it has tiles; nil if unknown.
    public var bounds: Bounds?
    /// The initial centre set by the author; nil if unknown.
    public var center: Coordinate?
    /// The zoom at which the map opens; nil if unspecified.
    public var centerZoom: Double?
    /// The usual size of the tiles, in pixels. Tiles of other sizes are scaled.
    public var tileSize: TileSize
    /// True if its tiles are an overlay.
    public var isOverlay: Bool
    /// True if the pictures have labels.
    public var hasLabels = true

    /// Creates the description of a source.
    /// - Parameter zooms: The zooms; nil for all up to the usual depth of the tile size: 21, 20 and 19 for
    ///   128, 256 and 512 pixels.
    public init(
        name: String, attribution: String = "", zooms: ClosedRange<Int>? = nil,
        bounds: Bounds? = nil, center: Coordinate? = nil, centerZoom: Double? = nil,
        tileSize: TileSize = .pixels256, isOverlay: Bool = false
    ) {
        self.name = name
        self.attribution = attribution
        self.zooms = zooms ?? 0...tileSize.usualDepth
        self.bounds = bounds
        self.center = center
        self.centerZoom = centerZoom
        self.tileSize = tileSize
        self.isOverlay = isOverlay
    }
}
