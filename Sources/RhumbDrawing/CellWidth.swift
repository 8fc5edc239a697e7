/// The widths of things that are visible in cells. A cell is two of the style's pixels wide and about four
/// high, and has two by three dots at most.
enum CellWidth {
    /// The thinnest line, in the style's pixels.
    static let least = 1.2
    /// The thinnest rim of a line that is seen as one.
    static let leastRim = 0.4
    /// The shortest dash with its gap.
    static let leastPeriod = 4.0

    /// Returns the drawn width of a line, and its share of the opacity. Lines thinner than half a pixel are
    /// meant to be faint.
    static func drawn(_ width: Double) -> (width: Double, share: Double) {
        width >= least ? (width, 1) : (least, min(1, 0.4 + 1.2 * width))
    }

    /// Returns true if a rim of that width is visible.
    static func isSeen(rim: Double) -> Bool { rim >= leastRim }
}
