internal import RhumbCore

/// The places that the user points at: marks, the measured path, and the features there.
package struct Pointing: Sendable {
    /// The measured path.
    package internal(set) var trail = MeasuredPath()
    /// The last clicked points, at most two.
    var marks: [WorldPoint] = []
    /// The feature or label at the last clicked point.
    var clicked = ClickedThing()
    /// The cell that `i` describes, such as the last clicked one; nil for the centre of the view.
    var pointer: (column: Int, row: Int)?
    /// The settlement near the view.
    var whereabouts = Loadable<Camera, PlaceBearing?>()
}

/// The feature or label at the last clicked point.
struct ClickedThing: Sendable {
    /// The clicked label; nil for none.
    var label: String?
    var features = Loadable<FeatureQuestion, Result<[MapFeature], Notice.Problem>>()

    /// The label, or the name of the first feature that has one; nil if there is none or it is not known yet.
    var name: String? {
        if let label { return label }
        guard case .success(let found)? = features.current else { return nil }
        return found.lazy.flatMap(\.attributes).first { $0.name == "name" }?.value
    }
}
