public import RhumbCore

/// An event of a screen.
public enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    /// The terminal has a new size, or reported the shape of its cells.
    case resized(columns: Int, rows: Int)
    /// The file descriptor given to `wait` became readable.
    case woken
    /// SIGTERM, SIGHUP or SIGINT arrived, or the terminal went away (then SIGHUP).
    case terminated(signal: Int32)
    /// The program is in the foreground again after having been stopped.
    case resumed
    /// The terminal's background colour, an answer that may come at any time or never.
    case background(RGB)
}
