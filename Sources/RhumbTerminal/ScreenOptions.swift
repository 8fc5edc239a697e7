public import RhumbCore

/// Options for opening the screen.
public struct ScreenOptions: Sendable {
    /// True to report mouse presses, drags and the wheel.
    public var mouse: Bool
    /// True to use the controlling terminal if standard output isn't one, such as in a pipe that reads a
    /// result.
    public var takesControllingTerminal = false

    /// True to query the support for images.
    public var pixels = false
    /// Encodes an image as PNG, or returns nil; nil if images are never drawn.
    public var encodePNG: (@Sendable (IndexedImage) -> [UInt8]?)?

    /// Creates options.
    public init(mouse: Bool = true) { self.mouse = mouse }
}

/// The sequences for modes that terminfo doesn't cover.
enum TerminalModes {
    /// Reports presses, drags and the wheel (mode 1002) in SGR form (mode 1006).
    private static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
    private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l"
    /// Reports changes between light and dark colours (mode 2031).
    private static let schemeOn = "\u{1B}[?2031h"
    private static let schemeOff = "\u{1B}[?2031l"
    private static let pasteOn = "\u{1B}[?2004h"
    private static let pasteOff = "\u{1B}[?2004l"
    /// Cancels an incomplete sequence (CAN) and ends a synchronized frame (mode 2026).
    private static let cutShort = "\u{18}\u{1B}[?2026l"
    private static let plainPen = "\u{1B}[0m"

    static let frameBegins = Array("\u{1B}[?2026h".utf8)
    static let frameEnds = Array("\u{1B}[?2026l".utf8)

    static func on(_ options: ScreenOptions) -> [UInt8] {
        Array((pasteOn + schemeOn + (options.mouse ? mouseOn : "")).utf8)
    }

    static func off(_ options: ScreenOptions) -> [UInt8] {
        Array((plainPen + (options.mouse ? mouseOff : "") + schemeOff + pasteOff).utf8)
    }

    static let interruptsFrame = Array(cutShort.utf8)

    static let backgroundQuestion = "\u{1B}]11;?\u{1B}\\"

    /// Returns the startup queries: background colour, synchronized output, the cell size if needed, support
    /// for images, and last DA1, which every terminal answers.
    /// - Parameter multiplexer: The multiplexer between program and terminal; nil for none. Multiplexers take
    ///   the query of the kitty protocol for a title.
    static func questions(cellSize: Bool, pixels: Bool, multiplexer: String?) -> [UInt8] {
        let cell = cellSize || pixels ? cellSizeQuestion : ""
        let kitty = multiplexer == nil ? KittyGraphics.question : ""
        let images = pixels ? "\u{1B}[>q" + kitty : ""
        return Array("\(backgroundQuestion)\u{1B}[?2026$p\(cell)\(images)\(fence)".utf8)
    }

    /// Queries the maximum size of a sixel image (XTSMGRAPHICS). Only terminals with sixel graphics know it.
    static let sixelQuestion = "\u{1B}[?2;4;0S"

    static let cellSizeQuestion = "\u{1B}[16t"
    /// DA1, whose response follows those to all earlier queries.
    static let fence = "\u{1B}[c"
}
