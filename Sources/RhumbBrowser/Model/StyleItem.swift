public import RhumbCore
public import RhumbEngine

/// A style that the user may choose from a list.
public struct StyleItem: Equatable, Sendable {
    /// The words that select the style; nil for Rhumb's own.
    public let words: String?
    /// The name, safe for a terminal.
    public let name: String
    /// The centre of the view drawn in the style; nil until it is drawn, or if the map has its own colours.
    public var sample: CellGrid?
    /// The reason why it can't be used or is unsuitable; nil if there is none.
    public var problem: String?

    /// Creates a style without a sample.
    public init(words: String?, name: String) {
        self.words = words
        self.name = SafeText.sanitised(name, limit: 80)
    }
}

/// A query for the list of styles, with samples of a view.
public struct StyleQuestion: Equatable, Sendable {
    /// The view drawn as a sample.
    public let view: Viewport
    /// The theme, for styles that have two.
    public let theme: MapTheme
    /// The ids of the layers that the samples are drawn from.
    public let layers: [String]
}

/// Layers drawn in a style.
public struct StyledLayers: Sendable {
    /// The files and addresses of the styles.
    public let style: StyleChoice
    /// The theme of the layers.
    public let theme: MapTheme
    /// The layers that changed, by their previous ids.
    public let layers: [TileLayer.ID: TileLayer]
    /// The style's own layer sets, also for maps that it doesn't draw; nil if it has none.
    public let sets: LayerSetStyle?

    /// Creates the result of a change of style.
    /// - Parameters:
    ///   - style: The styles, by their files and addresses.
    ///   - layers: The layers that changed, by their previous ids.
    ///   - sets: The own layer sets of the style; nil if it has none.
    public init(
        _ style: StyleChoice, _ theme: MapTheme, _ layers: [TileLayer.ID: TileLayer],
        sets: LayerSetStyle? = nil
    ) {
        self.style = style
        self.theme = theme
        self.layers = layers
        self.sets = sets
    }
}
