internal import RhumbCore

/// The texts of the measuring panel.
enum MeasureText {
    static let noPoints = "No points to copy"
    static let addPoint = "add a point"
    static let startOver = "start over"
    static let hint = "Press Enter to add a point at the centre of the map, or click to add one there."
    static let toCursor = "to the cursor"
    static let lastLeg = "last leg"

    static func title(_ points: Int) -> String { "Measure · \(AmountText.count(points, "point"))" }
}
