/// Something the program can be told to do; keys and the command line come down to these.
public enum Command: Hashable, Sendable {
    case pan(Direction, Stride)
    /// Zooms by steps about the middle; 1 is one zoom.
    case zoom(Double)
    case world
    case back
    case finer, coarser
    case goTo
    case search
    case layers
    case here
    case cache
    case offline
    case download, downloadNow
    case traffic
    case names
    case regions
    case borders
    case theme
    case look
    case save
    case help
    case commandLine
    case messages
    case escape
    case redraw
    case suspend
    case quit

    public enum Direction: Hashable, Sendable { case left, right, up, down }
    /// How far one key press pans: an eighth of the view, a half, or one cell.
    public enum Stride: Hashable, Sendable { case eighth, half, cell }
}
