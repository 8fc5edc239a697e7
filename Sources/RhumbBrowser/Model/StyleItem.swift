public import RhumbCore

/// A style that a person may choose, as lists show it.
public struct StyleItem: Equatable, Sendable {
    /// What chooses it; nil: Rhumb's own.
    public let words: String?
    /// What people call it; harmless to a terminal.
    public let name: String
    /// The view's middle drawn in it; nil while it isn't there, or where the map has its own colours.
    public var sample: CellGrid?
    /// Why it can't be drawn in, or fits badly; nil while nothing is known against it.
    public var problem: String?

    /// A style without a sample yet.
    public init(words: String?, name: String) {
        self.words = words
        self.name = SafeText.sanitised(name, limit: 80)
    }
}

/// What of styles is asked for: the list, with samples of a view.
public struct StyleQuestion: Equatable, Sendable {
    /// The view drawn as a sample.
    public let view: Viewport
    /// The theme, for styles that have two.
    public let theme: MapTheme
    /// The layers it is drawn of, by what they are called.
    public let layers: [String]
}
