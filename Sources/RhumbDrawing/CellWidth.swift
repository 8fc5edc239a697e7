/// How thin things may get and still be seen in cells. A cell is two of the style's pixels wide
/// and about four tall, and shows two by three dots at most.
enum CellWidth {
    /// The thinnest line, in the style's pixels.
    static let least = 1.2
    /// The thinnest rim of a line that is seen as one.
    static let leastRim = 0.4
    /// The shortest dash with its gap.
    static let leastPeriod = 4.0

    /// How a line of some width is drawn: how wide, and with which share of its opacity. What a
    /// style has thinner than half a pixel it means to be faint.
    static func drawn(_ width: Double) -> (width: Double, share: Double) {
        width >= least ? (width, 1) : (least, min(1, 0.4 + 1.2 * width))
    }

    /// Whether a rim of that width makes a difference.
    static func isSeen(rim: Double) -> Bool { rim >= leastRim }
}
