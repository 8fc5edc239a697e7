/// Minimum widths for visibility in cells. A cell is about two by four of the style's pixels, and shows at
/// most two by three dots.
enum CellWidth {
    /// Minimum width of a line, in the style's pixels.
    static let least = 1.2
    /// Minimum width of a visible rim of a line, in the style's pixels.
    static let leastRim = 0.4
    /// Minimum length of a dash with its gap, in the style's pixels.
    static let leastPeriod = 4.0

    /// Returns the drawn width of a line and a factor for its opacity. Thin lines are widened and made
    /// fainter.
    static func drawn(_ width: Double) -> (width: Double, share: Double) {
        width >= least ? (width, 1) : (least, min(1, 0.4 + 1.2 * width))
    }

    /// Returns true if a rim of that width is visible.
    static func isSeen(rim: Double) -> Bool { rim >= leastRim }
}
