public import RhumbCells

/// A label of a style, before its place on the screen is decided.
public struct VectorLabel: Sendable, Hashable {
    /// The position on the tile: its north-western corner is (0, 0), its south-eastern (1, 1).
    public enum Anchor: Sendable, Hashable {
        case point(SIMD2<Double>)
        /// Along a line of at least two points.
        case line([SIMD2<Double>])
    }

    /// Harmless to a terminal, one line; empty only where a picture stands alone.
    public let text: String
    /// The position.
    public private(set) var anchor: Anchor
    /// Of two labels the one with the lower rank comes first: layers from the top of the style
    /// down, then the style's sort key, then the order in the tile.
    public let rank: Rank
    /// The style layer it comes from.
    public let layer: String
    /// The colour of its letters.
    public let colour: StyleColour
    /// Clear where the style draws no halo.
    public let halo: StyleColour
    /// The letters' size in the style's pixels.
    public let size: Double
    /// The name of the image at the point, such as "star"; nil for none.
    public let icon: String?
    /// The picture's mean colour, where it is known and is no grey.
    public let iconColour: RGB?
    /// Room to keep free around it, 0…1024 of the style's pixels.
    public let padding: Double
    /// The side of a square as large as the area it names, in the tile's own; 0 for points and lines.
    public let breadth: Double
    /// True if it may overlap other labels.
    public let mayOverlap: Bool

    /// A label with these properties; padding is clamped to its range.
    public init(
        text: String, anchor: Anchor, rank: Rank, layer: String, colour: StyleColour = .black,
        halo: StyleColour = .clear, size: Double = 16, icon: String? = nil, iconColour: RGB? = nil,
        padding: Double = 2, breadth: Double = 0, mayOverlap: Bool = false
    ) {
        self.text = text
        self.anchor = anchor
        self.rank = rank
        self.layer = layer
        self.colour = colour
        self.halo = halo
        self.size = size
        self.icon = icon
        self.iconColour = iconColour
        self.padding = min(max(padding, 0), 1024)
        self.breadth = breadth
        self.mayOverlap = mayOverlap
    }

    /// The same name elsewhere.
    func moved(to anchor: Anchor) -> VectorLabel {
        var label = self
        label.anchor = anchor
        return label
    }

    /// Which of two labels comes first: the one with the lower rank.
    public struct Rank: Sendable, Hashable, Comparable {
        /// 0 for the style's topmost layer.
        public let layer: Int
        /// The style's `symbol-sort-key`.
        public let sortKey: Double
        /// The feature's place in its tile, for labels that are equal otherwise.
        public let order: Int

        /// The rank of a label of a layer.
        public init(layer: Int, sortKey: Double = 0, order: Int = 0) {
            self.layer = layer
            self.sortKey = sortKey
            self.order = order
        }

        public static func < (a: Rank, b: Rank) -> Bool {
            (a.layer, a.sortKey, a.order) < (b.layer, b.sortKey, b.order)
        }
    }
}
