package import RhumbCore

/// One report from the terminal: user input or a query response.
package enum TerminalReport: Equatable {
    case key(Key)
    /// The background colour (OSC 11).
    case background(RGB)
    /// The response to DECRQM for mode 2026: whether the terminal supports synchronized output.
    case synchronizedFrames(Bool)
    /// The cell size in pixels: `CSI 6 ; height ; width t`.
    case cellSize(width: Int, height: Int)
    /// The terminal's colours changed between light and dark: `CSI ? 997 ; 1 n` or `; 2 n`.
    case colourScheme
    /// The response to DA1, which is queried last, so that no further responses follow. Attribute 4 reports
    /// sixel graphics, and 52 clipboard support.
    case attributes(hasClipboard: Bool, hasSixel: Bool = false)
    /// The maximum size of a sixel image: `CSI ? 2 ; 0 ; width ; height S`.
    case sixelLimit(width: Int, height: Int)
    /// The terminal's own name and version (XTVERSION), such as "kitty(0.26.5)".
    case name(String)
    /// The response of the kitty graphics protocol to a query, or an error about an image.
    case image(id: UInt32, isStored: Bool)
}
