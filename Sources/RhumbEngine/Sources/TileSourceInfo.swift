public import RhumbCore

/// What is known of a source before any tile of it was read; every text is already harmless to
/// a terminal.
public struct TileSourceInfo: Sendable, Equatable {
    /// A short name for the status line.
    public var name: String
    /// Who must be thanked wherever a tile is shown; may be empty.
    public var attribution: String
    /// The zooms it has tiles for.
    public var zooms: ClosedRange<Int>
    /// The area it has tiles for; nil if unknown.
    public var bounds: Bounds?
    /// Where its author would have a map open; nil if unknown.
    public var center: Coordinate?
    /// The zoom to open at; nil: none was given.
    public var centerZoom: Double?
    /// The size of the tiles, in pixels.
    public var tileSize: TileSize
    /// True if `tileSize` is not known but assumed: square tiles of any valid size are drawn.
    public var isTileSizeAssumed = false
    /// Whether its tiles are meant to lie over another map.
    public var isOverlay: Bool
    /// Whether labels are drawn on the pictures.
    public var hasLabels = true

    /// What is known of a source before a tile of it was seen.
    public init(
        name: String, attribution: String = "", zooms: ClosedRange<Int> = 0...20,
        bounds: Bounds? = nil, center: Coordinate? = nil, centerZoom: Double? = nil,
        tileSize: TileSize = .pixels256, isOverlay: Bool = false
    ) {
        self.name = name
        self.attribution = attribution
        self.zooms = zooms
        self.bounds = bounds
        self.center = center
        self.centerZoom = centerZoom
        self.tileSize = tileSize
        self.isOverlay = isOverlay
    }
}
