internal import RhumbCore

/// The texts of the panel in which the user picks a place for another program.
enum PickText {
    static let tooFewPoints = "A polygon needs at least three points. Press Space to add one."
    static let nothing = "Nothing here"
    static let unnamed = "Nothing named here"
    static let thisPlace = "this place"
    static let thisView = "this view"
    static let corner = "a corner"
    static let thisBox = "this box"
    static let point = "a point"
    static let place = "Pick a place"
    static let box = "Pick a box: this view, or its corners"
    static let oppositeCorner = "Pick the opposite corner"

    static func polygon(_ points: Int) -> String {
        "Pick a polygon · \(AmountText.count(points, "point"))"
    }

    static let feature = "Pick a feature"
}
