public import RhumbCore
internal import Synchronization

/// The current features of an overlay. The feed writes them and the drawing reads them, from any thread.
public final class LiveLayer: Sendable {
    /// The appearance of the map that features are drawn for.
    public struct OverlayTheme: Sendable, Equatable {
        /// The theme of the map beneath.
        public var theme: MapTheme
        /// The available colours.
        public var depth: ColorDepth
        /// True if each cell has 8 × 16 pixels, as in images for files.
        public var isFine: Bool

        /// Creates the appearance of a map.
        public init(theme: MapTheme = .night, depth: ColorDepth = .truecolor, isFine: Bool = false) {
            self.theme = theme
            self.depth = depth
            self.isFine = isFine
        }
    }

    private struct State {
        var patches = OverlayPatches(.empty)
        /// The number of replacements of the features.
        var edition = 0
        var overlayTheme = OverlayTheme()
        var drawn: OverlayIndex?
        var legend: OverlayLegend?
    }

    /// The id of its map layer.
    public let id: TileLayer.ID
    /// The name, safe for a terminal.
    public let name: String
    /// The appearance of features without a style.
    public let palette: OverlayPalette
    private let state: Mutex<State>

    /// Creates a layer without features.
    /// - Parameter name: Untrusted text, which is sanitised.
    public init(
        id: TileLayer.ID, name: String, palette: OverlayPalette, overlayTheme: OverlayTheme = OverlayTheme()
    ) {
        self.id = id
        self.name = SafeText.sanitised(name, limit: 60)
        self.palette = palette
        state = Mutex(State(overlayTheme: overlayTheme))
    }

    /// The features. Setting them does not draw them; the engine must redraw the layer. The setter finds the
    /// cells that they cover, so that drawing does not wait for it.
    public var index: OverlayIndex {
        get { state.withLock { $0.patches.index } }
        set {
            let patches = state.withLock { $0.patches }.renewed(for: newValue)
            state.withLock { state in
                state.patches = patches
                state.edition += 1
            }
        }
    }

    /// Returns the features with the cells that they cover in a view, without blocking other threads.
    /// - Parameters:
    ///   - lattice: The lattice of the view's cells.
    ///   - view: The cells of the view.
    public func patches(
        of lattice: CellLattice, in view: CellBox
    ) -> (index: OverlayIndex, patches: [OverlayPatch]) {
        var (patches, edition) = state.withLock { ($0.patches, $0.edition) }
        let found = patches.patches(of: lattice, in: view)
        state.withLock { [patches] state in
            if state.edition == edition { state.patches = patches }
        }
        return (patches.index, found)
    }

    /// The lines and areas that are drawn instead of the features' own; nil to draw the features' own.
    public var drawn: OverlayIndex? {
        get { state.withLock { $0.drawn } }
        set { state.withLock { $0.drawn = newValue } }
    }

    /// The meaning of the colours; nil if they have none.
    public var legend: OverlayLegend? {
        get { state.withLock { $0.legend } }
        set { state.withLock { $0.legend = newValue } }
    }

    /// The appearance of the map that the features are drawn for.
    public var overlayTheme: OverlayTheme {
        get { state.withLock { $0.overlayTheme } }
        set { state.withLock { $0.overlayTheme = newValue } }
    }
}

/// The tile source of a live layer. It has a tile everywhere, and reads no data for it.
public struct LiveTileSource: TileLayerDataSource {
    /// The features to draw.
    public let live: LiveLayer

    /// A source of pictures of a live layer.
    public init(_ live: LiveLayer) { self.live = live }

    /// Returns an empty tile, because the drawing reads the features itself.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? { .bitmap(.encoded([])) }
}

extension TileLayer {
    /// The live layer that it shows; nil for a layer of tiles.
    public var live: LiveLayer? { (source as? LiveTileSource)?.live }
}
