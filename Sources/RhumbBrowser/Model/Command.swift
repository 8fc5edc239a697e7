/// An action of the program. Keys and words of the command line are bound to actions.
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
    /// Starts or ends following the position.
    case follow
    /// Goes to the next (1) or previous (-1) tile of the list if a property of tiles is shown, or else search
    /// result. Without results, goes to a feature of the topmost live layer.
    case walk(Int)
    case offline
    case downloadNow
    case names
    /// Offers streets over the built-in world map.
    case streets
    /// Shows the next property of tiles: borders, sizes and others.
    case borders
    /// Shows the other archive of a comparison.
    case other
    /// Shows both archives of a comparison with an edge between them.
    case swipe
    case theme
    case preset
    case save
    case commandLine
    case escape
    case redraw
    case suspend
    case quit

    /// True if the command moves the map.
    var movesMap: Bool {
        switch self {
        case .pan, .zoom, .world, .back, .forward: true
        default: false
        }
    }

    /// The direction of a pan.
    public enum Direction: Hashable, Sendable { case left, right, up, down }
    /// The distance of a pan: an eighth or a half of the view, or one cell.
    public enum Stride: Hashable, Sendable { case eighth, half, cell }
}
