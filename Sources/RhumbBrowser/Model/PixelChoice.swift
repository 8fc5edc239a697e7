public import RhumbCore

/// The user's choice between pixels and cells for the map.
public enum PixelChoice: String, CaseIterable, Sendable {
    /// Pixels where the terminal is known to support them.
    case auto
    /// Pixels with a protocol, whatever the terminal reports.
    case kitty, sixel, iterm
    /// Always cells.
    case off

    /// The requested protocol; nil for an automatic choice, or for none.
    public var asked: PixelProtocol? { PixelProtocol(rawValue: rawValue) }
}
