public import RhumbCore
internal import Synchronization

/// Features that lie over a map, as they are now: who reads them puts them in, who draws them takes them out,
/// from any thread.
public final class LiveLayer: Sendable {
    /// What its features are drawn for.
    public struct Dress: Sendable, Equatable {
        /// The theme of the map beneath.
        public var theme: MapTheme
        /// The colours there are.
        public var depth: ColorDepth
        /// Whether each cell has 8 × 16 pixels, as in pictures for files.
        public var isFine: Bool

        /// What features are drawn for.
        public init(theme: MapTheme = .night, depth: ColorDepth = .truecolor, isFine: Bool = false) {
            self.theme = theme
            self.depth = depth
            self.isFine = isFine
        }
    }

    private struct State {
        var patches = OverlayPatches(.empty)
        /// Counts the features that took the place of others.
        var edition = 0
        var dress = Dress()
        var drawn: OverlayIndex?
        var legend: OverlayLegend?
    }

    /// What its map layer is called.
    public let id: TileLayer.ID
    /// What it is called, harmless to a terminal.
    public let name: String
    /// What features look like that say nothing of it.
    public let palette: OverlayPalette
    private let state: Mutex<State>

    /// A layer without features.
    /// - Parameter name: text from outside; made harmless.
    public init(id: TileLayer.ID, name: String, palette: OverlayPalette, dress: Dress = Dress()) {
        self.id = id
        self.name = SafeText.sanitised(name, limit: 60)
        self.palette = palette
        state = Mutex(State(dress: dress))
    }

    /// The features; setting them does not draw them: have the engine redraw the layer. What of them stands
    /// in cells is found out by whoever sets them, so that nobody waits for it who draws.
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

    /// The features, and what of them stands in the cells of a view. Nobody waits while that is found out.
    /// - Parameters:
    ///   - lattice: of the view's cells.
    ///   - view: its cells.
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

    /// Lines and areas that are drawn in place of the features' own; nil: these are.
    public var drawn: OverlayIndex? {
        get { state.withLock { $0.drawn } }
        set { state.withLock { $0.drawn = newValue } }
    }

    /// What the colours of its features mean; nil where they have no meaning.
    public var legend: OverlayLegend? {
        get { state.withLock { $0.legend } }
        set { state.withLock { $0.legend = newValue } }
    }

    /// What they are drawn for.
    public var dress: Dress {
        get { state.withLock { $0.dress } }
        set { state.withLock { $0.dress = newValue } }
    }
}

/// The source of a live layer's pictures: there is a tile everywhere, and nothing is read for it.
public struct LiveTileSource: TileLayerDataSource {
    /// What is drawn.
    public let live: LiveLayer

    /// A source of pictures of a live layer.
    public init(_ live: LiveLayer) { self.live = live }

    /// Its drawing makes pictures of what it holds itself.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? { .bitmap(.encoded([])) }
}

extension TileLayer {
    /// The live layer that it shows; nil for a layer of tiles.
    public var live: LiveLayer? { (source as? LiveTileSource)?.live }
}
