/// A protocol for images in a terminal.
public enum PixelProtocol: String, CaseIterable, Sendable {
    /// The kitty graphics protocol. Images are stored, placed below the text, and moved.
    case kitty
    /// DEC sixel graphics, which are part of the screen like text.
    case sixel
    /// Images of iTerm2 (OSC 1337), which are part of the screen like text.
    case iterm
}

/// A size in pixels.
public struct PixelSize: Hashable, Sendable {
    /// The number of pixels across.
    public let width: Int
    /// The number of pixels down.
    public let height: Int

    /// Creates a size.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}
