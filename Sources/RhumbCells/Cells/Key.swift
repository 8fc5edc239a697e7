/// An input event from the keyboard or the mouse, independent of terminal escape codes.
public enum Key: Hashable, Sendable {
    /// A character as typed, with Shift already applied ("H", "?").
    case character(Character)
    /// Control with a lower-case letter.
    case control(Character)
    case arrow(Arrow, shift: Bool)
    case enter, escape, tab, backTab, backspace, delete, insert, home, end, pageUp, pageDown
    /// F1…F12.
    case function(Int)
    case mouse(MouseEvent)
    /// Text of a bracketed paste, with control characters removed.
    case paste(String)

    /// The direction of an arrow key.
    public enum Arrow: Hashable, Sendable { case up, down, left, right }
}

/// A mouse action at a cell; column and row count from 0 at the top left.
public struct MouseEvent: Hashable, Sendable {
    /// An action of the mouse.
    public enum Action: Hashable, Sendable { case press, drag, release, wheelUp, wheelDown, move }
    /// The action.
    public var action: Action
    /// The cell's column, 0 at the left.
    public var column: Int
    /// The cell's row, 0 at the top.
    public var row: Int
    /// True while Shift is held.
    public var shift: Bool

    /// A mouse event at a cell.
    public init(_ action: Action, column: Int, row: Int, shift: Bool = false) {
        self.action = action
        self.column = column
        self.row = row
        self.shift = shift
    }
}
