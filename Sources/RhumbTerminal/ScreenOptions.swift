/// The options for taking the screen.
public struct ScreenOptions: Sendable {
    /// Report mouse presses, drags and the wheel.
    public var mouse: Bool
    /// Ask the terminal for its background colour and what else it can do. The answers are never
    /// waited for.
    public var queries: Bool
    /// Take the terminal that the process belongs to where standard output is none: a pipe that waits for an
    /// answer.
    public var takesControllingTerminal = false

    /// With the mouse and with questions to the terminal, unless said otherwise.
    public init(mouse: Bool = true, queries: Bool = true) {
        self.mouse = mouse
        self.queries = queries
    }
}

/// The sequences that switch on what terminfo has no words for, and off again.
enum TerminalModes {
    /// Presses, drags and the wheel (1002) in SGR form (1006).
    private static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
    private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l"
    /// Reports when the terminal's colours change between light and dark (2031).
    private static let schemeOn = "\u{1B}[?2031h"
    private static let schemeOff = "\u{1B}[?2031l"
    private static let pasteOn = "\u{1B}[?2004h"
    private static let pasteOff = "\u{1B}[?2004l"
    /// Ends a sequence cut short (CAN) and a frame held back (2026).
    private static let cutShort = "\u{18}\u{1B}[?2026l"
    private static let plainPen = "\u{1B}[0m"

    static let frameBegins = Array("\u{1B}[?2026h".utf8)
    static let frameEnds = Array("\u{1B}[?2026l".utf8)

    static func on(_ options: ScreenOptions) -> [UInt8] {
        Array((pasteOn + (options.queries ? schemeOn : "") + (options.mouse ? mouseOn : "")).utf8)
    }

    static func off(_ options: ScreenOptions) -> [UInt8] {
        Array(
            (plainPen + (options.mouse ? mouseOff : "") + (options.queries ? schemeOff : "") + pasteOff).utf8)
    }

    static let interruptsFrame = Array(cutShort.utf8)

    static let backgroundQuestion = "\u{1B}]11;?\u{1B}\\"

    /// The background colour, whether frames can be held back, the size of a cell where the system
    /// doesn't know it, and last what every terminal answers.
    static func questions(cellSize: Bool) -> [UInt8] {
        let cell = cellSize ? "\u{1B}[16t" : ""
        return Array("\(backgroundQuestion)\u{1B}[?2026$p\(cell)\u{1B}[c".utf8)
    }
}
