/// An action of the program; keys and the command line are bound to these.
public enum Command: Hashable, Sendable {
    case pan(Direction, Stride)
    /// Zooms by steps about the middle; 1 is one zoom.
    case zoom(Double)
    case world
    case back, forward
    case finer, coarser
    case goTo
    /// Opens a panel, or closes it if it is open.
    case panel(PanelEntry)
    /// Follows the position, or no more.
    case follow
    /// Goes to the next (1) or previous (-1) of what was found, else feature of the topmost live layer.
    case walk(Int)
    case offline
    case downloadNow
    case names
    /// Offers streets over the built-in world map.
    case streets
    case borders
    case theme
    case look
    case save
    case commandLine
    case escape
    case redraw
    case suspend
    case quit

    /// Whether the map is elsewhere after it.
    var movesMap: Bool {
        switch self {
        case .pan, .zoom, .world, .back, .forward: true
        default: false
        }
    }

    /// Where the view pans to.
    public enum Direction: Hashable, Sendable { case left, right, up, down }
    /// How far one key press pans: an eighth of the view, a half, or one cell.
    public enum Stride: Hashable, Sendable { case eighth, half, cell }
}
