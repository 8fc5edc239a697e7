public import RhumbCells

/// A label that a style requests, before label placement.
public struct VectorLabel: Sendable, Hashable {
    /// The position on the tile, from (0, 0) in the north-west to (1, 1) in the south-east.
    public enum Anchor: Sendable, Hashable {
        case point(SIMD2<Double>)
        /// Along a line of at least two points.
        case line([SIMD2<Double>])
    }

    /// The text in one line, sanitised for terminals; empty only for an icon without text.
    public let text: String
    /// The position of the label.
    public private(set) var anchor: Anchor
    /// The priority; lower ranks are placed first. Ordered by style layer from the top, then by the style's
    /// sort key, then by position in the tile.
    public let rank: Rank
    /// The id of the style layer.
    public let layer: String
    /// The colour of the text.
    public let colour: StyleColour
    /// The colour of the halo; clear if there is none.
    public let halo: StyleColour
    /// The size of the text in the style's pixels.
    public let size: Double
    /// The name of the icon at the point, such as "star"; nil for none.
    public let icon: String?
    /// The icon's mean colour; nil if it is unknown or grey.
    public let iconColour: RGB?
    /// Padding around the label in the style's pixels, 0…1024.
    public let padding: Double
    /// Side of a square with the area of the labelled polygon, relative to the tile's side; 0 for points and
    /// lines.
    public let breadth: Double

    /// Creates a label. Clamps the padding to its range.
    public init(
        text: String, anchor: Anchor, rank: Rank, layer: String, colour: StyleColour = .black,
        halo: StyleColour = .clear, size: Double = 16, icon: String? = nil, iconColour: RGB? = nil,
        padding: Double = 2, breadth: Double = 0
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
    }

    /// Returns the label at another position.
    func moved(to anchor: Anchor) -> VectorLabel {
        var label = self
        label.anchor = anchor
        return label
    }

    /// The priority of a label; lower ranks are placed first.
    public struct Rank: Sendable, Hashable, Comparable {
        /// The index of the style layer, 0 for the topmost.
        public let layer: Int
        /// The style's `symbol-sort-key`.
        public let sortKey: Double
        /// The index of the feature in its tile, which breaks ties.
        public let order: Int

        /// Creates a rank.
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
