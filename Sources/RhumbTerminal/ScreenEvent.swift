public import RhumbCore

/// An event of the screen.
public enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    /// The terminal was resized, or it reported the shape of its cells.
    case resized(columns: Int, rows: Int)
    /// The file descriptor given to `wait` became readable.
    case woken
    /// SIGTERM, SIGHUP, SIGINT or another terminating signal arrived, or the terminal was lost (SIGHUP).
    case terminated(signal: Int32)
    /// The program was continued after a stop.
    case resumed
    /// The terminal has answered the queries about images, or the size of a cell in pixels changed.
    case graphics
    /// The terminal's background colour. May arrive at any time or never.
    case background(RGB)
}
